/** `svc completion`: short scripts by which shells ask `svc __complete` what can come next. */
import { candidatesFor } from '../candidates.ts'
import { type Call, type Command, usage } from '../command.ts'
import { didYouMean } from '../flag-values.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

/** A line of `svc __complete` is a word, a tab and what the word means; this one asks for the names of files. */
const FILES = ':files'

/**
 * bash cuts words at = and : as well, and replaces only what stands behind the last cut. So the words are put together
 * again where the line has no blank between them, and what is before the cut is taken off the candidates.
 */
const BASH = `# svc completion for bash. To use it: source <(svc completion bash)
_svc() {
  local rest=\${COMP_LINE:0:COMP_POINT} words=() part bare i found word
  for ((i = 0; i <= COMP_CWORD; i++)); do
    part=\${COMP_WORDS[i]}
    bare=\${rest#"\${rest%%[![:space:]]*}"}
    # The cursor may stand inside the last word.
    ((i == COMP_CWORD)) && part=$bare
    if ((i == 0)) || [[ $bare != "$rest" || -z $bare ]]; then words+=("$part"); else words[\${#words[@]}-1]+=$part; fi
    rest=\${bare#"$part"}
  done
  local cur=\${words[\${#words[@]}-1]} breaks=\${COMP_WORDBREAKS//[^=:@]/} cut=
  [[ -n $breaks ]] && cut=\${cur%"\${cur##*[$breaks]}"}
  COMPREPLY=()
  found=$(svc __complete -- "\${words[@]:1}" 2>/dev/null) || return
  while IFS=$'\\t' read -r word _; do
    case "$word" in
      '') ;;
      ${FILES})
        compopt -o filenames 2>/dev/null
        while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "\${cur#"$cut"}") ;;
      *) COMPREPLY+=("\${word#"$cut"}") ;;
    esac
  done <<<"$found"
}
complete -F _svc svc`

const ZSH = `#compdef svc
# svc completion for zsh. To use it: source <(svc completion zsh)
_svc() {
  local found line
  local -a described
  found=$(svc __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null) || return
  for line in "\${(@f)found}"; do
    case "$line" in
      ('') ;;
      (${FILES}) compset -P '--*='; _files ;;
      (*) described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done
  (( $#described )) && _describe svc described
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
compdef _svc svc`

const FISH = `# svc completion for fish. To use it: svc completion fish | source
function __svc_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l found (svc __complete -- $before[2..] "$current" 2>/dev/null); or return
    for line in $found
        if test "$line" = ${FILES}
            __fish_complete_path "$current"
        else
            echo $line
        end
    end
end
complete -c svc -f -a '(__svc_complete)'`

const SCRIPTS: Record<(typeof SHELLS)[number], string> = { bash: BASH, zsh: ZSH, fish: FISH }

const script: Command = {
  path: ['completion'],
  text: 'installed',
  summary: 'print the completion script of a shell, or install it',
  details:
    'With --install: for bash and zsh, writes the script to ~/.svc/completion and one marked block to ~/.bashrc or .zshrc\n' +
    '(ZDOTDIR); for fish, writes ~/.config/fish/completions/svc.fish. A start file that is a link is left alone, and the\n' +
    'line to add is printed. Prints {ok, version, wrote, ..., message}. svc uninstall takes it out again.',
  args: [{ name: SHELLS.join('|'), summary: 'which shell', required: true, values: SHELLS }],
  flags: [
    { name: 'install', summary: 'install the script for this user' },
    { name: 'dry-run', summary: 'with --install: print what would be done, and do nothing' },
  ],
  examples: [
    'source <(svc completion bash)',
    'source <(svc completion zsh)',
    'svc completion fish | source',
    'svc completion bash --install',
  ],
  async run(call) {
    const [given = ''] = call.args
    const shell = SHELLS.find(known => known === given)
    if (!shell) throw usage(`"${given}" is not one of ${SHELLS.join(', ')}.${didYouMean(given, SHELLS)}`)
    if (call.isOn('install')) {
      return (await import('../install/run.ts')).installCompletion(call, shell, SCRIPTS[shell])
    }
    if (call.isOn('dry-run')) throw usage('--dry-run is for --install.')
    await call.io.print(SCRIPTS[shell])
    return { ok: true }
  },
}

/** An empty list where adb does not work: there is no place for an error message. */
const serialsOf = async ({ services, signal }: Call): Promise<string[]> => {
  try {
    return (await (await services()).listDevices(signal)).map(({ serial }) => serial)
  } catch {
    return []
  }
}

const complete: Command = {
  path: ['__complete'],
  text: 'unchanged',
  internal: true,
  summary: 'print what can come after these words, for the completion of a shell',
  args: [{ name: 'word', summary: 'the words after svc; the last one is being written', rest: true }],
  hasNoResult: true,
  examples: ["svc __complete -- devices --output ''"],
  async run(call) {
    const { args, commands, io } = call
    const { words, files } = await candidatesFor({
      words: args,
      commands: await commands(),
      serials: () => serialsOf(call),
    })
    const lines = [...words.map(({ word, summary }) => `${word}\t${summary}`), ...(files ? [FILES] : [])]
    await io.print(lines.join('\n'))
    return { ok: true }
  },
}

export const completion: readonly Command[] = [script, complete]

/** `svc completion`: short scripts by which shells ask `svc __complete` what can come next. */
import { candidatesFor } from '../candidates.ts'
import { type Call, type Command, usage } from '../command.ts'
import { didYouMean } from '../flag-values.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

/** A line of `svc __complete` is a word, a tab and what the word means; this one asks for the names of files. */
const FILES = ':files'

const SCRIPTS: Record<(typeof SHELLS)[number], string> = {
  bash: `# svc completion for bash. To use it: source <(svc completion bash)
_svc() {
  local cur=\${COMP_WORDS[COMP_CWORD]} found word
  COMPREPLY=()
  found=$(svc __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null) || return
  while IFS=$'\\t' read -r word _; do
    case "$word" in
      '') ;;
      ${FILES}) mapfile -t -O "\${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$cur") ;;
      *) COMPREPLY+=("$word") ;;
    esac
  done <<<"$found"
}
complete -o filenames -F _svc svc`,
  zsh: `#compdef svc
# svc completion for zsh. To use it: source <(svc completion zsh)
_svc() {
  local found line
  local -a described
  found=$(svc __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null) || return
  for line in "\${(@f)found}"; do
    case "$line" in
      ('') ;;
      (${FILES}) _files ;;
      (*) described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done
  (( $#described )) && _describe svc described
}
compdef _svc svc`,
  fish: `# svc completion for fish. To use it: svc completion fish | source
function __svc_complete
    set -l current (commandline -ct)
    set -l found (svc __complete -- (commandline -opc)[2..-1] "$current" 2>/dev/null); or return
    for line in $found
        if test "$line" = ${FILES}
            __fish_complete_path "$current"
        else
            echo $line
        end
    end
end
complete -c svc -f -a '(__svc_complete)'`,
}

const script: Command = {
  path: ['completion'],
  summary: 'print the completion script of a shell',
  args: [{ name: SHELLS.join('|'), summary: 'which shell', required: true, values: SHELLS }],
  examples: ['source <(svc completion bash)', 'source <(svc completion zsh)', 'svc completion fish | source'],
  async run({ args, io }) {
    const [given = ''] = args
    const shell = SHELLS.find(known => known === given)
    if (!shell) throw usage(`"${given}" is not one of ${SHELLS.join(', ')}.${didYouMean(given, SHELLS)}`)
    await io.print(SCRIPTS[shell])
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
  internal: true,
  summary: 'print what can come after these words, for the completion of a shell',
  args: [{ name: 'word', summary: 'the words after svc; the last one is being written', rest: true }],
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

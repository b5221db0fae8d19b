/** `svc completion bash`. */
import { casePattern, indented, singleQuoted, wordList } from './shell-text.ts'
import { type CommandWords, type FlagWords, globalWords, nextWords } from './words.ts'

const ALL_DEVICES = ['--device', '--device-id']

const completesValue = ({ values, isFile }: FlagWords) => isFile || (values !== undefined && values.length > 0)

/** Nothing is offered for a value that cannot be listed: a wrong word would be worse. */
const valueCase = ({ names, values = [], isFile }: FlagWords): string => {
  const words = isFile ? 'compgen -f -- "$cur"' : `compgen -W ${wordList(values)} -- "$cur"`
  return `${casePattern(names)}) mapfile -t COMPREPLY < <(${words}); return ;;`
}

const atCommand = ({ path, flags, takesFiles }: CommandWords): string[] => {
  const own = flags.filter(completesValue).map(valueCase)
  return [
    `${singleQuoted(path.join(' '))})`,
    `  flags=${wordList(flags.flatMap(({ names }) => names))}`,
    ...(takesFiles ? ['  files=yes'] : []),
    ...(own.length > 0 ? ['  case "$prev" in', ...own.map(line => `    ${line}`), '  esac'] : []),
    '  ;;',
  ]
}

export const bashCompletion = (commands: readonly CommandWords[]): string => {
  const globals = globalWords()
  const valued = [...globals, ...commands.flatMap(({ flags }) => flags)].filter(({ values }) => values !== undefined)
  const next = nextWords(commands)
  const paths = [...new Set(commands.flatMap(({ path }) => path.map((_, index) => path.slice(0, index + 1).join(' '))))]
  const nexts = [...next].map(([at, words]) => `${singleQuoted(at)}) words=${wordList(words)} ;;`)
  return `# svc completion for bash. To use it: source <(svc completion bash)
_svc() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev='' at='' word i
  local words='' flags='' files='' globals=${wordList(globals.flatMap(({ names }) => names))}
  COMPREPLY=()
  ((COMP_CWORD > 0)) && prev=\${COMP_WORDS[COMP_CWORD - 1]}
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "$word" in
      ${casePattern([...new Set(valued.flatMap(({ names }) => names))])}) ((i += 1)) ;;
      -*) ;;
      *)
        case "\${at:+$at }$word" in
          ${casePattern(paths)}) at="\${at:+$at }$word" ;;
        esac
        ;;
    esac
  done
  case "$prev" in
${indented(globals.filter(completesValue).map(valueCase), 4)}
    ${casePattern(ALL_DEVICES)})
      word=$(svc devices 2>/dev/null | grep -o '"serial":"[^"]*"' | cut -d'"' -f4)
      mapfile -t COMPREPLY < <(compgen -W "$word" -- "$cur")
      return
      ;;
  esac
  case "$at" in
${indented(nexts, 4)}
  esac
  case "$at" in
${indented(commands.flatMap(atCommand), 4)}
  esac
  case "$cur" in
    -*) mapfile -t COMPREPLY < <(compgen -W "$flags $globals" -- "$cur") ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur"; [[ -n $files ]] && compgen -f -- "$cur") ;;
  esac
}
complete -o filenames -F _svc svc`
}

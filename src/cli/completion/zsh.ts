/** `svc completion zsh`. */
import { casePattern, indented, singleQuoted } from './shell-text.ts'
import { type CommandWords, type FlagWords, globalWords, nextWords } from './words.ts'

/** `_describe` takes `word:what it is`. */
const described = (words: readonly (readonly [string, string])[]): string =>
  words.map(([word, summary]) => singleQuoted(`${word.replaceAll(':', '\\:')}:${summary}`)).join(' ')

const flagPairs = (flags: readonly FlagWords[]) =>
  flags.flatMap(({ names, summary }) => names.map(name => [name, summary] as const))

const valueCase = ({ names, values = [], isFile }: FlagWords): string =>
  `(${casePattern(names)}) ${isFile ? '_files' : values.length > 0 ? `compadd -- ${values.map(singleQuoted).join(' ')}` : ':'}; return ;;`

const atCommand = ({ path, flags, takesFiles }: CommandWords): string[] => {
  const own = flags.filter(({ values }) => values !== undefined).map(valueCase)
  return [
    `(${singleQuoted(path.join(' '))})`,
    `  flags+=(${described(flagPairs(flags))})`,
    ...(takesFiles ? ['  files=yes'] : []),
    ...(own.length > 0 ? ['  case "$prev" in', ...own.map(line => `    ${line}`), '  esac'] : []),
    '  ;;',
  ]
}

export const zshCompletion = (commands: readonly CommandWords[]): string => {
  const globals = globalWords()
  const valued = [...globals, ...commands.flatMap(({ flags }) => flags)].filter(({ values }) => values !== undefined)
  const paths = [...new Set(commands.flatMap(({ path }) => path.map((_, index) => path.slice(0, index + 1).join(' '))))]
  const summaryOf = (at: string) => commands.find(({ path }) => path.join(' ') === at)?.summary ?? ''
  const nexts = [...nextWords(commands)].map(
    ([at, words]) =>
      `(${singleQuoted(at)}) next=(${described(words.map(word => [word, summaryOf(at === '' ? word : `${at} ${word}`)]))}) ;;`,
  )
  return `#compdef svc
# svc completion for zsh. To use it: source <(svc completion zsh)
_svc() {
  local prev=\${words[CURRENT-1]} at='' word='' files=''
  local -i i=2
  local -a next=() flags=(${described(flagPairs(globals))})
  while (( i < CURRENT )); do
    word=\${words[i]}
    case "$word" in
      (${casePattern([...new Set(valued.flatMap(({ names }) => names))])}) (( i += 1 )) ;;
      (-*) ;;
      (*)
        case "\${at:+$at }$word" in
          (${casePattern(paths)}) at="\${at:+$at }$word" ;;
        esac
        ;;
    esac
    (( i += 1 ))
  done
  case "$prev" in
    ('--device'|'--device-id')
      compadd -- \${(f)"$(svc devices 2>/dev/null | grep -o '"serial":"[^"]*"' | cut -d'"' -f4)"}
      return
      ;;
${indented(globals.filter(({ values }) => values !== undefined).map(valueCase), 4)}
  esac
  case "$at" in
${indented(nexts, 4)}
  esac
  case "$at" in
${indented(commands.flatMap(atCommand), 4)}
  esac
  case "$PREFIX" in
    (-*) _describe -o flag flags ;;
    (*)
      (( \${#next} )) && _describe command next
      [[ -n $files ]] && _files
      ;;
  esac
}
compdef _svc svc`
}

/** `svc completion fish`. */
import { type CommandWords, type FlagWords, globalWords, nextWords } from './words.ts'

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const flagLine = (condition: string, { names, summary, values, isFile }: FlagWords): string => {
  const spelled = names.map(name => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
  const value =
    values === undefined
      ? []
      : isFile
        ? ['-r', '-F']
        : ['-x', ...(values.length > 0 ? [`-a ${quoted(values.join(' '))}`] : [])]
  return ['complete -c svc', condition, ...spelled, ...value, `-d ${quoted(summary)}`]
    .filter(part => part !== '')
    .join(' ')
}

/** At exactly these words, flags aside. */
const at = (path: string) => `-n ${quoted(`__svc_at ${path}`.trim())}`

const commandLines = ({ path, flags, takesFiles }: CommandWords): string[] => {
  const condition = at(path.join(' '))
  return [...flags.map(flag => flagLine(condition, flag)), ...(takesFiles ? [`complete -c svc ${condition} -F`] : [])]
}

export const fishCompletion = (commands: readonly CommandWords[]): string => {
  const globals = globalWords()
  const valued = [...globals, ...commands.flatMap(({ flags }) => flags)].filter(({ values }) => values !== undefined)
  const summaryOf = (words: string) => commands.find(({ path }) => path.join(' ') === words)?.summary ?? ''
  const nexts = [...nextWords(commands)].flatMap(([before, words]) =>
    words.map(word => {
      const summary = summaryOf(before === '' ? word : `${before} ${word}`)
      return `complete -c svc ${before === '' ? `-n ${quoted('__svc_at')}` : at(before)} -a ${quoted(word)} -d ${quoted(summary)}`
    }),
  )
  const paths = commands.map(({ path }) => path.join(' '))
  return `# svc completion for fish. To use it: svc completion fish | source
function __svc_at
    set -l found
    set -l skip no
    for word in (commandline -opc)[2..-1]
        if test $skip = yes
            set skip no
        else if contains -- $word ${[...new Set(valued.flatMap(({ names }) => names))].map(quoted).join(' ')}
            set skip yes
        else if not string match -q -- '-*' $word
            set -l longer (string join ' ' -- $found $word)
            if contains -- $longer ${[...new Set([...paths, ...[...nextWords(commands).keys()].filter(key => key !== '')])].map(quoted).join(' ')}
                set -a found $word
            end
        end
    end
    test "$found" = "$argv"
end
complete -c svc -f
${globals.map(flag => flagLine('', flag)).join('\n')}
${nexts.join('\n')}
${commands.flatMap(commandLines).join('\n')}`
}

/** The lines of text on the arrows and in the boxes of a picture, and which edges each line speaks of. */
import type { ChartEdge, ChartState } from './chart.ts'
import { actionsText, guardText, namedText } from './notation.ts'

/** A word of a label; a picture sets the three roles apart by colour. */
export interface Word {
  role: 'event' | 'guard' | 'action'
  text: string
}

export interface Line {
  words: readonly Word[]
  /** Set off below the line it belongs to. */
  indented: boolean
  edges: readonly ChartEdge[]
}

/** The items by their key, in the order of the first of each. */
export const grouped = <T, K>(items: Iterable<T>, keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> => {
  const groups = new Map<K, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

export const lineText = ({ words }: Pick<Line, 'words'>) => words.map(({ text }) => text).join(' ')

const wordsOf = (role: Word['role'], text: string): readonly Word[] =>
  text === '' ? [] : text.split(' ').map(word => ({ role, text: word }))

/** A guard is broken only where no line could hold it. */
const guardWords = (edge: ChartEdge, width: number) => {
  const text = guardText(edge)
  return text.length > width ? wordsOf('guard', text) : text === '' ? [] : [{ role: 'guard' as const, text }]
}

/** The slash stays with the first action when a line is broken. */
const actionWords = (edge: ChartEdge): readonly Word[] =>
  wordsOf('action', actionsText(edge)).map((word, index) => (index === 0 ? { ...word, text: `/ ${word.text}` } : word))

/** A word too long for any line is broken after its parenthesis. */
const piecesOf = (word: Word, width: number): readonly [Word, Word?] => {
  const at = word.text.length > width ? word.text.indexOf('(') + 1 : 0
  if (at === 0) return [word]
  return [
    { ...word, text: word.text.slice(0, at) },
    { ...word, text: word.text.slice(at) },
  ]
}

const block = (words: readonly Word[], edges: readonly ChartEdge[], width: number, indented = false) => {
  const lines: Word[][] = []
  for (const word of words) {
    const [head, tail] = piecesOf(word, width)
    const last = lines.at(-1)
    if (last && lineText({ words: [...last, head] }).length <= width) last.push(head)
    else lines.push([head])
    if (tail) lines.push([tail])
  }
  return lines.map((line, index): Line => ({ words: line, indented: indented || index > 0, edges }))
}

/** One event with several guards is named once, and its guards follow below it. */
const eventLines = (event: string, edges: readonly ChartEdge[], width: number): readonly Line[] => {
  const name: Word = { role: 'event', text: event }
  const [only, second] = edges
  if (only && !second) return block([name, ...guardWords(only, width), ...actionWords(only)], edges, width)
  const branches = edges.flatMap(edge => block([...guardWords(edge, width), ...actionWords(edge)], [edge], width, true))
  return [{ words: [name], indented: false, edges }, ...branches]
}

export const edgeLines = (edges: readonly ChartEdge[], width: number): readonly Line[] =>
  [...new Set(edges.map(({ event }) => event))].flatMap(event => {
    const same = edges.filter(edge => edge.event === event)
    return eventLines(event, same, width)
  })

const doing = (when: string, what: string, width: number) =>
  block([{ role: 'event', text: when }, ...wordsOf('action', `/ ${what}`)], [], width)

/** The lines below a state's name: its entry actions, its ports, and the events it takes without leaving. */
export const stateLines = ({ entry, exit, ports, edges }: ChartState, width: number): readonly Line[] => [
  ...entry.flatMap(action => doing('entry', namedText(action), width)),
  ...ports.flatMap(({ port }) => doing('do', port, width)),
  ...exit.flatMap(action => doing('exit', namedText(action), width)),
  ...edgeLines(
    edges.filter(({ target, stray }) => target === undefined && stray !== true),
    width,
  ),
]

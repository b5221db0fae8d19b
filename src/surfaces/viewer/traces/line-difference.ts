/** The difference of two screens, line by line as compact snapshots write them. */
import { describeNode } from '../../../service/executions/screens/compact-lines.ts'
import { screenOf } from '../../../service/executions/screens/screen.ts'
import type { Frame } from '../devices/frames.ts'
import { treeOf } from '../devices/screen.tsx'

export interface DifferenceLine {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** Beyond this product of lines, everything between the equal ends counts as replaced. */
const CELLS_MAX = 4_000_000

/** Refs name a node of one snapshot: the same node has another one in the next. */
const withoutRef = (line: string) => line.replace(/^@\d+\.\d+ /, '')

/** Undefined for a frame that is a picture alone. */
export const linesOf = ({ screen, lines }: Pick<Frame, 'screen' | 'lines'>): readonly string[] | undefined => {
  const tree = treeOf(screen.xml)
  if (tree) return screenOf(tree, tree.roots[0]?.packageName ?? '').nodes.map(describeNode)
  return lines?.split('\n').slice(1).map(withoutRef)
}

/** The lengths of the longest common subsequences of all pairs of ends. */
const commonLengths = (before: readonly string[], after: readonly string[]) => {
  const width = after.length + 1
  const table = new Uint32Array((before.length + 1) * width)
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const next = (i + 1) * width + j
      table[i * width + j] =
        before[i] === after[j] ? (table[next + 1] ?? 0) + 1 : Math.max(table[next] ?? 0, table[i * width + j + 1] ?? 0)
    }
  }
  return (i: number, j: number): number => table[i * width + j] ?? 0
}

const lines = (kind: DifferenceLine['kind'], texts: readonly string[]) => texts.map(text => ({ kind, text }))

const middleDifference = (before: readonly string[], after: readonly string[]): DifferenceLine[] => {
  if ((before.length + 1) * (after.length + 1) > CELLS_MAX)
    return [...lines('removed', before), ...lines('added', after)]
  const common = commonLengths(before, after)
  const found: DifferenceLine[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    const [was, is] = [before[i], after[j]]
    if (was !== undefined && was === is) {
      found.push({ kind: 'same', text: was })
      i += 1
      j += 1
    } else if (was !== undefined && (is === undefined || common(i + 1, j) >= common(i, j + 1))) {
      found.push({ kind: 'removed', text: was })
      i += 1
    } else if (is !== undefined) {
      found.push({ kind: 'added', text: is })
      j += 1
    }
  }
  return found
}

export const lineDifference = (before: readonly string[], after: readonly string[]): DifferenceLine[] => {
  const shortest = Math.min(before.length, after.length)
  let start = 0
  while (start < shortest && before[start] === after[start]) start += 1
  let end = 0
  while (end < shortest - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  return [
    ...lines('same', before.slice(0, start)),
    ...middleDifference(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...lines('same', before.slice(before.length - end)),
  ]
}

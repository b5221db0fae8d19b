/** One frame of a trace: its picture, its drawing, or its lines where a compact snapshot is all that was recorded. */
import { useMemo } from 'preact/hooks'
import type { UiTree } from '../../../contracts/device/ui-tree.ts'
import type { NeighbourScreen } from '../../../contracts/doors/viewer.ts'
import { age } from '../format.ts'
import type { Frame, StepView } from './frames.ts'
import { Screen, type Size, treeOf } from './screen.tsx'

export const useTree = (frame: Frame | undefined): UiTree | undefined =>
  useMemo(() => treeOf(frame?.screen.xml), [frame?.screen.xml])

const AT_ONCE_MS = 1_000

/** Its execution came before all of the trace. */
export const isEarlier = (neighbour: NeighbourScreen, [first]: readonly StepView[]): boolean =>
  neighbour.at <= (first?.execution.acceptedAt ?? neighbour.at)

/** The steps that recorded it, or how long before or after an earlier or a later execution did. */
export const frameName = ({ index, steps, neighbour }: Frame, views: readonly StepView[]): string => {
  const name = `${index + 1} · `
  if (!neighbour) return `${name}step ${steps.map(position => views[position]?.number ?? '?').join(', ')}`
  const [first, last] = [views[0]?.execution, views.at(-1)?.execution]
  const { acceptedAt = neighbour.at } = first ?? {}
  const isBefore = isEarlier(neighbour, views)
  const away = isBefore ? acceptedAt - neighbour.at : neighbour.at - (last?.settledAt ?? neighbour.at)
  const [which, side] = isBefore ? ['an earlier', 'before'] : ['a later', 'after']
  return `${name}of ${which} execution, ${away < AT_ONCE_MS ? 'just' : age(away)} ${side}`
}

export interface FrameScreenProps {
  frame: Frame
  label: string
  isSmall?: boolean
  over?: (size: Size, tree: UiTree | undefined) => preact.ComponentChildren
}

export const FrameScreen = ({ frame, label, isSmall = false, over }: FrameScreenProps) => {
  const tree = useTree(frame)
  const { screen, lines } = frame
  if (screen.picture === undefined && !tree) {
    return (
      <pre class={`lines-screen ${isSmall ? 'small' : ''}`} title={label}>
        {lines ?? 'The snapshot cannot be read.'}
      </pre>
    )
  }
  return (
    <Screen
      screen={screen}
      tree={tree}
      label={label}
      isSmall={isSmall}
      {...(over ? { over: (size: Size) => over(size, tree) } : {})}
    />
  )
}

/** Resolves compact snapshots and refs of recorded executions to the screens that the journal keeps by number. */

import type { UiNode } from '../../contracts/device/ui-tree.ts'
import type { Action } from '../../contracts/executions/action.ts'
import { type Matcher, type MatcherParam, paramOf, readRef, refsOf } from '../../contracts/executions/matcher.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import type { Screen, ScreenNode } from './screens/screen.ts'
import { createScreenMemory } from './screens/screen-memory.ts'
import { readScreen, type SeenScreen } from './seen-screen.ts'

export interface RecordedScreens {
  /** Reads the screen of a snapshot, whole or compact; undefined for one that cannot be read. */
  screenOf(data: Readonly<Record<string, string>>, device: string | undefined): SeenScreen | undefined
  /** With a matcher for each ref; undefined when nothing tells the node of a ref from the others. */
  withoutRefs(action: Action, device: string | undefined): Action | undefined
}

const ROW = 100

const nodeOf = ({ label, id, className, packageName, state, hint }: ScreenNode, index: number): UiNode => ({
  text: label || (hint ?? ''),
  resourceId: id,
  className,
  packageName,
  contentDesc: '',
  checkable: state.includes('on') || state.includes('off'),
  checked: state.includes('on'),
  clickable: state.includes('tap'),
  enabled: !state.includes('disabled'),
  focusable: false,
  focused: state.includes('focused'),
  scrollable: state.includes('scroll'),
  longClickable: state.includes('hold'),
  password: state.includes('password'),
  selected: state.includes('selected'),
  ...(hint === undefined ? {} : { hint }),
  // The position was not recorded. A node with an empty area would not count as on the screen.
  bounds: { left: 0, top: index * ROW, right: ROW, bottom: (index + 1) * ROW },
  children: [],
})

const seenOf = (screen: Screen): SeenScreen => ({
  packageName: screen.package,
  nodes: screen.nodes.map(({ label, id, packageName, state, role }) => ({
    text: label,
    label,
    resourceId: id,
    packageName,
    clickable: state.includes('tap') || state.includes('hold'),
    password: state.includes('password'),
    editable: role === 'textfield',
  })),
  tree: { rotation: 0, roots: screen.nodes.map(nodeOf) },
})

/** By its id, its label or both: the fewest words that no other node of the screen has. */
const matcherOf = ({ nodes }: Screen, at: number): Matcher | undefined => {
  const node = nodes[at]
  if (!node) return undefined
  const isOnly = (matches: (other: ScreenNode) => boolean) => nodes.filter(matches).length === 1
  const { id, label } = node
  if (id !== '' && isOnly(other => other.id === id)) return { resourceId: id }
  if (label !== '' && isOnly(other => other.label === label)) return { textEquals: label }
  const isBoth = id !== '' && label !== '' && isOnly(other => other.id === id && other.label === label)
  return isBoth ? { resourceId: id, textEquals: label } : undefined
}

export const recordedScreens = (journal: Journal, clock: Clock): RecordedScreens => {
  const memory = createScreenMemory({ journal, clock })
  const recall = (device: string | undefined, number: number) =>
    device === undefined ? undefined : memory.recall(device, number)
  const matcherFor = (device: string | undefined, ref: string): Matcher | undefined => {
    const { screen: number, node } = readRef(ref)
    const screen = recall(device, number)
    return screen && matcherOf(screen, node - 1)
  }
  return {
    screenOf(data, device) {
      const { format, screen } = data
      if (format !== 'compact') return readScreen(data)
      const seen = recall(device, Number(screen))
      return seen && seenOf(seen)
    },
    withoutRefs(action, device) {
      const found: [MatcherParam, ReturnType<typeof paramOf>][] = []
      for (const { param, ref } of refsOf(action)) {
        const matcher = matcherFor(device, ref)
        if (!matcher) return undefined
        found.push([param, paramOf(param, matcher)])
      }
      return found.length === 0
        ? action
        : ({ ...action, params: { ...action.params, ...Object.fromEntries(found) } } as Action)
    },
  }
}

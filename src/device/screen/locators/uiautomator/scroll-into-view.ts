/** Performs UiAutomator expressions that scroll: from the beginning of the list forward, as Android's UiScrollable does. */
import type { ElementIdentity } from '../../../../contracts/device/element-identity.ts'
import type { FoundNode, UiTree } from '../../../../contracts/device/ui-tree.ts'
import { withoutPauses } from '../../../../runtime/yielding.ts'
import { identifyElement } from '../../elements/element-identity.ts'
import { readUiAutomator, type ScrollCall, type UiScrollable } from './read-ui-automator.ts'
import { findingCall, findingStatements, NO_ELEMENT } from './statements.ts'
import { findingUiSelector } from './ui-selector.ts'

interface ScrollSight {
  tree: UiTree
}

export interface ScrollHands<Sight = ScrollSight> {
  look(): Promise<Sight>
  /** Scrolls so that what lies in that direction is shown. */
  scroll(container: ElementIdentity, direction: 'up' | 'down' | 'left' | 'right'): Promise<'moved' | 'edge_reached'>
  signal: AbortSignal
}

/** Of the screen that was read last: its elements are where the nodes say. */
export type ScrolledIntoView<Sight = ScrollSight> =
  | { ok: true; nodes: readonly FoundNode[]; sight: Sight }
  | { ok: false; message: string }

/** True for an expression that may scroll; false also for one that cannot be read. */
export const mayScrollFor = (expression: string): boolean => {
  const read = readUiAutomator(expression)
  return read.ok && read.statements.some(({ kind }) => kind === 'scrollable')
}

type Outcome = 'moved' | 'edge_reached'

/** What a scrollable knows while it is performed. */
interface Scroller<Sight = ScrollSight> {
  scrollable: UiScrollable
  hands: ScrollHands<Sight>
  sight: Sight
}

const lookAgain = async (scroller: Scroller): Promise<void> => {
  scroller.hands.signal.throwIfAborted()
  scroller.sight = await scroller.hands.look()
}

/** The container is looked for on each screen that is read: what is in it changes with every scroll. */
const step = async ({ scrollable, hands, sight }: Scroller, isForward: boolean): Promise<Outcome | 'no_container'> => {
  hands.signal.throwIfAborted()
  const [container] = withoutPauses(findingUiSelector(scrollable.container, sight.tree))
  if (!container) return 'no_container'
  const direction = scrollable.isHorizontal ? (isForward ? 'right' : 'left') : isForward ? 'down' : 'up'
  return await hands.scroll(identifyElement(sight.tree, container), direction)
}

/** With one read after each scroll; ends where nothing moves any more. */
const goOn = async (scroller: Scroller, isForward: boolean, times: number): Promise<void> => {
  for (let done = 0; done < times; done++) {
    const outcome = await step(scroller, isForward)
    if (outcome === 'no_container') return
    await lookAgain(scroller)
    if (outcome === 'edge_reached') return
  }
}

const foundBy = (call: ScrollCall, { scrollable, sight }: Scroller): readonly FoundNode[] =>
  withoutPauses(findingCall(call, scrollable, sight.tree))

const search = async (call: ScrollCall, scroller: Scroller): Promise<readonly FoundNode[]> => {
  const { maxSearchSwipes } = scroller.scrollable
  const here = foundBy(call, scroller)
  if (here.length > 0) return here
  await goOn(scroller, false, maxSearchSwipes)
  for (let swipes = 0; ; swipes++) {
    const found = foundBy(call, scroller)
    if (found.length > 0 || swipes >= maxSearchSwipes) return found
    const outcome = await step(scroller, true)
    if (outcome === 'no_container') return []
    await lookAgain(scroller)
    if (outcome === 'edge_reached') return foundBy(call, scroller)
  }
}

const perform = async (call: ScrollCall, scroller: Scroller): Promise<readonly FoundNode[] | undefined> => {
  if (call.kind === 'move') {
    await goOn(scroller, call.move === 'forward' || call.move === 'end', call.times)
    return undefined
  }
  const isStill = call.kind === 'child' || (call.kind === 'child_by' && !call.mayScroll)
  return isStill ? foundBy(call, scroller) : await search(call, scroller)
}

/** Rejects with what `look` and `scroll` reject with, and when the signal aborts. */
export const scrollIntoView = async <Sight extends ScrollSight>(
  expression: string,
  hands: ScrollHands<Sight>,
): Promise<ScrolledIntoView<Sight>> => {
  const read = readUiAutomator(expression)
  if (!read.ok) return read
  let sight = await hands.look()
  let nodes: readonly FoundNode[] = []
  for (const statement of read.statements) {
    if (statement.kind === 'selector') {
      const found = withoutPauses(findingStatements([statement], sight.tree))
      if (!found.ok) return found
      nodes = found.nodes
    } else {
      const { scrollable } = statement
      const scroller: Scroller<Sight> = { scrollable, hands, sight }
      let last: readonly FoundNode[] | undefined
      for (const call of scrollable.calls) last = await perform(call, scroller)
      sight = scroller.sight
      if (!last) return { ok: false, message: NO_ELEMENT }
      nodes = last
    }
    if (nodes.length > 0) break
  }
  return { ok: true, nodes, sight }
}

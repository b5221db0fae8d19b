/** Putting any text into a field by the keyboard helper, and seeing in the tree that it is there. */
import { pause } from '../../runtime/clock.ts'
import { inSlices, PIECE, type Sliced } from '../../runtime/slices.ts'
import type { TextEntry } from '../engine/driver.ts'
import { contentOf, isOnScreen, walk } from '../engine/match.ts'
import { StepFailure } from '../engine/step-failure.ts'
import type { UiNode, UiTree } from '../engine/ui-tree.ts'
import type { DeviceShell } from '../shell/device-shell.ts'
import { fieldCommands, refuseUnfocusable, TEXT_KEY_MS } from '../shell/enter-text.ts'
import type { Typing } from './keyboard.ts'

export interface TextPorts {
  shell: DeviceShell
  tree(): Promise<UiTree | undefined>
  type(typing: Typing): Promise<void>
}

/** Each gives the keyboard more time to be bound than the one before. */
const SETTLE_MS = [300, 700, 1_500] as const
/** A field that shows no text by then has not got it. */
const SEEN_MS = 1_500
const LOOK_PAUSE_MS = 100

const failed = (reason: string) => new StepFailure('ACTION_FAILED', reason)

const distance = (a: UiNode, b: UiNode) =>
  Math.abs(a.bounds.left - b.bounds.left) + Math.abs(a.bounds.top - b.bounds.top)

/** The same field in a later tree, where it may have moved for a keyboard. */
const sameField = function* (tree: UiTree | undefined, field: UiNode): Sliced<UiNode | undefined> {
  let found: UiNode | undefined
  let seen = 0
  for (const { node } of walk(tree?.roots ?? [])) {
    seen += 1
    if (seen % PIECE === 0) yield
    if (!isOnScreen(node) || node.className !== field.className || node.resourceId !== field.resourceId) continue
    const isNearer = !found || distance(node, field) < distance(found, field)
    if (!found || (node.focused === found.focused ? isNearer : node.focused)) found = node
  }
  return found
}

/** True when the field holds the text; a password field shows only its length. */
const holds = (field: UiNode, text: string) =>
  field.password ? contentOf(field).length === text.length : contentOf(field) === text.replaceAll('\r\n', '\n')

/** Undefined when the field has gone. Looks until it holds the text, or the time for that is over. */
const heldAfter = async ({ shell, tree }: TextPorts, field: UiNode, wanted: string): Promise<UiNode | undefined> => {
  const { clock, signal, deadline } = shell.options
  const until = Math.min(clock.now() + SEEN_MS, deadline)
  for (;;) {
    const seen = await inSlices(sameField(await tree(), field), shell.options)
    if ((seen && holds(seen, wanted)) || clock.now() >= until) return seen
    await pause(clock, LOOK_PAUSE_MS, signal)
    signal.throwIfAborted()
  }
}

/** Sent again only when the field is seen to hold what it held before. */
export const enterAnyText = async (
  ports: TextPorts,
  field: UiNode,
  text: string,
  { append, submit, point }: TextEntry,
): Promise<true> => {
  const { shell, type } = ports
  refuseUnfocusable(field, point)
  const untouched = append ? contentOf(field) : ''
  const wanted = untouched + text
  let before = fieldCommands(field, { append, point })
  for (const settleMs of SETTLE_MS) {
    await type({ text, before, settleMs, ms: 2 * contentOf(field).length * TEXT_KEY_MS })
    const seen = await heldAfter(ports, field, wanted)
    if (!seen) throw failed('the text was sent but the field is gone, so the result cannot be checked')
    if (holds(seen, wanted)) {
      return submit ? await shell.insist('input keyevent KEYCODE_ENTER', 'ACTION_FAILED') : true
    }
    if (!holds(seen, untouched)) throw failed('the field has a different text than the one typed')
    before = []
  }
  throw failed('the field takes no text from the keyboard helper')
}

/** The screen and the touches of `svc.uiautomator`: by the helper on the device, and by its shell where that is enough. */

import { contentOf, isOnScreen, type Point, type UiNode, type UiTree, walk } from '../../../contracts/device/ui-tree.ts'
import { pause } from '../../../runtime/clock.ts'
import { inSlices, PIECE, type Sliced } from '../../../runtime/yielding.ts'
import type { CallOptions, Link } from '../../link/link.ts'
import type { TextEntry, UiDriver } from '../../screen/driver.ts'
import { StepFailure } from '../../screen/step-failure.ts'
import { shellControls } from '../shell/controls.ts'
import { type DeviceShell, deviceShell, type ShellOptions } from '../shell/device-shell.ts'
import { shellDriver } from '../shell/driver.ts'
import { fieldCommands, refuseUnfocusable, TEXT_KEY_MS, untypableIn } from '../shell/enter-text.ts'
import type { DeviceHelper } from './helper.ts'
import type { KeyboardTyping } from './keyboard.ts'
import { HelperUnavailable } from './prepare-helper.ts'
import { dragPlan, fingersPlan, pinchPlan, swipePlan, type TouchPlan, tapPlan } from './touch-plan.ts'
import { mayHoldChecks } from './tree.ts'

interface TextPorts {
  shell: DeviceShell
  tree(): Promise<UiTree | undefined>
  type(typing: KeyboardTyping): Promise<void>
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
const enterAnyText = async (
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

/** Between two steps it had to be started again, and would not. */
const orUnavailable = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof HelperUnavailable) throw new StepFailure('SERVICE_UNAVAILABLE', error.message)
    throw error
  }
}

/** Some makers let nobody touch anything until a second switch is on, and say so in no other way. */
const refusal = (reason: string) =>
  new StepFailure(
    'GESTURE_FAILED',
    `the device refused the touch: ${reason}; if every touch is refused, switch on "USB debugging (Security settings)"`,
  )

/** True when the tree needs `uiautomator dump`, which shows what the helper leaves out; the two exclude each other. */
const needsDump = async ({ rotation, roots }: UiTree, options: ShellOptions) =>
  rotation !== 0 || (await inSlices(mayHoldChecks(roots), options))

/** One driver per execution, as `shellDriver`. It has no overlay. */
export const uiautomatorDriver = (helper: DeviceHelper, link: Link, options: ShellOptions): UiDriver => {
  const { deadline, signal } = options
  const call: CallOptions = { deadline, signal }
  const shell = deviceShell(link, options)
  const byShell = shellDriver(link, options)
  const touch = async (plan: TouchPlan): Promise<true> => {
    const touched = await orUnavailable(helper.touch(plan, call))
    if (touched.ok) return true
    throw refusal(touched.reason)
  }
  const tap = (point: Point, how: 'default' | 'long_click', holdMs?: number) => touch(tapPlan(point, how, holdMs))
  const tree = async (until = Number.POSITIVE_INFINITY): Promise<UiTree | undefined> => {
    const { clock } = options
    if (clock.now() >= until) return undefined
    const looking = orUnavailable(helper.tree({ ...call, until }))
    if (until >= deadline) return looking
    looking.catch(() => {})
    const seen = new AbortController()
    const late = pause(clock, until - clock.now(), seen.signal).then(() => undefined)
    return await Promise.race([looking, late]).finally(() => seen.abort())
  }

  const completeTree = async (until: number | undefined): Promise<UiTree | undefined> => {
    const seen = await tree(until)
    if (seen && !(await needsDump(seen, options))) return seen
    await helper.stop()
    const dumped = await byShell.tree({ until }).catch((error: unknown) => {
      if (seen && error instanceof StepFailure) return undefined
      throw error
    })
    return dumped ?? seen
  }

  return {
    ...byShell,
    tree: ({ complete = false, until } = {}) => (complete ? completeTree(until) : tree(until)),
    tap,
    click: (node, how, point) => (how === 'focus' ? byShell.click(node, how, point) : tap(point, how)),
    swipe: (start, end, durationMs) => touch(swipePlan(start, end, durationMs)),
    controls: {
      ...shellControls(shell),
      async doubleTap(point) {
        await tap(point, 'default')
        await tap(point, 'default')
      },
      drag: (start, end, times) => touch(dragPlan(start, end, times)),
      pinch: (centre, scale, durationMs) => touch(pinchPlan(centre, scale, durationMs)),
      moveFingers: fingers => touch(fingersPlan(fingers)),
    },
    async enterText(node, text, how) {
      const canType = untypableIn(text) !== undefined && (await orUnavailable(helper.canTypeAnything(call)))
      if (!canType) return byShell.enterText(node, text, how)
      return await enterAnyText({ shell, tree, type: typing => helper.text(typing, shell) }, node, text, how)
    },
  }
}

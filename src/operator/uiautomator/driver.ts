/** The screen and the touches of `svc.uiautomator`: by the helper on the device, and by its shell where that is enough. */
import type { CallOptions, Link } from '../../adb/link.ts'
import { pause } from '../../runtime/clock.ts'
import { inSlices } from '../../runtime/slices.ts'
import type { UiDriver } from '../engine/driver.ts'
import { StepFailure } from '../engine/step-failure.ts'
import type { Point, UiTree } from '../engine/ui-tree.ts'
import { deviceShell, type ShellOptions } from '../shell/device-shell.ts'
import { shellDriver } from '../shell/driver.ts'
import { untypableIn } from '../shell/input-text.ts'
import { HelperUnavailable } from './bring-up.ts'
import { enterAnyText } from './enter-any-text.ts'
import type { DeviceHelper } from './helper.ts'
import { swipePlan, type TouchPlan, tapPlan } from './touch-plan.ts'
import { mayHoldChecks } from './tree.ts'

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
  const tap = (point: Point, how: 'default' | 'long_click') => touch(tapPlan(point, how))
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

  const completeTree = async (): Promise<UiTree | undefined> => {
    const seen = await tree()
    if (seen && !(await needsDump(seen, options))) return seen
    await helper.stop()
    const dumped = await byShell.tree().catch((error: unknown) => {
      if (seen && error instanceof StepFailure) return undefined
      throw error
    })
    return dumped ?? seen
  }

  return {
    ...byShell,
    tree: ({ complete = false, until } = {}) => (complete ? completeTree() : tree(until)),
    tap,
    click: (node, how, point) => (how === 'focus' ? byShell.click(node, how, point) : tap(point, how)),
    swipe: (start, end, durationMs) => touch(swipePlan(start, end, durationMs)),
    async enterText(node, text, how) {
      const canType = untypableIn(text) !== undefined && (await orUnavailable(helper.canTypeAnything(call)))
      if (!canType) return byShell.enterText(node, text, how)
      return await enterAnyText({ shell, tree, type: typing => helper.text(typing, shell) }, node, text, how)
    },
  }
}

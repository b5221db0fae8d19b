/**
 * Performs a step that an operator app does not know: the engine runs here, and the app only takes snapshots and makes the
 * single gestures. Each of these is a segment of its own; together they are one step.
 */

import { type UiNode, type UiTree, walk } from '../../../contracts/device/ui-tree.ts'
import type { Action } from '../../../contracts/executions/action.ts'
import type { StepResult } from '../../../contracts/executions/execution-result.ts'
import { isFailureCode } from '../../../contracts/failures/failures.ts'
import { OUTPUT_BYTES_MAX } from '../../../device/link/link-limits.ts'
import { linkLost } from '../../../device/operators/app/session/log-waits.ts'
import { Undelivered } from '../../../device/operators/perform-over-link.ts'
import { isHostAction, type Segment } from '../../../device/operators/segment.ts'
import { lossOf, type SegmentOutcome } from '../../../device/operators/segment-outcome.ts'
import { coversIn, screenSizeIn } from '../../../device/operators/shell/windows.ts'
import { withPages } from '../../../device/pages/with-pages.ts'
import type { UiDriver } from '../../../device/screen/driver.ts'
import { runSteps } from '../../../device/screen/run.ts'
import { StepFailure } from '../../../device/screen/step-failure.ts'
import { inSlices } from '../../../runtime/yielding.ts'
import type { NextIndex } from '../screens/host-snapshot.ts'
import { locatorOf } from '../screens/resolve-ref.ts'
import { deliver, type ExecutionRun } from './execution-run.ts'

type Untold<T> = T extends Action ? Omit<T, 'id'> : never

interface AppSteps {
  driver: UiDriver
  /** Resolves when the segment that is out has ended. */
  settled(): Promise<void>
}

const appSteps = (run: ExecutionRun, next: NextIndex, id: string, known: UiTree | undefined): AppSteps => {
  const { session, control, clock } = run
  let last = known
  let out: Promise<unknown> = Promise.resolve()
  let hasActed = false
  let mayHaveActed = false

  const perform = async (action: Untold<Action>): Promise<StepResult> => {
    if (control.halt.aborted) throw new Undelivered({ kind: 'unknown', code: 'STOPPED' })
    const wholeAction = { ...action, id } as Action
    const index = next()
    const isLook = action.type === 'snapshot'
    const segment: Segment = isHostAction(wholeAction)
      ? { kind: 'host', index, action: wholeAction }
      : { kind: 'operator', index, actions: [wholeAction], isUnbegun: isLook && !mayHaveActed }
    mayHaveActed ||= !isLook
    const sending = deliver(segment, run, next)
    out = sending.catch(() => {})
    const delivery = await sending
    if (delivery.kind === 'not sent' && 'message' in delivery && hasActed)
      throw new Undelivered(linkLost(delivery.message))
    if (delivery.kind !== 'done') throw new Undelivered(delivery)
    hasActed ||= !isLook
    const { stepResults, error, errorCode } = delivery.part
    const [step] = stepResults
    if (step?.success) return step
    const code = step?.data.error ?? errorCode ?? ''
    const reason = step?.data.message ?? error?.message.replace(/\.$/, '') ?? 'the operator did not say why it failed'
    throw new StepFailure(isFailureCode(code) ? code : 'ACTION_FAILED', reason)
  }
  const done = async (action: Untold<Action>): Promise<true> => {
    await perform(action)
    return true
  }
  const unused = (): never => {
    throw new StepFailure('EXECUTION_ACTION_UNSUPPORTED', 'the operator app performs this action itself')
  }
  /** The matcher that tells the node from all others of the screen that was seen last. */
  const matcherOf = (node: UiNode) => {
    // The app does not see elements of pages.
    if (node.css) return undefined
    for (const found of walk(last?.roots ?? [])) {
      if (found.node === node) return last && locatorOf(last, found).matcher
    }
    return undefined
  }

  const windows = async () => {
    const link = await session.link(control.preparing())
    const call = { ...control.preparing(), maxBytes: OUTPUT_BYTES_MAX.state }
    return (await link.shell('dumpsys window', call)).stdout
  }

  const driver: UiDriver = {
    async tree() {
      const { data } = await perform({ type: 'snapshot' })
      const { signal } = control.halt
      const parsed = await inSlices(session.hierarchies.reading(data.text ?? ''), { clock, signal })
      if (!parsed.ok) {
        throw new StepFailure('SNAPSHOT_HIERARCHY_UNAVAILABLE', `the hierarchy cannot be read: ${parsed.problem}`)
      }
      last = parsed.tree
      return last
    },
    foregroundPackage: async () => (await perform({ type: 'snapshot' })).data.foreground_package ?? '',
    covers: async () => coversIn(await windows()),
    click(node, clickType, point) {
      const matcher = matcherOf(node)
      if (matcher) return done({ type: 'click', params: { matcher, clickType } })
      if (clickType !== 'focus') return done({ type: 'click', params: { coordinate: point, clickType } })
      throw new StepFailure('NODE_NOT_CLICKABLE', 'the focus needs a node that a matcher tells from the others')
    },
    tap(coordinate, clickType, holdMs) {
      if (holdMs === undefined) return done({ type: 'click', params: { coordinate, clickType } })
      // No operator app knows how long to hold: a finger that moves nowhere does it beside the app.
      const place = { coordinate }
      return done({ type: 'drag', params: { from: place, to: place, holdMs: 0, durationMs: holdMs } })
    },
    async screenSize() {
      const size = screenSizeIn(await windows())
      if (size) return size
      throw new StepFailure('GESTURE_FAILED', 'the device does not say how large its screen is')
    },
    swipe: (start, end, durationMs) => done({ type: 'swipe', params: { start, end, durationMs } }),
    async enterText(node, text, { append, submit, point }) {
      const matcher = matcherOf(node)
      const params = { text, append, clear: false, submit }
      if (matcher) return done({ type: 'enter_text', params: { matcher, ...params } })
      if (point) await done({ type: 'click', params: { coordinate: point, clickType: 'default' } })
      return done({ type: 'enter_text', params })
    },
    pressKey: key => done({ type: 'press_key', params: { key } }),
    openApp: unused,
    openUri: unused,
  }
  return { driver, settled: () => out.then(() => {}) }
}

/** With the time of the execution that is left. */
export const performOverApp = async (action: Action, run: ExecutionRun, next: NextIndex): Promise<SegmentOutcome> => {
  const { clock, control, dispatch, matchPattern, random, handover } = run
  const { driver, settled } = appSteps(run, next, action.id, handover?.peek(action))
  try {
    const deadline = clock.now() + dispatch.execution.timeoutMs - control.spentMs()
    const signal = control.halt.signal
    const seeing = withPages(driver, () => run.session.link(control.preparing()), { clock, deadline, signal })
    const options = { driver: seeing, clock, signal, deadline, matchPattern, random, handover }
    return { kind: 'done', part: await runSteps([action], options) }
  } catch (error) {
    // Nothing is answered while the app still works.
    await settled()
    if (control.halt.aborted) return { kind: 'unknown', code: 'STOPPED' }
    if (error instanceof Undelivered) return error.delivery
    return lossOf(error)
  }
}

/** Runs one execution to its answer: its steps in order, in segments, each the way it has to go, up to the first that fails. */

import type { Action } from '../../../contracts/executions/action.ts'
import type { ExecutionResult, StepResult } from '../../../contracts/executions/execution-result.ts'
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import type { AsOwner } from '../../../device/link/interactive.ts'
import type { SegmentResult } from '../../../device/operators/app/wire/merge.ts'
import { cutSegments, lengthOf } from '../../../device/operators/segment.ts'
import {
  refusalOf,
  type SegmentOutcome,
  STOPPED,
  type UndoneSegment,
} from '../../../device/operators/segment-outcome.ts'
import { screenHandover } from '../../../device/screen/screen-handover.ts'
import { endOfSegmentOf } from '../proven.ts'
import { createObserver, type Observer } from '../screens/describe-screen.ts'
import { withNearestApp, withScreenFacts } from '../screens/failure-look.ts'
import {
  answerCancelled,
  answerOverdue,
  answerUndelivered,
  answerUnready,
  answerWithEnvelope,
  type ExecutionProgress,
} from './build-result.ts'
import { createStepGuard, type StepGuard, type StopReason } from './check-step.ts'
import { noteActs, startCrashLook } from './crash-look.ts'
import { deliver, type ExecutionRun } from './execution-run.ts'
import { performOverApp } from './perform-over-app-gestures.ts'

const SCREEN_KEYS: readonly string[] = ['power', 'wakeup', 'sleep', 'soft_sleep']

/** The key switches the screen on or off, whatever its state: a screen that is woken for it would be put out again. */
const switchesScreen = ({ type, params }: Action): boolean => type === 'press_key' && SCREEN_KEYS.includes(params.key)

/** Why nothing can be shown to the device's user now: its screen stays off, or it cannot be asked. */
const notReady = async (
  { session, control, checkInteractive, dispatch }: ExecutionRun,
  guard: StepGuard,
): Promise<StopReason | { kind: 'unready'; error: ErrorObject }> => {
  let ended: StopReason
  const wake: AsOwner = async work => {
    ended = await guard.beforeWake()
    if (!ended) await work()
    return ended === undefined
  }
  try {
    const { actions } = dispatch.execution
    const link = await session.link(control.preparing())
    if (actions.some(switchesScreen)) checkInteractive.forget(link)
    if (actions.every(switchesScreen)) return undefined
    const interactive = await checkInteractive(link, control.preparing(), wake)
    if (actions.some(switchesScreen)) checkInteractive.forget(link)
    return ended ?? (interactive.ok ? undefined : { kind: 'unready', error: interactive.error })
  } catch (error) {
    return { kind: 'undelivered', delivery: refusalOf(error) }
  }
}

/** A snapshot that cannot be put as the caller wants it is a failed step, and ends the list. */
const asShown = async (part: SegmentResult, observer: Observer): Promise<SegmentResult> => {
  const stepResults: StepResult[] = []
  for (const step of part.stepResults) {
    const shownStep = await observer.shown(step)
    stepResults.push(shownStep)
    if (shownStep.success || !step.success) continue
    const { error: code = '', message = '' } = shownStep.data
    const error = { code, message: `Step "${step.id}" (${step.actionType}) failed: ${message}.` }
    return { stepResults, error, errorCode: code }
  }
  return { ...part, stepResults }
}

interface StepsRun {
  run: ExecutionRun
  guard: StepGuard
  parts: SegmentResult[]
  nextIndex: () => number
  observer: Observer
}

const sendSteps = async ({ run, guard, parts, nextIndex, observer }: StepsRun): Promise<StopReason> => {
  const { dispatch, control } = run
  const all = dispatch.execution.actions
  const stepsDone = () => parts.reduce((sum, { stepResults }) => sum + stepResults.length, 0)
  const take = async (delivery: SegmentOutcome, actions: readonly Action[]): Promise<StopReason> => {
    if (delivery.kind !== 'done') return { kind: 'undelivered', delivery }
    const part = guard.withDoubts(await asShown(delivery.part, observer))
    if (part.error !== null) {
      const { stepResults } = part
      const failed = stepResults.find(({ success }) => !success)
      control.reached(stepsDone() + stepResults.filter(({ success }) => success).length)
      return { kind: 'failed', part, action: actions.find(({ id }) => id === failed?.id) }
    }
    parts.push(part)
    control.reached(stepsDone())
    return undefined
  }
  const unlessStopped = async (send: () => Promise<SegmentOutcome>): Promise<SegmentOutcome> =>
    control.halt.aborted ? STOPPED : await send()
  /** Sends as many actions together as one operator takes. */
  const sendTogether = async (actions: readonly Action[]): Promise<StopReason> => {
    for (const segment of cutSegments(actions)) {
      const isShort = actions.length < all.length && stepsDone() + lengthOf(segment) < endOfSegmentOf(all, stepsDone())
      const placed = { ...segment, index: nextIndex(), isListed: true, isShort }
      const ended = await take(await unlessStopped(() => deliver(placed, run, nextIndex)), actions)
      if (ended) return ended
    }
    return undefined
  }
  const begun = await guard.begin()
  if (begun) return begun
  const watched = await observer.begin()
  if (watched.kind === 'undelivered') return watched
  if (watched.kind === 'refused') return { kind: 'refused', result: { ok: false, error: watched.error } }
  let waiting: Action[] = []
  for (const action of all) {
    if (guard.mustWait(action)) {
      const ended = (await sendTogether(waiting)) ?? (await guard.before(action, parts.length === 0))
      if (ended) return ended
      waiting = []
    }
    const ready = guard.withoutRefs(action)
    if (run.operator.understands(ready)) {
      waiting.push(ready)
      continue
    }
    const ended =
      (await sendTogether(waiting)) ??
      (await take(await unlessStopped(() => performOverApp(ready, run, nextIndex)), [ready]))
    if (ended) return ended
    waiting = []
  }
  return await sendTogether(waiting)
}

/** Undefined when there is nobody to answer: the machine has gone on without it, or would not record a dispatch. */
export const runExecution = async (executionRun: ExecutionRun): Promise<ExecutionResult | undefined> => {
  const run = { ...executionRun, handover: screenHandover(executionRun.clock) }
  const { executionId, dispatch, session, control, clock } = run
  const parts: SegmentResult[] = []
  let segments = 0
  const nextIndex = () => segments++
  const progress = (): ExecutionProgress => ({
    executionId,
    dispatch,
    parts,
    dispatchedAt: control.dispatched()?.at ?? clock.now(),
    elapsedMs: control.spentMs(),
  })
  /** The answer for a segment that brought no part; undefined when there is none. */
  const answerWithoutPart = (delivery: UndoneSegment): ExecutionResult | undefined => {
    const isGivenUp = delivery.kind === 'not sent' || delivery.code === 'STOPPED'
    if (control.isOverdue() && control.dispatched() !== undefined && isGivenUp) {
      return answerOverdue(progress(), session.log.lastLines())
    }
    if (control.isCancelled()) return answerCancelled(progress())
    return delivery.code === 'STOPPED' ? undefined : answerUndelivered(delivery, progress())
  }
  const guard = createStepGuard(run, nextIndex)
  const problem = await notReady(run, guard)
  if (control.halt.aborted) return control.isCancelled() ? answerCancelled(progress()) : undefined
  if (problem?.kind === 'unready') return answerUnready(problem.error, progress())
  if (problem?.kind === 'refused') return problem.result
  if (problem?.kind === 'undelivered') return answerWithoutPart(problem.delivery)
  if (!run.operator.usesHelper) await session.helper.stop()
  const observer = createObserver(run, nextIndex)
  const ended = await sendSteps({ run, guard, parts, nextIndex, observer })
  if (!ended) noteActs(run)
  const crash = ended?.kind === 'failed' ? startCrashLook(run) : undefined
  if (ended?.kind === 'refused') return ended.result
  if (ended?.kind === 'undelivered') return answerWithoutPart(ended.delivery)
  // The steps are over, and their results are what was asked for: a look that fails takes nothing of that back.
  const last = ended ? undefined : parts.at(-1)?.stepResults.at(-1)
  const isIdle = last?.actionType === 'wait_for_idle' && last.data.settled === 'true'
  const observed = await observer.end({ isIdle })
  if (control.halt.aborted && dispatch.view?.isObserved && observed === undefined)
    return answerWithoutPart({ kind: 'unknown', code: 'STOPPED' })
  if (ended?.kind === 'failed') {
    const explained = await withNearestApp(run, ended)
    const part = await withScreenFacts(run, nextIndex, { ...ended, part: explained }, observer.seen())
    parts.push((await crash?.addTo(part)) ?? part)
  }
  return answerWithEnvelope(progress(), observed)
}

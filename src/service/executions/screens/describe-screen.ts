/** Shows the screen of an execution: its snapshots in compact lines, and the screen after its steps. */

import type { ObservedScreen } from '../../../contracts/device/screen.ts'
import type { StepResult } from '../../../contracts/executions/execution-result.ts'
import { readRef, refsOf } from '../../../contracts/executions/matcher.ts'
import { RECEIPTS_HINT } from '../../../contracts/executions/receipt.ts'
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import {
  LOOK_PAUSE_MS,
  OBSERVE_LOOKS_MS,
  OBSERVE_MS,
  OBSERVE_SLOW_LOOK_MS,
  OBSERVE_STILL_MS,
  REF_LOOK_MS,
} from '../../../contracts/limits/limits.ts'
import type { UndoneSegment } from '../../../device/operators/segment-outcome.ts'
import { pause } from '../../../runtime/clock.ts'
import { OBSERVATION } from '../../policy/evaluate-policy.ts'
import { type Denial, denialOf } from '../../policy/refuse.ts'
import { foregroundPackage, refusedInForeground } from '../run/check-step.ts'
import type { ExecutionRun } from '../run/execution-run.ts'
import { compactText, differenceText, type NumberedScreen } from './compact-lines.ts'
import { type HostSnapshot, type NextIndex, readSnapshotStep, retrySnapshot, takeSnapshot } from './host-snapshot.ts'
import type { Screen } from './screen.ts'

/** The screen that a difference is told from, and how the caller knows it. */
interface Baseline {
  name: string
  screen: Screen
}

const isSame = (a: Screen, b: Screen) => JSON.stringify(a) === JSON.stringify(b)

const timeLeft = ({ dispatch, control }: ExecutionRun) => dispatch.execution.timeoutMs - control.spentMs()

/**
 * Until two looks in a row agree, for what an action starts takes a moment to show; a screen that stays as it was is given
 * a little longer to change, unless the steps have waited for that. No longer than the limits say, and than the execution
 * has time.
 */
const settledScreen = async (run: ExecutionRun, next: NextIndex, before: Screen | undefined): Promise<HostSnapshot> => {
  const { clock, control } = run
  const began = clock.elapsed()
  let last: HostSnapshot | undefined
  for (;;) {
    const askedAt = clock.elapsed()
    const looked = await takeSnapshot(run, next)
    if (looked.kind !== 'seen' && looked.kind !== 'unseen') return last?.kind === 'seen' ? last : looked
    const [spentMs, lookMs] = [clock.elapsed() - began, clock.elapsed() - askedAt]
    if (looked.kind === 'seen') {
      const isStill = lookMs > OBSERVE_SLOW_LOOK_MS || (last?.kind === 'seen' && isSame(last.screen, looked.screen))
      const hasChanged = !before || !isSame(before, looked.screen)
      if (isStill && (hasChanged || spentMs >= OBSERVE_STILL_MS || lookMs > OBSERVE_SLOW_LOOK_MS)) return looked
    }
    if (spentMs >= OBSERVE_MS || timeLeft(run) <= LOOK_PAUSE_MS + lookMs) return looked
    last = looked
    await pause(clock, LOOK_PAUSE_MS, control.halt.signal)
  }
}

const unseen = (problem: string): ObservedScreen => ({ text: `screen ? (not seen: ${problem})` })

/** Undefined when the machine wants no more of the execution. */
const describeScreen = async (
  run: ExecutionRun,
  next: NextIndex,
  device: string,
  { baseline, isIdle }: { baseline: Baseline | undefined; isIdle: boolean },
): Promise<{ observed: ObservedScreen; numbered?: NumberedScreen } | undefined> => {
  const { clock, control, screens, executionId } = run
  const ms = Math.min(OBSERVE_LOOKS_MS, timeLeft(run))
  if (ms <= LOOK_PAUSE_MS) return { observed: unseen('the time of the execution was over') }
  const late: HostSnapshot = { kind: 'unseen', problem: `the screen could not be read within ${ms} ms` }
  const looked = await Promise.race([
    settledScreen(run, next, isIdle ? undefined : baseline?.screen),
    pause(clock, ms, control.halt.signal).then(() => late),
  ])
  if (('code' in looked && looked.code === 'STOPPED') || control.halt.aborted) return undefined
  if (looked.kind === 'unseen') return { observed: unseen(looked.problem) }
  if (looked.kind !== 'seen') return { observed: unseen('the device did not answer the look') }
  const numbered = await screens.remember(device, looked.screen, executionId)
  const text = baseline ? differenceText(baseline.screen, numbered, baseline.name) : compactText(numbered)
  return { observed: { screen: numbered.number, text }, numbered }
}

/** A snapshot step in compact lines, or the failed step that it is when its hierarchy cannot be read. */
const compactStep = async (
  step: StepResult,
  run: ExecutionRun,
  device: string,
  since: Baseline | undefined,
): Promise<StepResult> => {
  if (step.actionType !== 'snapshot' || !step.success) return step
  const read = await readSnapshotStep(step, run)
  if (!read.ok) {
    return { ...step, success: false, data: { error: 'SNAPSHOT_HIERARCHY_UNAVAILABLE', message: read.problem } }
  }
  const numbered = await run.screens.remember(device, read.screen, run.executionId)
  const text = since ? differenceText(since.screen, numbered, since.name) : compactText(numbered)
  const { text: _, ...data } = step.data
  return { ...step, data: { text, ...data, format: 'compact', screen: String(numbered.number) } }
}

type BaselineLookup = { ok: true; baseline: Baseline } | { ok: false; error: ErrorObject }

const refused = (message: string, executionId: string): BaselineLookup => ({
  ok: false,
  error: failure('EXECUTION_VALIDATION_FAILED', message, {
    details: { executionId, dispatched: false },
    hint: 'Name in since an execution on the same device that took a snapshot or was observed.',
  }),
})

/** The last screen that the execution showed. */
const screenSince = async (since: string, device: string, run: ExecutionRun): Promise<BaselineLookup> => {
  const { screens, dispatch, executionId } = run
  const receipt = screens.receipt(since)
  if (!receipt) {
    const error = failure('EXECUTION_NOT_FOUND', `since: no receipt has the id ${since}.`, {
      details: { since, executionId, dispatched: false },
      hint: RECEIPTS_HINT,
    })
    return { ok: false, error }
  }
  if (receipt.deviceId !== dispatch.serial) {
    return refused(`since: execution ${since} was on the device ${receipt.deviceId}.`, executionId)
  }
  const result = receipt.result?.ok ? receipt.result : undefined
  const step = result?.envelope.stepResults.findLast(({ actionType, success }) => actionType === 'snapshot' && success)
  const number = result?.observed?.screen ?? (step?.data.format === 'compact' ? Number(step.data.screen) : undefined)
  if (number !== undefined) {
    const screen = screens.recall(device, number)
    if (screen) return { ok: true, baseline: { name: String(number), screen } }
    return refused(`since: screen ${number} of execution ${since} is not on record any more.`, executionId)
  }
  if (!step) return refused(`since: execution ${since} shows no screen.`, executionId)
  const read = await readSnapshotStep(step, run)
  if (!read.ok) return refused(`since: the snapshot of execution ${since} is unreadable: ${read.problem}.`, executionId)
  return { ok: true, baseline: { name: since, screen: read.screen } }
}

type ObserverStart =
  | { kind: 'begun' }
  | { kind: 'refused'; error: ErrorObject }
  | { kind: 'undelivered'; delivery: UndoneSegment }

export interface Observer {
  /** Finds the screen that differences are told from: that of `since`, that of the first ref, else the one before the steps. */
  begin(): Promise<ObserverStart>
  /** A step as the caller wants it. */
  shown(step: StepResult): Promise<StepResult>
  /** Undefined for a caller who did not ask, and when nobody wants the answer any more. `isIdle`: the screen was still at last. */
  end(steps: { isIdle: boolean }): Promise<ObservedScreen | undefined>
  /** The screen that `end` has shown. */
  seen(): NumberedScreen | undefined
}

export const createObserver = (run: ExecutionRun, next: NextIndex): Observer => {
  const { dispatch, screens, executionId, session, control } = run
  const { view, execution, inFront } = dispatch
  let since: Baseline | undefined
  let baseline: Baseline | undefined
  let shownLast: NumberedScreen | undefined

  const screenOfRef = (device: string): Baseline | undefined => {
    const [first] = execution.actions.flatMap(refsOf)
    if (!first) return undefined
    const { screen: number } = readRef(first.ref)
    const screen = screens.recall(device, number)
    return screen && { name: String(number), screen }
  }

  /** The denial when the policy does not let the caller see the application in front. */
  const hiding = async (): Promise<Denial | undefined> => {
    if (!inFront) return undefined
    const front = await foregroundPackage(session, control).catch(() => '')
    const refused = refusedInForeground([OBSERVATION], front, inFront)
    return refused && denialOf(refused.verdict, refused.facts)
  }

  return {
    async begin() {
      if (!view) return { kind: 'begun' }
      const { device, isObserved } = view
      if (view.since !== undefined) {
        const found = await screenSince(view.since, device, run)
        if (!found.ok) return { kind: 'refused', error: found.error }
        since = found.baseline
      }
      if (!isObserved) return { kind: 'begun' }
      baseline = since ?? screenOfRef(device)
      if (baseline || (await hiding())) return { kind: 'begun' }
      const looked = await retrySnapshot(run, next, { withinMs: REF_LOOK_MS, isUnbegun: true })
      if (looked.kind === 'unseen') return { kind: 'begun' }
      if (looked.kind !== 'seen') return { kind: 'undelivered', delivery: looked }
      const { number, screen } = await screens.remember(device, looked.screen, executionId)
      baseline = { name: String(number), screen }
      return { kind: 'begun' }
    },
    shown: step => (view?.isCompact ? compactStep(step, run, view.device, since) : Promise.resolve(step)),
    async end({ isIdle }) {
      if (!view?.isObserved) return undefined
      const hidden = await hiding()
      if (!hidden) {
        const described = await describeScreen(run, next, view.device, { baseline, isIdle })
        shownLast = described?.numbered
        return described?.observed
      }
      await run.recordDenial(hidden, { commandId: execution.commandId, executionId })
      return { text: `screen ? (not shown: the rule "${hidden.details.rule}" of the policy denies it)` }
    },
    seen: () => shownLast,
  }
}

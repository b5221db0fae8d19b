/** Shows the screen of an execution: its snapshots in compact lines, and the screen after its steps. */

import type { ErrorObject } from '../../contracts/error.ts'
import type { StepResult } from '../../contracts/execution-result.ts'
import { failure } from '../../contracts/failures.ts'
import { REF_LOOK_MS } from '../../contracts/limits.ts'
import { readRef, refsOf } from '../../contracts/matcher.ts'
import type { ObservedScreen } from '../../contracts/screen.ts'
import { OBSERVATION } from '../../policy/contained-acts.ts'
import { type Denial, denialOf } from '../../policy/refuse.ts'
import type { Delivery, ExecutionRun } from '../delivery.ts'
import { foregroundPackage, refusedInForeground } from '../foreground-policy.ts'
import { type Baseline, compactStep, describeScreen } from './describe-screen.ts'
import { type NextIndex, readSnapshotStep, retrySnapshot } from './host-snapshot.ts'

type BaselineLookup = { ok: true; baseline: Baseline } | { ok: false; error: ErrorObject }

const refused = (message: string, executionId: string): BaselineLookup => ({
  ok: false,
  error: failure('EXECUTION_VALIDATION_FAILED', message, {
    details: { executionId, dispatched: false },
    hint: 'since names an execution with a snapshot, or one that was observed, on the same device',
  }),
})

/** The last screen that the execution showed. */
const screenSince = async (since: string, device: string, run: ExecutionRun): Promise<BaselineLookup> => {
  const { screens, job, executionId } = run
  const receipt = screens.receipt(since)
  if (!receipt) {
    const error = failure('EXECUTION_NOT_FOUND', `since: no receipt has the id ${since}.`, {
      details: { since, executionId, dispatched: false },
    })
    return { ok: false, error }
  }
  if (receipt.deviceId !== job.serial) {
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

export type ObserverStart =
  | { kind: 'begun' }
  | { kind: 'refused'; error: ErrorObject }
  | { kind: 'undelivered'; delivery: Exclude<Delivery, { kind: 'part' }> }

export interface Observer {
  /** Finds the screen that differences are told from: that of `since`, that of the first ref, else the one before the steps. */
  begin(): Promise<ObserverStart>
  /** A step as the caller wants it. */
  shown(step: StepResult): Promise<StepResult>
  /** Undefined for a caller who did not ask, and when nobody wants the answer any more. */
  end(): Promise<ObservedScreen | undefined>
}

export const createObserver = (run: ExecutionRun, next: NextIndex): Observer => {
  const { job, screens, executionId, session, control } = run
  const { view, execution, inFront } = job
  let since: Baseline | undefined
  let baseline: Baseline | undefined

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
      const looked = await retrySnapshot(run, next, { withinMs: REF_LOOK_MS })
      if (looked.kind === 'unseen') return { kind: 'begun' }
      if (looked.kind !== 'seen') return { kind: 'undelivered', delivery: looked }
      const { number, screen } = await screens.remember(device, looked.screen, executionId)
      baseline = { name: String(number), screen }
      return { kind: 'begun' }
    },
    shown: step => (view?.isCompact ? compactStep(step, run, view.device, since) : Promise.resolve(step)),
    async end() {
      if (!view?.isObserved) return undefined
      const hidden = await hiding()
      if (!hidden) return describeScreen(run, next, view.device, baseline)
      await run.recordDenial(hidden, { commandId: execution.commandId, executionId })
      return { text: `screen ? (not shown: the rule "${hidden.details.rule}" of the policy denies it)` }
    },
  }
}

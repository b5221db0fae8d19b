/** Shows the screen of an execution: its snapshots in compact lines, and the screen after its steps. */

import type { ErrorObject } from '../../contracts/error.ts'
import type { StepResult } from '../../contracts/execution-result.ts'
import { REF_LOOK_MS } from '../../contracts/limits.ts'
import { readRef, refsOf } from '../../contracts/matcher.ts'
import type { Observed } from '../../contracts/screen.ts'
import { OBSERVATION } from '../../policy/contained.ts'
import { type Denial, denial } from '../../policy/denial.ts'
import type { Delivery, ExecutionRun } from '../delivery.ts'
import { packageInFront, refusedInFront } from '../in-front.ts'
import { lookFor, type NextIndex } from './look.ts'
import { type Baseline, compactStep, observe } from './observe.ts'
import { screenSince } from './since.ts'

export type Began =
  | { kind: 'begun' }
  | { kind: 'refused'; error: ErrorObject }
  | { kind: 'undelivered'; delivery: Exclude<Delivery, { kind: 'part' }> }

export interface Observer {
  /** Finds the screen that differences are told from: that of `since`, that of the first ref, else the one before the steps. */
  begin(): Promise<Began>
  /** A step as the caller wants it. */
  shown(step: StepResult): Promise<StepResult>
  /** Undefined for a caller who did not ask, and when nobody wants the answer any more. */
  end(): Promise<Observed | undefined>
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
    const front = await packageInFront(session, control).catch(() => '')
    const refused = refusedInFront([OBSERVATION], front, inFront)
    return refused && denial(refused.verdict, refused.facts)
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
      const looked = await lookFor(run, next, { withinMs: REF_LOOK_MS })
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
      if (!hidden) return observe(run, next, view.device, baseline)
      await run.recordDenial(hidden, { commandId: execution.commandId, executionId })
      return { text: `screen ? (not shown: the rule "${hidden.details.rule}" of the policy denies it)` }
    },
  }
}

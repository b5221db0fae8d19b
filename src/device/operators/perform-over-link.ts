/** The host performs steps over the link, once it is on record that their segment leaves. */

import { isSafeToRepeat } from '../../contracts/actions/cards.ts'
import type { Action } from '../../contracts/executions/action.ts'
import { type Link, LinkError } from '../link/link.ts'
import { withPages } from '../pages/with-pages.ts'
import type { UiDriver } from '../screen/driver.ts'
import { runSteps, type StepsOutcome } from '../screen/run.ts'
import { StepFailure } from '../screen/step-failure.ts'
import {
  lossOf,
  type RefusedSegment,
  refusalOf,
  type SegmentOutcome,
  STOPPED,
  type UndoneSegment,
} from './segment-outcome.ts'
import type { DispatchGate, SegmentRun } from './segment-run.ts'
import type { ShellOptions } from './shell/device-shell.ts'

/** The eyes and hands of the host, for the screen as an operator sees it. */
export interface HostHands {
  driver(link: Link, options: ShellOptions): UiDriver
  /** Asked before the first step of a segment: the refusal, where none can begin. */
  refusal?(options: ShellOptions): Promise<RefusedSegment | undefined>
}

interface LinkWork {
  link: Link
  /** When the time of the execution is over. */
  deadline: number
}

/** A step has sent a segment of its own that brought no part: what became of it becomes of the step's segment. */
export class Undelivered extends Error {
  readonly delivery: UndoneSegment

  constructor(delivery: UndoneSegment) {
    super(delivery.kind)
    this.name = 'Undelivered'
    this.delivery = delivery
  }
}

/** Why the host stopped performing: it was told to, the time was over, or the device is gone. */
const broken = (error: unknown, control: DispatchGate, isOver: boolean): SegmentOutcome => {
  if (control.halt.aborted) return { kind: 'unknown', code: 'STOPPED' }
  if (error instanceof Undelivered) return error.delivery
  if (isOver && error instanceof LinkError && error.code === 'LINK_TIMEOUT')
    return { kind: 'unknown', code: 'RESULT_ENVELOPE_TIMEOUT', lastLogLines: [] }
  return lossOf(error)
}

export const workOverLink = async (
  index: number,
  { session, control, clock, dispatch }: SegmentRun,
  perform: (on: LinkWork) => Promise<StepsOutcome | RefusedSegment>,
  { isStepped = false } = {},
): Promise<SegmentOutcome> => {
  const link = await session.link(control.preparing()).catch(refusalOf)
  if ('kind' in link) return control.halt.aborted ? STOPPED : link
  const undispatched = await control.dispatch(index, { isStepped })
  if (undispatched) return undispatched
  const leftMs = dispatch.execution.timeoutMs - control.spentMs()
  const begun = clock.elapsed()
  const deadline = clock.now() + leftMs
  try {
    const outcome = await perform({ link, deadline })
    return 'kind' in outcome ? outcome : { kind: 'done', part: outcome }
  } catch (error) {
    return broken(error, control, clock.elapsed() - begun >= leftMs)
  }
}

/** A segment has many calls, and between two of them the phone may change its owner. */
export const mayActBy = (control: DispatchGate) => () => {
  const fenced = control.fenced()
  if (fenced) throw new StepFailure('FLEET_HOST_GONE', fenced.message.replace(/\.$/, ''))
}

export const performSteps = (
  actions: readonly Action[],
  index: number,
  run: SegmentRun,
  hands: HostHands,
): Promise<SegmentOutcome> => {
  const { clock, control, matchPattern, handover, random } = run
  return workOverLink(
    index,
    run,
    async ({ link, deadline }) => {
      const options = { clock, deadline, signal: control.halt.signal }
      const refused = hands.refusal && (await hands.refusal(options))
      if (refused) return refused
      const driver = withPages(hands.driver(link, options), link, options)
      const acts = (step: number) => actions[step] !== undefined && !isSafeToRepeat(actions[step].type)
      // The end of the last one is recorded with what the segment has brought.
      const onStepEnd = (step: number, success: boolean) =>
        step < actions.length - 1 && (acts(step) || acts(step + 1)) ? control.stepped(step, success) : undefined
      return await runSteps(actions, {
        ...options,
        driver,
        mayAct: mayActBy(control),
        matchPattern,
        handover,
        random,
        onStepEnd,
      })
    },
    { isStepped: actions.length > 1 },
  )
}

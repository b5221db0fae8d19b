/** Runs the steps of an execution in order over a driver, up to the first that fails. */

import type { ParamsOf } from '../../contracts/actions/card.ts'
import type { UiTree } from '../../contracts/device/ui-tree.ts'
import type { Action, ActionType } from '../../contracts/executions/action.ts'
import type { StepResult } from '../../contracts/executions/execution-result.ts'
import type { FailureCode } from '../../contracts/failures/failures.ts'
import type { Clock } from '../../runtime/clock.ts'
import { performerOf } from '../steps/performers.ts'
import type { StepContext } from './context.ts'
import { guardedDriver, type UiDriver } from './driver.ts'
import { type MatchPattern, matchHere } from './patterns/pattern.ts'
import { type ScreenHandover, screenHandover } from './screen-handover.ts'
import { StepFailure } from './step-failure.ts'

const performTyped = async <T extends ActionType>(type: T, params: ParamsOf[T], context: StepContext) => {
  const performer = performerOf(type)
  if (performer?.screen) return await performer.screen(params, context)
  const problem = performer
    ? 'only the host can perform this action'
    : `this operator does not support the action ${type}`
  throw new StepFailure('EXECUTION_ACTION_UNSUPPORTED', problem)
}

export interface RunOptions {
  driver: UiDriver
  clock: Clock
  /** Ends the run at once: nothing more is asked of the driver, and the promise rejects with the reason. */
  signal: AbortSignal
  /** Asked before each call of the driver: throws a StepFailure when this host may no longer act on the phone. */
  mayAct?: () => void
  /** Between the runs of one execution. */
  handover?: ScreenHandover | undefined
  /** Matches the patterns of callers; in this thread unless told otherwise. */
  matchPattern?: MatchPattern
  /** From 0 to below 1; spreads the delays of retries. */
  random: () => number
  /** When the time of the execution is over, in epoch ms. A step that is not done by then fails with its own code. */
  deadline?: number
  /** Called when a step has ended, by its index in the list; the next begins once what it returns has resolved. */
  onStepEnd?: ((step: number, success: boolean) => unknown) | undefined
}

interface StepsError {
  code: FailureCode
  message: string
  details?: Record<string, unknown>
  hint?: string
}

export interface StepsOutcome {
  /** The results of the steps that ran; the last one is the failed one, if any. */
  stepResults: StepResult[]
  error: StepsError | null
  /** The screen as the failed step saw it last, if it looked. */
  tree?: UiTree | undefined
}

type Named = Pick<Action, 'id' | 'type'>

export const succeeded = ({ id, type }: Named, data: Record<string, string>): StepResult => ({
  id,
  actionType: type,
  success: true,
  data,
})

export const failed = (
  { id, type }: Named,
  { code, message, data, hint }: StepFailure,
): StepsOutcome & { error: StepsError } => ({
  stepResults: [{ id, actionType: type, success: false, data: { ...data, error: code, message } }],
  error: {
    code,
    message: `Step "${id}" (${type}) failed: ${message.replace(/\.$/, '')}.`,
    details: { actionId: id, actionType: type },
    ...(hint === undefined ? {} : { hint }),
  },
})

const isVisibleWait = ({ type, params }: Action): boolean => type === 'wait_for_node' && params.state !== 'gone'

const runStep = async (action: Action, context: StepContext) => {
  if (context.clock.now() >= context.deadline) {
    throw new StepFailure('ACTION_FAILED', 'the execution timed out before the step began')
  }
  return await performTyped(action.type, action.params, context)
}

/** Rejects when the signal aborts, and with whatever else than a StepFailure the driver throws. */
export const runSteps = async (actions: readonly Action[], options: RunOptions): Promise<StepsOutcome> => {
  const { clock, signal, random, matchPattern = matchHere, deadline = Number.POSITIVE_INFINITY } = options
  const { handover = screenHandover(clock), onStepEnd } = options
  const guarded = guardedDriver(options.driver, signal, options.mayAct)
  let seen: UiTree | undefined
  let known: UiTree | undefined
  const driver: UiDriver = {
    ...guarded,
    async tree(how) {
      seen = known ?? (await guarded.tree(how))
      known = undefined
      return seen
    },
  }
  const context: StepContext = { driver, clock, signal, random, matchPattern, deadline }
  const stepResults: StepResult[] = []
  for (const [index, action] of actions.entries()) {
    signal.throwIfAborted()
    seen = undefined
    known = handover.peek(action)
    handover.drop()
    try {
      stepResults.push(succeeded(action, await runStep(action, context)))
      if (isVisibleWait(action) && seen) handover.give(action, seen)
    } catch (error) {
      if (!(error instanceof StepFailure)) throw error
      const outcome = failed(action, error)
      if (onStepEnd) await onStepEnd(index, false)
      return { stepResults: [...stepResults, ...outcome.stepResults], error: outcome.error, tree: seen }
    }
    if (onStepEnd) await onStepEnd(index, true)
  }
  return { stepResults, error: null }
}

/** Runs one step of an execution over the link, whichever operator does the rest. */

import type { ParamsOf } from '../../contracts/actions/card.ts'
import type { Action, ActionType } from '../../contracts/executions/action.ts'
import { failed, type StepsOutcome, succeeded } from '../screen/run.ts'
import { StepFailure } from '../screen/step-failure.ts'
import type { HostStepOptions } from './performer.ts'
import { performerOf } from './performers.ts'

const perform = async <T extends ActionType>(type: T, params: ParamsOf[T], options: HostStepOptions) => {
  const link = performerOf(type)?.link
  if (!link) throw new StepFailure('EXECUTION_ACTION_UNSUPPORTED', `the host does not perform the action ${type}`)
  return await link(params, options)
}

/** One result, in the shape of `runSteps`. Rejects when the link fails or the signal aborts. */
export const runHostStep = async (action: Action, options: HostStepOptions): Promise<StepsOutcome> => {
  options.signal.throwIfAborted()
  try {
    return { stepResults: [succeeded(action, await perform(action.type, action.params, options))], error: null }
  } catch (error) {
    if (error instanceof StepFailure) return failed(action, error)
    throw error
  }
}

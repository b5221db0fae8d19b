/** A flat command: flags and arguments like any command, and the one action that a call of it stands for. */
import { type Draft, flatExecution } from '../../executions/flat-actions.ts'
import { PLAN_FLAGS } from '../../executions/plan.ts'
import { type Command, type CommandError, type Given, usage } from '../command.ts'
import { runDeviceCommand } from '../device-command.ts'
import { OBSERVE_FLAG } from '../view.ts'
import { executionTimeout } from './numbers.ts'

export interface FlatCommand extends Omit<Command, 'run' | 'shape'> {
  shape: string
  draft(given: Given): Draft
}

/** Still to be validated: its values are the caller's. `now` in epoch milliseconds. */
export const flatPayload = ({ path, draft }: FlatCommand, given: Given, { now }: { now: number }) => {
  const { timeoutMs = executionTimeout(given), ...action } = draft(given)
  return flatExecution(path.join('-'), { ...action, timeoutMs }, { origin: 'cli', now })
}

export const commandOf = (flat: FlatCommand): Command => {
  const { draft: _, flags = [], ...rest } = flat
  return {
    ...rest,
    flags: [...flags, OBSERVE_FLAG, ...PLAN_FLAGS],
    run: async call => runDeviceCommand('flat', flatPayload(flat, call, { now: call.clock.now() }), call),
  }
}

/** A usage error that ends with the shape of the command. */
export const misuse = ({ shape }: Pick<FlatCommand, 'shape'>, problem: string, hint?: string): CommandError =>
  usage(`${problem}: ${shape}`, { hint })

/** Undefined for a switch that is off, so that the default of the action stands. */
export const switched = (given: Given, flag: string): true | undefined => (given.isOn(flag) ? true : undefined)

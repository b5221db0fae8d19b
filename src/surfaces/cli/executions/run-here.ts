/** An execution in this process: planned or run, and what the device answered. */
import { plannedOutput, planWarnings } from '../../../service/executions/plan.ts'
import { validateExecution } from '../../../service/executions/validate.ts'
import type { InputOf } from '../../../service/service.ts'
import type { CommandContext, CommandResult } from '../command.ts'
import { deviceOf, namedOperator, requestOptions } from './execution-command.ts'

/** No device is touched and no service is loaded when only a plan is asked for, or the payload is invalid. */
export const runHere = async (
  payload: unknown,
  call: CommandContext,
  { isRerun = false } = {},
): Promise<CommandResult> => {
  const [deviceId, operatorPackage] = [deviceOf(call), namedOperator(call)]
  const validation = validateExecution(payload)
  if (!validation.ok) return { ok: false, output: validation.error }
  const modes = { validateOnly: call.isOn('validate-only'), dryRun: call.isOn('dry-run') }
  const planned = plannedOutput(validation.execution, modes)
  if (planned !== undefined) {
    for (const warning of planWarnings(validation.execution)) call.log.warn(warning)
    return { ok: true, output: planned }
  }
  const input = {
    execution: payload,
    ...(deviceId === undefined ? {} : { deviceId }),
    ...(operatorPackage === undefined ? {} : { operatorPackage }),
    // The phone may still be at work on the one whose answer was lost.
    ...(isRerun ? { waitMs: validation.execution.timeoutMs } : {}),
    ...requestOptions(call),
  } as InputOf<'execute'>
  const { runFollowed } = await import('./follow-execution.ts')
  return runFollowed(call, (service, options) => service.execute(input, options))
}

/** An execution in this process: judged, then planned or run, and what the device answered. */
import { skillRunIn } from '../contracts/ids.ts'
import { plannedOutput } from '../executions/plan.ts'
import { validateExecution } from '../executions/validate.ts'
import type { Call, CommandResult } from './command.ts'
import { deviceOf } from './device.ts'
import { executionOutput } from './execution-output.ts'
import { namedOperator } from './operator-package.ts'
import { viewOf } from './view.ts'

/** Nothing is loaded and no device is touched when only a plan is asked for. */
export const runHere = async (payload: unknown, call: Call): Promise<CommandResult> => {
  const validation = validateExecution(payload)
  if (!validation.ok) return { ok: false, output: validation.error }
  const { execution } = validation
  const operatorPackage = namedOperator(call)
  const asked = { validateOnly: call.isOn('validate-only'), dryRun: call.isOn('dry-run') }
  const planned = plannedOutput(execution, asked)
  if (planned !== undefined) return { ok: true, output: planned }

  const { runFollowed } = await import('./follow-execution.ts')
  const { result } = await runFollowed(call, {
    execution,
    operatorPackage,
    deviceId: deviceOf(call),
    skillRunId: skillRunIn(call.env),
    view: viewOf(call),
  })
  return executionOutput(result)
}

/** What every command does that runs an execution: judge it, plan it or run it, and print what the device answered. */
import { plannedOutput } from '../executions/plan.ts'
import { validateExecution } from '../executions/validate.ts'
import type { Call, Outcome } from './command.ts'
import { operatorPackageOf } from './operator-package.ts'

/** `payload` is the caller's. Nothing is loaded and no device is touched when only a plan is asked for. */
export const runDeviceCommand = async (payload: unknown, call: Call): Promise<Outcome> => {
  const validation = validateExecution(payload)
  if (!validation.ok) return { ok: false, output: validation.error }
  const { execution } = validation
  const operatorPackage = operatorPackageOf(call)
  const asked = { validateOnly: call.isOn('validate-only'), dryRun: call.isOn('dry-run') }
  const planned = plannedOutput(execution, asked)
  if (planned !== undefined) return { ok: true, output: planned }

  const { runFollowed } = await import('./follow-execution.ts')
  const { result } = await runFollowed(call, { execution, operatorPackage, deviceId: call.text('device') })
  if (!result.ok) return { ok: false, output: result.error }
  const { envelope, deviceId, terminalSource } = result
  return {
    ok: envelope.status === 'success',
    output: { envelope, deviceId, terminalSource, isCanonicalTerminal: true },
  }
}

/** The frame of every command that runs an execution: plan it, hand it to the fleet or the daemon, or run it here. */
import type { CommandKind } from '../contracts/events/dispatch.ts'
import type { Call, CommandResult } from './command.ts'
import { deviceOf } from './execution-flags.ts'
import { concernsFleet } from './fleet/concerns-fleet.ts'
import { throughDaemon } from './through-daemon.ts'

const fleetFor = async (payload: unknown, call: Call): Promise<CommandResult | undefined> => {
  const device = deviceOf(call)
  if (!concernsFleet(call.env, device)) return undefined
  return (await import('./fleet/execution.ts')).executeInFleet(payload, device, call)
}

/** `payload` is the caller's, and validated where it runs. A plan is made here, without daemon or device. */
export const runDeviceCommand = async (kind: CommandKind, payload: unknown, call: Call): Promise<CommandResult> => {
  const isPlan = call.isOn('validate-only') || call.isOn('dry-run')
  if (!isPlan) {
    const outcome = (await fleetFor(payload, call)) ?? (await throughDaemon(kind, payload, call))
    if (outcome) return outcome
  }
  const { runHere } = await import('./run-here.ts')
  return runHere(payload, call)
}

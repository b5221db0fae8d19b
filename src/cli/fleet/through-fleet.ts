/** A command that runs an execution, on its way through a fleet: tried before the daemon is. */
import type { Call, CommandResult } from '../command.ts'
import { goesToFleet } from './goes-to-fleet.ts'

export interface FleetCommand {
  /** The body of POST /execute, or of the request to `path`. */
  payload: unknown
  device: string | undefined
  path?: string | undefined
}

/** Undefined when it is for this machine. */
export const throughFleet = async (command: FleetCommand, call: Call): Promise<CommandResult | undefined> => {
  const { device } = command
  if (!(await goesToFleet(call, device))) return undefined
  return (await import('./execute.ts')).executeInFleet(command, call)
}

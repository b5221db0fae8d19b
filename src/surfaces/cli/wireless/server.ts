/** The adb server as the commands about the network ask it. */

import { failure } from '../../../contracts/failures/failures.ts'
import type { ServerRequests } from '../../../device/link/links.ts'
import { type CommandContext, CommandError } from '../command.ts'

export const serverOf = async (call: CommandContext): Promise<ServerRequests> => {
  const server = (await call.services()).links().server?.()
  if (server) return server
  const { code, message } = failure('ADB_SERVER_FAILED', 'These devices are reached without an adb server.')
  throw new CommandError('ADB_SERVER_FAILED', message, { details: { code } })
}

export const within = ({ clock, signal }: CommandContext, ms: number) => ({ deadline: clock.now() + ms, signal })

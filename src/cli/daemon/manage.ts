/** Starts, stops and queries the daemon for a command. */
import { manageDaemon } from '../../daemon/manage/manage.ts'
import type { DaemonRequest, Managed } from '../../daemon/manage/request.ts'
import type { Call } from '../command.ts'

export const manage = async (request: Omit<DaemonRequest, 'signal'>, call: Call): Promise<Managed> => {
  const { env, log, signal } = call
  const { home, clock, ids, journal } = await call.services()
  const program = { path: process.execPath, args: [process.argv[1] ?? ''], env }
  return manageDaemon({ ...request, signal }, { home, clock, ids, journal, program, note: log.warn })
}

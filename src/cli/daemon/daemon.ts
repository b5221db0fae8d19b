/** The daemon as commands ask about it: one request to whoever starts and ends daemons, with what it takes to answer it. */
import { cancelThere, daemonOf } from '../../daemon/manage/ask-owner.ts'
import { manageDaemon } from '../../daemon/manage/manage.ts'
import type { DaemonRequest, Managed } from '../../daemon/manage/request.ts'
import type { Call } from '../command.ts'

export const manage = async (request: Omit<DaemonRequest, 'signal'>, call: Call): Promise<Managed> => {
  const { env, log, signal } = call
  const { home, clock, ids, journal } = await call.services()
  const program = { path: process.execPath, args: [process.argv[1] ?? ''], env }
  return manageDaemon({ ...request, signal }, { home, clock, ids, journal, program, note: log.warn })
}

/** What the daemon that is this process answers to a cancellation; undefined when it is none, or silent. */
export const cancelAt = async (pid: number, executionId: string, call: Call) => {
  const { home, clock } = await call.services()
  const paths = daemonOf(home, pid)
  return paths && cancelThere(paths, executionId, { clock, signal: call.signal })
}

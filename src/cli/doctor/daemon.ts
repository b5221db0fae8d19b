/** `svc doctor` on the daemon: whether commands can have one here. It is only looked at. */
import { homeProblem } from '../../daemon/home.ts'
import { daemonPaths, socketPathProblem } from '../../daemon/paths.ts'
import { probeDaemon } from '../../daemon/probe.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Environment } from '../command.ts'
import { type Check, fine, warning } from './check.ts'

export interface DaemonCheckOptions {
  env: Environment
  home: string
  /** The raw `--device` value. */
  device: string | undefined
  clock: Clock
}

export const checkDaemon = async ({ env, home, device, clock }: DaemonCheckOptions): Promise<Check> => {
  const paths = daemonPaths(home, device)
  if (env.SVC_NO_DAEMON === '1') return fine('daemon', 'not used: SVC_NO_DAEMON is 1')
  const problem = socketPathProblem(paths.socket) ?? homeProblem(paths)
  if (problem) {
    return warning('daemon', `commands run without a daemon, more slowly: ${problem}`, {
      hint: 'Set SVC_HOME to another directory.',
    })
  }
  const { found, owner } = await probeDaemon(paths, clock)
  if (found === 'managed') return fine('daemon', `process ${owner?.pid} answers`, { details: { pid: owner?.pid } })
  if (found === 'foreign') {
    return warning(
      'daemon',
      `${paths.socket} belongs to a listener that svc did not start; commands run without a daemon`,
      {
        hint: 'End that listener and remove the file.',
      },
    )
  }
  if (owner) {
    return warning('daemon', `process ${owner.pid} does not answer`, { hint: 'svc daemon restart' })
  }
  return fine('daemon', 'not running; the next command starts it')
}

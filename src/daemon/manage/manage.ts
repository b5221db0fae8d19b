/** `svc daemon start|stop|status|restart`, and what a proxied command needs done: one request at a time, under the lock. */
import type { DaemonAsk } from '../../../machines/daemon.ts'
import { failure } from '../../contracts/failures.ts'
import { statOf } from '../files.ts'
import { homeProblem, prepareHome } from '../home.ts'
import { acquireLock, describeHolder, type Locked } from '../lock.ts'
import { type DaemonPaths, daemonPaths, socketPathProblem } from '../paths.ts'
import { askLifecycle } from './lifecycle.ts'
import { refusal, reportOf } from './report.ts'
import type { DaemonRequest, DaemonsOptions, Errand, Managed } from './request.ts'

const codeFor = (ask: DaemonAsk) => (ask === 'stop' ? 'DAEMON_STOP_FAILED' : 'DAEMON_START_FAILED')

/** Where there cannot be a daemon, none runs and none can be started. */
const withoutDaemon = (ask: DaemonAsk, paths: DaemonPaths): Managed | undefined => {
  const starts = ask !== 'status' && ask !== 'stop'
  const problem = socketPathProblem(paths.socket) ?? (starts ? prepareHome(paths) : homeProblem(paths))
  if (problem && starts) return refusal('DAEMON_START_FAILED', problem, paths)
  const isEmpty = problem !== undefined || !statOf(paths.directory)
  return isEmpty ? { ok: true, daemon: { status: 'not_running', socketPath: paths.socket } } : undefined
}

const answer = async (errand: Errand, { ids, journal, note }: DaemonsOptions): Promise<Managed> => {
  const { ask, paths, clock } = errand
  const asked = await askLifecycle({ errand, ids, journal, note })
  switch (asked.kind) {
    case 'answered': {
      const { emitted } = asked
      if (emitted.type === 'daemon.reported') {
        return { ok: true, daemon: await reportOf(emitted.status, paths, clock) }
      }
      if (emitted.type === 'daemon.refused') return refusal(emitted.code, emitted.message, paths)
      return refusal(codeFor(ask), 'another request about this daemon is at work', paths)
    }
    case 'held':
      return refusal(codeFor(ask), `process ${asked.lease.holder.pid} is at work on this daemon`, paths)
    case 'broken':
      return {
        ok: false,
        error: failure('INTERNAL_ERROR', asked.error instanceof Error ? asked.error.message : String(asked.error)),
      }
    default:
      return refusal(codeFor(ask), 'it took too long', paths)
  }
}

/** Nothing is locked for a look, nor where there is nothing that could be. */
const lockFor = async (request: DaemonRequest, paths: DaemonPaths, options: DaemonsOptions): Promise<Locked> => {
  const isFree = request.isLocked || request.ask === 'status'
  if (isFree) return { kind: 'held', release: () => {} }
  return acquireLock(paths.lock, { clock: options.clock, signal: request.signal })
}

export const manageDaemon = async (request: DaemonRequest, options: DaemonsOptions): Promise<Managed> => {
  const { ask, device, operatorPackage } = request
  const { home, clock, program } = options
  const paths = daemonPaths(home, device)
  const none = withoutDaemon(ask, paths)
  if (none) return none
  const locked = await lockFor(request, paths, options)
  if (locked.kind !== 'held') {
    const message = locked.kind === 'taken' ? describeHolder(locked.holder) : locked.message
    return refusal(codeFor(ask), message, paths)
  }
  try {
    return await answer({ ask, device, operatorPackage, paths, clock, program, found: undefined }, options)
  } finally {
    locked.release()
  }
}

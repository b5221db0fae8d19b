/** `svc daemon start|stop|status|restart`, and what a proxied command needs done: one request at a time, under the lock. */

import type { DaemonAsk, DaemonStatus } from '../../../../machines/daemon/daemon-setup.ts'
import type { DaemonReport } from '../../../contracts/daemon.ts'
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { type FailureCode, failure } from '../../../contracts/failures/failures.ts'
import { DAEMON_READY_MS, DAEMON_STOP_MS } from '../../../contracts/limits/limits.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { acquireLock, type LockAttempt, tryLock } from '../../../runtime/files/lock-file.ts'
import { statOf } from '../../../runtime/files/small-file.ts'
import type { Ids } from '../../../runtime/ids.ts'
import type { Journal } from '../../../runtime/journal/journal.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import { liveOwner, type Owner, parseVersion, type Version } from '../identity.ts'
import { type DaemonPaths, daemonPaths, describeHolder, homeProblem, prepareHome, socketPathProblem } from '../paths.ts'
import { probeSocket } from '../probe.ts'
import { askLifecycle, askUnrecorded } from './lifecycle.ts'
import type { Program, RequestState } from './ports.ts'

export interface DaemonRequest {
  ask: DaemonAsk
  /** The raw `--device` value. */
  device: string | undefined
  /** Applies to the daemon that may be started. */
  operatorPackage?: string | undefined
  /** The caller holds the lifecycle lock. */
  isLocked?: boolean
  signal?: AbortSignal | undefined
}

export interface DaemonsOptions {
  /** `~/.svc`, or SVC_HOME. */
  home: string
  clock: Clock
  ids: Ids
  /** The journal of the lifecycle; throws JournalError when it cannot be opened. */
  journal(): Journal
  program: Program
  /** A line for a person. */
  note(text: string): void
}

export type DaemonRequestResult = { ok: true; daemon: DaemonReport } | { ok: false; error: ErrorObject }

type LifecycleFailure = Extract<FailureCode, 'DAEMON_START_FAILED' | 'DAEMON_STOP_FAILED'>

/** A daemon that is there and does not say what it is. */
const UNKNOWN: Version = { version: 'unknown', buildIdentity: { entryPath: null, mtimeMs: null, size: null } }

const runningReport = async (owner: Owner, { socket }: DaemonPaths, clock: Clock): Promise<DaemonReport> => {
  const probed = await probeSocket(socket, { clock, path: '/version' })
  const version =
    probed.kind === 'answered' && owner.instanceId === probed.instance
      ? parseVersion(probed.answer.body.toString())
      : undefined
  const uptimeSeconds = Math.max(0, Math.floor((clock.now() - owner.startedAt) / 1_000))
  return { status: 'running', socketPath: socket, pid: owner.pid, ...(version ?? UNKNOWN), uptimeSeconds }
}

const reportOf = async (status: DaemonStatus, paths: DaemonPaths, clock: Clock): Promise<DaemonReport> => {
  const { socket: socketPath } = paths
  if (status !== 'running') return { status, socketPath }
  const owner = liveOwner(paths.metadata)
  return owner ? runningReport(owner, paths, clock) : { status: 'not_running', socketPath }
}

const sentence = (text: string): string => {
  const begun = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}

const refusal = (
  code: LifecycleFailure,
  message: string,
  paths: DaemonPaths,
): Extract<DaemonRequestResult, { ok: false }> => {
  const { socket: socketPath, log, metadata } = paths
  if (code === 'DAEMON_STOP_FAILED') {
    const pid = liveOwner(metadata)?.pid
    const details = { socketPath, timeoutMs: DAEMON_STOP_MS, ...(pid === undefined ? {} : { pid }) }
    // Where no process is left, only a file stayed.
    const hint = pid === undefined ? `No process of the daemon is left: remove ${socketPath} by hand.` : undefined
    return { ok: false, error: failure(code, sentence(message), { details, hint }) }
  }
  const details = { socketPath, timeoutMs: DAEMON_READY_MS }
  const hint = `Commands run without it${statOf(log)?.isFile() ? `; its log: ${log}` : '.'}`
  return { ok: false, error: failure(code, sentence(message), { details, hint }) }
}

const codeFor = (ask: DaemonAsk) => (ask === 'stop' ? 'DAEMON_STOP_FAILED' : 'DAEMON_START_FAILED')

/** When this place cannot have a daemon, none runs and none can be started. */
const withoutDaemon = (ask: DaemonAsk, paths: DaemonPaths): DaemonRequestResult | undefined => {
  const starts = ask !== 'status' && ask !== 'stop'
  const problem = socketPathProblem(paths.socket) ?? (starts ? prepareHome(paths) : homeProblem(paths))
  if (problem && starts) return refusal('DAEMON_START_FAILED', problem, paths)
  const isEmpty = problem !== undefined || !statOf(paths.directory)
  return isEmpty ? { ok: true, daemon: { status: 'not_running', socketPath: paths.socket } } : undefined
}

const answer = async (
  state: RequestState,
  isRecorded: boolean,
  options: DaemonsOptions,
): Promise<DaemonRequestResult> => {
  const { ask, paths, clock } = state
  const answered = await (isRecorded ? askLifecycle : askUnrecorded)({ ...options, state })
  switch (answered.kind) {
    case 'answered': {
      const { emitted } = answered
      if (emitted.type === 'daemon.reported') {
        return { ok: true, daemon: await reportOf(emitted.status, paths, clock) }
      }
      if (emitted.type === 'daemon.refused') return refusal(emitted.code, emitted.message, paths)
      return refusal(codeFor(ask), 'another request is changing this daemon', paths)
    }
    case 'held':
      return refusal(codeFor(ask), `process ${answered.lease.holder.pid} is changing this daemon`, paths)
    case 'broken':
      return {
        ok: false,
        error: failure('INTERNAL_ERROR', messageOf(answered.error)),
      }
    default:
      return refusal(codeFor(ask), 'the daemon did not finish this request in time', paths)
  }
}

/** A look waits for nobody: it goes unrecorded while another process has the lock. */
const lockFor = async (request: DaemonRequest, paths: DaemonPaths, { clock }: DaemonsOptions): Promise<LockAttempt> => {
  if (request.isLocked) return { kind: 'held', release: () => {} }
  if (request.ask === 'status') return tryLock(paths.lock, clock)
  return acquireLock(paths.lock, { clock, signal: request.signal })
}

export const manageDaemon = async (request: DaemonRequest, options: DaemonsOptions): Promise<DaemonRequestResult> => {
  const { ask, device, operatorPackage } = request
  const { home, clock, program } = options
  const paths = daemonPaths(home, device)
  const none = withoutDaemon(ask, paths)
  if (none) return none
  const locked = await lockFor(request, paths, options)
  const state = { ask, device, operatorPackage, paths, clock, program }
  if (locked.kind !== 'held') {
    if (ask === 'status') return answer(state, false, options)
    const message = locked.kind === 'taken' ? describeHolder(locked.holder) : locked.message
    return refusal(codeFor(ask), message, paths)
  }
  try {
    return await answer(state, true, options)
  } finally {
    locked.release()
  }
}

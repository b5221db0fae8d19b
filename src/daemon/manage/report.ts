/** Section CLI commands: what `svc daemon` prints, and how it fails. */
import type { DaemonStatus } from '../../../machines/daemon.ts'
import type { DaemonReport } from '../../contracts/daemon.ts'
import { type FailureCode, failure } from '../../contracts/failures.ts'
import { DAEMON_READY_MS, DAEMON_STOP_MS } from '../../contracts/limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import { parseVersion, type Version } from '../build-identity.ts'
import { statOf } from '../files.ts'
import { isOwnedBy, liveOwner, type Owner } from '../ownership.ts'
import type { DaemonPaths } from '../paths.ts'
import { lookAt } from '../probe.ts'
import type { Managed } from './request.ts'

type Refusal = Extract<FailureCode, 'DAEMON_START_FAILED' | 'DAEMON_STOP_FAILED'>

/** A daemon that is there and does not say what it is. */
const UNKNOWN: Version = { version: 'unknown', buildIdentity: { entryPath: null, mtimeMs: null, size: null } }

const runningReport = async (owner: Owner, { socket }: DaemonPaths, clock: Clock): Promise<DaemonReport> => {
  const sight = await lookAt(socket, { clock, path: '/version' })
  if (sight.kind === 'answered') sight.link.close()
  const said =
    sight.kind === 'answered' && isOwnedBy(owner, sight.instance)
      ? parseVersion(sight.answer.body.toString())
      : undefined
  const uptimeSeconds = Math.max(0, Math.floor((clock.now() - owner.startedAt) / 1_000))
  return { status: 'running', socketPath: socket, pid: owner.pid, ...(said ?? UNKNOWN), uptimeSeconds }
}

export const reportOf = async (status: DaemonStatus, paths: DaemonPaths, clock: Clock): Promise<DaemonReport> => {
  const { socket: socketPath } = paths
  if (status !== 'running') return { status, socketPath }
  const owner = liveOwner(paths.metadata)
  return owner ? runningReport(owner, paths, clock) : { status: 'not_running', socketPath }
}

const sentence = (text: string): string => {
  const begun = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}

export const refusal = (code: Refusal, message: string, paths: DaemonPaths): Extract<Managed, { ok: false }> => {
  const { socket: socketPath, log, metadata } = paths
  if (code === 'DAEMON_STOP_FAILED') {
    const pid = liveOwner(metadata)?.pid
    const details = { socketPath, timeoutMs: DAEMON_STOP_MS, ...(pid === undefined ? {} : { pid }) }
    return { ok: false, error: failure(code, sentence(message), { details }) }
  }
  const details = { socketPath, timeoutMs: DAEMON_READY_MS }
  const hint = `Commands run without it${statOf(log)?.isFile() ? `; its log: ${log}` : '.'}`
  return { ok: false, error: failure(code, sentence(message), { details, hint }) }
}

/** A probe of a daemon's socket: who answers there, if anybody does. */

import type { DaemonFound } from '../../../machines/daemon/daemon-setup.ts'
import { INSTANCE_HEADER } from '../../contracts/doors/headers.ts'
import { DAEMON_PING_MS } from '../../contracts/limits/limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import { CONTINUE, type Connect, type DaemonExchange, getRequest, openConnection } from './client/connection.ts'
import type { Answer } from './client/response.ts'
import { liveOwner, type Owner } from './identity.ts'
import { type DaemonPaths, socketPathProblem } from './paths.ts'
import { stampOf } from './socket-file.ts'

export type NoProbeAnswer =
  /** Somebody took the connection and said nothing, or nothing that is HTTP. */
  | { kind: 'silent'; message: string }
  | { kind: 'absent'; message: string }
  /** The file is there and nobody listens. */
  | { kind: 'refused'; message: string }
  /** The system lets nobody, or not this user, find out. */
  | { kind: 'unreachable'; message: string }

export type ProbeAnswer = { kind: 'answered'; answer: Answer; instance: string | undefined } | NoProbeAnswer

export interface ProbeOptions {
  clock: Clock
  path?: '/ping' | '/version'
  connect?: Connect | undefined
  signal?: AbortSignal | undefined
}

export const probeFailure = (exchanged: DaemonExchange): NoProbeAnswer => {
  if (exchanged.kind === 'done') return { kind: 'silent', message: 'the answer belongs to another request' }
  const { message } = exchanged
  if (exchanged.kind === 'unknown')
    return { kind: exchanged.reason === 'interrupted' ? 'unreachable' : 'silent', message }
  if (exchanged.code === 'ENOENT') return { kind: 'absent', message: 'no daemon is running' }
  if (exchanged.code === 'ECONNREFUSED') return { kind: 'refused', message: 'no process listens on the daemon socket' }
  return { kind: 'unreachable', message }
}

const REPEAT_MS = 20

/** The system closes the sockets of a killed process a while after the process itself is gone: they are its last threads'. */
export const isHungUp = (exchanged: DaemonExchange): boolean =>
  exchanged.kind === 'unknown'
    ? exchanged.reason === 'broken'
    : exchanged.kind === 'not sent' && exchanged.code === 'ECONNRESET'

/** Asks again while the listener hangs up, until `DAEMON_PING_MS` are over. The path must have been found short enough. */
export const probeSocket = async (
  socket: string,
  { clock, path = '/ping', connect, signal }: ProbeOptions,
): Promise<ProbeAnswer> => {
  const end = clock.elapsed() + DAEMON_PING_MS
  for (;;) {
    const connection = openConnection(socket, clock, connect)
    const exchanged = await connection.exchange(getRequest(path), { ms: DAEMON_PING_MS, signal })
    connection.close()
    if (exchanged.kind === 'done' && exchanged.answer.status !== CONTINUE) {
      const { answer } = exchanged
      return { kind: 'answered', answer, instance: answer.headers[INSTANCE_HEADER] }
    }
    if (!isHungUp(exchanged) || clock.elapsed() > end) return probeFailure(exchanged)
    // The thin client is handed a clock, and loads none of its helpers.
    await new Promise<void>(resolve => clock.at(clock.now() + REPEAT_MS, resolve))
  }
}

export interface ProbeResult {
  found: DaemonFound
  /** Why there was no answer. */
  message: string | undefined
  /** The stamp of the socket file, taken before the probe. */
  stamp: string | undefined
  /** The live process that the metadata names. */
  owner: Owner | undefined
}

/** Asks who answers on the socket, and whether it is the process that the metadata names. */
export const probeDaemon = async (paths: DaemonPaths, clock: Clock): Promise<ProbeResult> => {
  const stamp = stampOf(paths.socket)
  const problem = socketPathProblem(paths.socket)
  if (problem) return { found: 'absent', message: problem, stamp, owner: liveOwner(paths.metadata) }
  const probed = await probeSocket(paths.socket, { clock })
  // Read after the answer, so that it is not that of a predecessor.
  const owner = liveOwner(paths.metadata)
  if (probed.kind !== 'answered') return { found: probed.kind, message: probed.message, stamp, owner }
  const found = owner && owner.instanceId === probed.instance ? 'managed' : 'foreign'
  return { found, message: undefined, stamp, owner }
}

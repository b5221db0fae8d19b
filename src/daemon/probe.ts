/** A probe of a daemon's socket: who answers there, if anybody does. */

import { INSTANCE_HEADER } from '../contracts/daemon-headers.ts'
import { DAEMON_PING_MS } from '../contracts/limits.ts'
import type { Clock } from '../runtime/clock.ts'
import { type Exchanged, getRequest, openConnection } from './client/connection.ts'
import type { Answer } from './client/response.ts'

export type NoAnswer =
  /** Somebody took the connection and said nothing, or nothing that is HTTP. */
  | { kind: 'silent'; message: string }
  | { kind: 'absent'; message: string }
  /** The file is there and nobody listens. */
  | { kind: 'refused'; message: string }
  /** The system lets nobody, or not this user, find out. */
  | { kind: 'unreachable'; message: string }

export type Probed = { kind: 'answered'; answer: Answer; instance: string | undefined } | NoAnswer

export interface ProbeOptions {
  clock: Clock
  path?: '/ping' | '/version'
  signal?: AbortSignal | undefined
}

type Unanswered = Exclude<Exchanged, { kind: 'answered' }>

export const noAnswer = (exchanged: Unanswered, ms: number): NoAnswer => {
  switch (exchanged.kind) {
    case 'unconnected': {
      const { code, message } = exchanged
      if (code === 'ENOENT') return { kind: 'absent', message: 'no daemon is running' }
      if (code === 'ECONNREFUSED') return { kind: 'refused', message: 'no process listens on the daemon socket' }
      return { kind: 'unreachable', message }
    }
    case 'lost':
      return { kind: 'silent', message: exchanged.message }
    case 'late':
      return { kind: 'silent', message: `no answer within ${ms} ms` }
    case 'continued':
      return { kind: 'silent', message: 'the answer belongs to another request' }
    case 'interrupted':
      return { kind: 'unreachable', message: 'interrupted' }
  }
}

/** The path must have been found short enough before. */
export const probeSocket = async (socket: string, { clock, path = '/ping', signal }: ProbeOptions): Promise<Probed> => {
  const connection = openConnection(socket, clock)
  const exchanged = await connection.exchange(getRequest(path), { ms: DAEMON_PING_MS, signal })
  connection.close()
  if (exchanged.kind !== 'answered') return noAnswer(exchanged, DAEMON_PING_MS)
  const { answer } = exchanged
  return { kind: 'answered', answer, instance: answer.headers[INSTANCE_HEADER] }
}

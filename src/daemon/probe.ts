/** A look at a daemon's socket: who answers there, if anybody does. */

import { DAEMON_PING_MS } from '../contracts/limits.ts'
import type { Clock } from '../runtime/clock.ts'
import { type Link, openLink } from './client/link.ts'
import { getRequest, INSTANCE } from './client/requests.ts'
import type { Answer } from './client/response.ts'

export type Sight =
  /** The link is still open, and the caller's to close. */
  | { kind: 'answered'; answer: Answer; instance: string | undefined; link: Link }
  /** Somebody took the connection and said nothing, or nothing that is HTTP. */
  | { kind: 'mute'; message: string }
  | { kind: 'absent' }
  /** The file is there and nobody listens. */
  | { kind: 'refused' }
  /** The system lets nobody, or not this user, find out. */
  | { kind: 'unreachable'; message: string }

export interface LookOptions {
  clock: Clock
  path?: '/ping' | '/version'
  ms?: number
  signal?: AbortSignal | undefined
}

/** The path must have been found short enough before. */
export const lookAt = async (socket: string, options: LookOptions): Promise<Sight> => {
  const { clock, path = '/ping', ms = DAEMON_PING_MS, signal } = options
  const link = openLink(socket, clock)
  const exchanged = await link.exchange(getRequest(path), { ms, signal })
  switch (exchanged.kind) {
    case 'answered': {
      const { answer } = exchanged
      return { kind: 'answered', answer, instance: answer.headers[INSTANCE], link }
    }
    case 'unconnected': {
      const { code, message } = exchanged
      if (code === 'ENOENT') return { kind: 'absent' }
      return code === 'ECONNREFUSED' ? { kind: 'refused' } : { kind: 'unreachable', message }
    }
    case 'lost':
      return { kind: 'mute', message: exchanged.message }
    case 'late':
      return { kind: 'mute', message: `no answer within ${ms} ms` }
    case 'interrupted':
      return { kind: 'unreachable', message: 'interrupted' }
  }
}

/** The journal vocabulary of the daemon of one device key. */
import * as v from 'valibot'
import { DeadlinePassed, event, PortFailed, text, time } from './event.ts'

export const DaemonEvent = v.variant('type', [
  event('start.requested', { requestId: text }),
  event('stop.requested', { requestId: text }),
  event('restart.requested', { requestId: text }),
  event('status.requested', { requestId: text }),
  /** A proxied command found no socket file. */
  event('socket.missed', { requestId: text }),
  /** A proxied command found a socket file that nobody listens on. */
  event('socket.refused', { requestId: text }),
  /** A proxied command was answered by another version or build, or by invalid metadata. */
  event('identity.differed', { requestId: text }),
  /** What a look at socket and metadata found. */
  event('probe.answered', { finding: v.picklist(['managed', 'silent', 'foreign']), pid: v.nullable(time) }),
  event('daemon.ready', { pid: time }),
  event('daemon.failed', { message: text }),
  event('daemon.stopped', {}),
  event('daemon.stuck', { message: text }),
  event('request.interrupted', {}),
  DeadlinePassed,
  PortFailed,
])
export type DaemonEvent = v.InferOutput<typeof DaemonEvent>

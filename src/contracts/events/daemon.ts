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
  /** A probe saw `found` on the socket; `pid` is the live process that the metadata names. */
  event('probe.answered', {
    found: v.picklist(['managed', 'foreign', 'silent', 'refused', 'absent', 'unreachable']),
    pid: v.nullable(time),
  }),
  event('daemon.ready', { pid: time }),
  event('daemon.failed', { message: text }),
  event('daemon.stopped', {}),
  event('daemon.stuck', { message: text }),
  /** The daemon ends by itself: no command came for long enough. */
  event('daemon.idled', { requestId: text, pid: time }),
  /** The daemon was asked to end between two executions, for another build. */
  event('daemon.retired', { requestId: text, pid: time }),
  /** The socket file has gone, so nobody finds the daemon. */
  event('daemon.unlinked', { requestId: text, pid: time }),
  /** The device that it was started for does not exist. */
  event('daemon.unserved', { requestId: text, pid: time }),
  /** The daemon was sent a signal. */
  event('daemon.terminated', { requestId: text, pid: time }),
  event('request.interrupted', {}),
  DeadlinePassed,
  PortFailed,
])
export type DaemonEvent = v.InferOutput<typeof DaemonEvent>

/** The journal vocabulary of one proxied command: from the choice of a way to its answer. */
import * as v from 'valibot'
import { DeadlinePassed, event, eventWithBody, PortFailed, text } from './event.ts'

export const CommandKind = v.picklist(['exec', 'flat', 'screenshot', 'snapshot'])
export type CommandKind = v.InferOutput<typeof CommandKind>

export const DispatchEvent = v.variant('type', [
  event('command.given', {
    commandId: text,
    kind: CommandKind,
    /** `--no-daemon` or SVC_NO_DAEMON=1. */
    daemonDisabled: v.boolean(),
    /** A take_screenshot with a relative `params.path`: it must resolve from the caller's directory. */
    relativePath: v.boolean(),
    windows: v.boolean(),
    /** The socket path is longer than a socket address can hold. */
    pathTooLong: v.boolean(),
    /** The daemon would not read it: larger than a request may be, or no object. */
    unfit: v.optional(v.boolean()),
    message: v.optional(text),
  }),
  /** The managed daemon of this build has taken the head of the request, and waits for its body. */
  event('daemon.ready', {}),
  /** There is no socket file. */
  event('daemon.absent', { message: text }),
  /** There is a socket file, and nobody listens on it. */
  event('daemon.refused', { message: text }),
  /** The managed daemon is of another version or build, or does not say of which. */
  event('daemon.differs', { message: text }),
  /** The answer came from somebody else than the managed daemon. */
  event('daemon.foreign', { message: v.optional(text) }),
  /** Somebody took the connection and did not answer; `managed` when the metadata names a live process. */
  event('daemon.silent', { managed: v.boolean(), message: text }),
  /** The daemon cannot be used for another reason. */
  event('daemon.unready', { message: text }),
  event('lock.acquired', {}),
  event('lock.busy', {}),
  event('daemon.started', {}),
  /** The request failed with no byte of its body written. */
  event('request.failed', { message: text }),
  /** The body of the request is about to leave: from here on it may have executed. */
  event('request.written', {}),
  eventWithBody('response.received', {}),
  event('response.lost', { message: text }),
  /** By its caller; `dispatched` once the body has left. */
  event('command.interrupted', { dispatched: v.boolean() }),
  /** The execution ends, or will never begin; without `dispatched` where nobody has said how far it was. */
  event('command.cancelled', { dispatched: v.optional(v.boolean()) }),
  DeadlinePassed,
  PortFailed,
])
export type DispatchEvent = v.InferOutput<typeof DispatchEvent>

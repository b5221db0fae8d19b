/** The journal vocabulary of one proxied command: from the choice of a way to its answer. */
import * as v from 'valibot'
import { DeadlinePassed, event, eventWithBody, PortFailed, text } from './event.ts'

/** What a command is, as far as running it twice is concerned. */
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
  }),
  event('daemon.ready', {}),
  event('daemon.foreign', {}),
  event('daemon.unready', { message: text }),
  /** The request failed with no byte of its body written. */
  event('request.failed', { message: text }),
  event('request.written', {}),
  eventWithBody('response.received', {}),
  event('response.lost', { message: text }),
  event('command.interrupted', { dispatched: v.boolean() }),
  DeadlinePassed,
  PortFailed,
])
export type DispatchEvent = v.InferOutput<typeof DispatchEvent>

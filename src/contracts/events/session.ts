/** The journal vocabulary of a WebDriver session: the phone that it has, its commands, and how it ends. */
import * as v from 'valibot'
import { event, eventWithBody, PortFailed, text, time } from './event.ts'

/** Why a session ends that was open. */
export const SESSION_ENDS = ['deleted', 'idle', 'lost', 'closed'] as const
export type SessionEnd = (typeof SESSION_ENDS)[number]

export const SessionEvent = v.variant('type', [
  /** `wanted` as the capability `udid` names the phone; null for any free one. body: the capabilities as they were asked for. */
  eventWithBody('session.requested', { sessionId: text, wanted: v.nullable(text), idleMs: time }),
  event('phone.reserved', { deviceId: text, leaseId: text }),
  /** Recorded before the phone is asked, under an id that no other execution has. */
  event('preparation.begun', { executionId: text, what: text }),
  event('session.opened', {}),
  /** `executionId` names the execution that failed; null where none did. body: the details. */
  eventWithBody('opening.failed', { code: text, message: text, executionId: v.nullable(text) }),
  /** The first execution of the command, if it has one, gets this id. */
  event('command.begun', { method: text, path: text, executionId: text }),
  /** `error` is the W3C name; null for a command that succeeded. */
  event('command.ended', { error: v.nullable(text), executionIds: v.array(text) }),
  /** No command came for so long as the client allowed. */
  event('idle.passed', {}),
  event('lease.lost', { code: text, message: text }),
  event('end.requested', { requestId: text }),
  /** The process that has the session is told to end. */
  event('host.closing', {}),
  event('phone.released', {}),
  /** The reservation ends by itself. */
  event('release.failed', { message: text }),
  event('session.interrupted', {}),
  PortFailed,
])
export type SessionEvent = v.InferOutput<typeof SessionEvent>

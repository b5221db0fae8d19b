/** The journal vocabulary of one device: decisions on receipts, cancelling and doubt. */
import * as v from 'valibot'
import { DeadlinePassed, event, eventWithBody, PortFailed, text, time } from './event.ts'

export const DeviceEvent = v.variant('type', [
  /** body: the execution payload and what the operator needs beside it. */
  eventWithBody('execution.requested', {
    executionId: text,
    commandId: text,
    taskId: text,
    deviceId: text,
    timeoutMs: time,
    /** When an execution that was never dispatched is given up. */
    acceptUntil: time,
    /** When its caller is answered, whatever has become of it. */
    answerUntil: v.optional(time),
    skillRunId: v.optional(text),
    /** The execution that it goes on with. */
    resumes: v.optional(text),
    /** The Idempotency-Key and the payload, as digests. */
    idempotency: v.optional(v.object({ key: text, payload: text })),
    /** The operator that is to carry it out: the one that was named, or the best that the device has. */
    operatorPackage: v.optional(text),
    /** The listener through which it came, which tells its outcome on /events. */
    listener: v.optional(text),
  }),
  /** Recorded, and on the disk, before the first byte of a segment leaves for the device. */
  event('execution.dispatched', {
    executionId: text,
    segment: time,
    /** How many steps had brought a result before it left; left out for the first segment. */
    step: v.optional(time),
  }),
  /** body: the execution result as it is answered. */
  eventWithBody('execution.settled', {
    executionId: text,
    ok: v.boolean(),
    code: v.optional(text),
    /** False when the device itself refused the request: what was recorded as dispatched has had no effect. */
    dispatched: v.optional(v.boolean()),
  }),
  event('execution.cancelled', { executionId: text }),
  event('execution.interrupted', { executionId: text, dispatched: v.boolean() }),
  DeadlinePassed,
  PortFailed,
])
export type DeviceEvent = v.InferOutput<typeof DeviceEvent>

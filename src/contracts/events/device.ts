/** The journal vocabulary of one device: decisions on receipts, cancelling and doubt. */
import * as v from 'valibot'
import { EvidencedOutcome, EvidenceSource } from '../executions/evidence.ts'
import { OwnershipHolder } from '../records/journal.ts'
import { DeadlinePassed, event, eventWithBody, PortFailed, text, time } from './event.ts'

export const QUEUE_EVENTS = ['execution.queued', 'execution.left'] as const

/** Any process may record these while another one owns the device: they change the queue, or what is known, and nothing that runs. */
export const SHARED_EVENTS = [...QUEUE_EVENTS, 'execution.evidenced'] as const

/**
 * Why a request left the queue without being accepted: its time was over; it was cancelled, or its caller has gone; its
 * process has ended; its turn came and it did not take it; it could not be accepted when its turn had come.
 */
export const LEFT_BECAUSE = ['overdue', 'cancelled', 'gone', 'missed', 'refused'] as const
export type LeftBecause = (typeof LEFT_BECAUSE)[number]

export const DeviceEvent = v.variant('type', [
  /** A request waits for the device, behind those that were recorded before. Its payload stays with its process. */
  event('execution.queued', {
    executionId: text,
    commandId: text,
    taskId: text,
    deviceId: text,
    /** How long it waits at most. */
    waitMs: time,
    /** Its process: a request whose process has ended waits no more. */
    holder: OwnershipHolder,
    skillRunId: v.optional(text),
    resumes: v.optional(text),
    idempotency: v.optional(v.object({ key: text, payload: text })),
    /** The reservation that it belongs to: requests of the one that holds the phone come before all others. */
    leaseId: v.optional(text),
  }),
  /** body: the result as it is answered, where the process that waited has said it. */
  eventWithBody('execution.left', { executionId: text, why: v.picklist(LEFT_BECAUSE) }),
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
    /** True for one whose turn in the queue has come. */
    waited: v.optional(v.boolean()),
    /** The reservation that held the phone when this was recorded. */
    leaseId: v.optional(text),
  }),
  /** Recorded, and on the disk, before the first byte of a segment leaves for the device. */
  event('execution.dispatched', {
    executionId: text,
    segment: time,
    /** How many steps had brought a result before it left; left out for the first segment. */
    step: v.optional(time),
    /** By which an operator app can be asked for its result; left out where the host performs the segment itself. */
    nonce: v.optional(text),
    /** How many steps were sent, where the segment of the list has more: what comes next had to be decided first. */
    count: v.optional(time),
    /** It is a look or a gesture of a step that the host performs: its result proves no step of the list. */
    part: v.optional(v.literal(true)),
    /** A look before the first gesture of its step. Each gesture is a segment, so a step whose newest segment this is has not begun. */
    unbegun: v.optional(v.literal(true)),
    /** The host performs its steps, and records the end of each before one that acts begins, and the end of one that acted. */
    stepped: v.optional(v.literal(true)),
    /** The run of the machine in which that holds: a power failure may take these records. Earlier versions synced each. */
    boot: v.optional(text),
  }),
  /**
   * How far a long step is, for those who watch: recorded at most once in PROGRESS_RECORD_MS, however fast it goes on.
   * `done` and `total` count the same thing; `total` is 0 where nobody knows it.
   */
  event('execution.progressed', { executionId: text, what: text, done: time, total: time }),
  /** body: the execution result as it is answered. */
  eventWithBody('execution.settled', {
    executionId: text,
    ok: v.boolean(),
    code: v.optional(text),
    /** False when the device itself refused the request: what was recorded as dispatched has had no effect. */
    dispatched: v.optional(v.boolean()),
    /** False where no envelope came, and yet no step is in doubt. */
    inDoubt: v.optional(v.boolean()),
  }),
  /**
   * Steps of an execution that was sent are proven, while it runs or after it ended in doubt. `outcome` is there where that
   * decides the whole. body: the result, where the operator still had it.
   */
  eventWithBody('execution.evidenced', {
    executionId: text,
    source: EvidenceSource,
    steps: v.array(v.strictObject({ step: time, success: v.boolean() })),
    outcome: v.optional(EvidencedOutcome),
  }),
  event('execution.cancelled', { executionId: text }),
  /** `boot` is the run of the machine in which this was recorded; earlier versions leave it out. */
  event('execution.interrupted', { executionId: text, dispatched: v.boolean(), boot: v.optional(text) }),
  DeadlinePassed,
  PortFailed,
])
export type DeviceEvent = v.InferOutput<typeof DeviceEvent>

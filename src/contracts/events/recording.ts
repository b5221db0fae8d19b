/** The journal vocabulary of the recording of one device's screen. */
import * as v from 'valibot'
import { DeadlinePassed, event, PortFailed, text, time } from './event.ts'

/** Fixed with the request, so that a replay knows the same. */
export const RecordingOptions = v.strictObject({
  forMs: time,
  segmentMs: time,
  bitRate: time,
  /** `720x1280`; null leaves it to the phone. */
  size: v.nullable(text),
})
export type RecordingOptions = v.InferOutput<typeof RecordingOptions>

export const SEGMENT_ENDS = ['time_limit', 'rotated', 'link_lost', 'stopped', 'ended_itself', 'host_died'] as const

const segment = time

export const RecordingEvent = v.variant('type', [
  event('start.requested', {
    requestId: text,
    recordingId: text,
    deviceId: text,
    options: RecordingOptions,
    /** The reservation whose holder asked for it; absent in records of older versions, and without one. */
    leaseId: v.optional(text),
  }),
  /** `rotation` in degrees; null where the phone does not say. */
  event('segment.started', { segment, rotation: v.nullable(time) }),
  event('segment.ended', { segment, reason: v.picklist(SEGMENT_ENDS) }),
  /** The segment is on this host, and gone from the phone. */
  event('segment.saved', { segment, bytes: time, sha256: text, isPlayable: v.boolean() }),
  event('link.lost', { message: text }),
  event('link.restored', {}),
  event('stop.requested', { requestId: text }),
  /** The process that records is told to end. */
  event('host.closing', {}),
  event('recorder.failed', { code: text, message: text, details: v.unknown() }),
  /** Nothing of the recording is left on the phone. */
  event('phone.cleared', { segments: time }),
  /** The segments that are left on the phone cannot be fetched now. */
  event('phone.unreachable', { message: text }),
  /** A later process found a recording that its host did not live to finish. */
  event('repair.requested', { requestId: text }),
  event('request.interrupted', {}),
  DeadlinePassed,
  PortFailed,
])
export type RecordingEvent = v.InferOutput<typeof RecordingEvent>

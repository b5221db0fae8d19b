/** Recordings of a screen: the request, the manifest of one, and the part of one that belongs to an execution. */
import * as v from 'valibot'
import { SEGMENT_ENDS } from './events/recording.ts'
import { closedObject, openObject } from './json/objects.ts'
import { count, integer } from './json/scalars.ts'
import { BIT_RATE_MAX, BIT_RATE_MIN, RECORDING_MS_MAX, RECORDING_MS_MIN } from './limits/recording-limits.ts'

/** Encoders take even numbers only. */
const VIDEO_SIZE = /^[1-9]\d{0,2}[02468]x[1-9]\d{0,2}[02468]$/

export const VIDEO_SIZE_RULE = 'must be width x height in even numbers of two to four digits, such as 720x1280'

export const RecordingRequest = closedObject({
  /** The recording ends then by itself. */
  forMs: v.exactOptional(integer({ min: RECORDING_MS_MIN, max: RECORDING_MS_MAX }), RECORDING_MS_MAX),
  bitRate: v.exactOptional(integer({ min: BIT_RATE_MIN, max: BIT_RATE_MAX })),
  size: v.exactOptional(v.pipe(v.string(), v.regex(VIDEO_SIZE, VIDEO_SIZE_RULE))),
})
export type RecordingRequest = v.InferOutput<typeof RecordingRequest>

export const RECORDING_STATES = ['recording', 'stopping', 'saved', 'failed'] as const

/** Times are those of the host, in epoch ms; the video begins within a fraction of a second of `startedAt`. */
export const RecordingSegment = openObject({
  segment: count,
  /** In the folder of the recording; absent until it was fetched. */
  file: v.exactOptional(v.string()),
  startedAt: count,
  endedAt: v.exactOptional(count),
  bytes: v.exactOptional(count),
  sha256: v.exactOptional(v.string()),
  /** In degrees, where the device says it. */
  rotation: v.exactOptional(count),
  /** False for a file without an index: the phone had no time to write it, or the screen was off. */
  playable: v.exactOptional(v.boolean()),
  endedBy: v.exactOptional(v.picklist(SEGMENT_ENDS)),
  /** Why there is no file. */
  problem: v.exactOptional(v.string()),
})
export type RecordingSegment = v.InferOutput<typeof RecordingSegment>

export const Recording = openObject({
  recordingId: v.string(),
  deviceId: v.string(),
  /** The serial number that the device gives itself. */
  hardwareSerial: v.string(),
  state: v.picklist(RECORDING_STATES),
  startedAt: count,
  endedAt: v.exactOptional(count),
  /** `host_died`: a later process finished it. */
  reason: v.exactOptional(v.picklist(['stopped', 'time', 'host_ended', 'host_died', 'failed'])),
  error: v.exactOptional(openObject({ code: v.string(), message: v.string() })),
  bytes: count,
  /** The folder on the host that recorded. */
  folder: v.string(),
  segments: v.array(RecordingSegment),
})
export type Recording = v.InferOutput<typeof Recording>

/** `recording` is null for a device that was never recorded. */
export const RecordingStatusResponse = openObject({ ok: v.literal(true), recording: v.nullable(Recording) })
export type RecordingStatusResponse = v.InferOutput<typeof RecordingStatusResponse>
export const RecordingResponse = openObject({ ok: v.literal(true), recording: Recording })

/** The part of a segment in which an execution ran; offsets count from the beginning of its video. */
export const RecordedPart = openObject({
  recordingId: v.string(),
  segment: count,
  fromMs: count,
  toMs: count,
  playable: v.boolean(),
})
export type RecordedPart = v.InferOutput<typeof RecordedPart>

/** By their names in the API document. */
export const RECORDING_SCHEMAS = {
  RecordingRequest,
  RecordingSegment,
  Recording,
  RecordingResponse,
  RecordingStatusResponse,
}

/** Records one segment on the phone, from its start until screenrecord has ended. */

import {
  RECORDING_ASK_MS,
  RECORDING_LOOK_MS,
  RECORDING_SOON_MS,
  SEGMENT_END_MS,
  SEGMENT_START_MS,
} from '../../contracts/limits/recording-limits.ts'
import type { RecordingSegment } from '../../contracts/recording.ts'
import type { Link } from '../../device/link/link.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import {
  interrupt,
  isRecordingSegment,
  kill,
  type Look,
  lookAt,
  phoneFile,
  readLog,
  removeSegment,
  startSegment,
} from './phone-recorder.ts'
import { isAboutEncoder, type RecorderFailure, recorderFailure } from './start-problem.ts'

export interface Segment {
  recordingId: string
  segment: number
}

interface SegmentOptions extends Segment {
  limitMs: number
  bitRate: number
  size: string | null
  /** An earlier attempt to start it got no answer. */
  mayRun: boolean
}

interface PhoneCall {
  link: Link
  clock: Clock
  signal: AbortSignal
}

const MS_PER_SECOND = 1_000
/** A process that was not seen by then never began. */
const NEVER_BEGAN_MS = 1_500
/** A phone whose encoder refuses the size of its screen may take this one. */
const SMALL = { upright: '720x1280', turned: '1280x720' }

const within = ({ clock, signal }: PhoneCall) => ({ deadline: clock.now() + RECORDING_ASK_MS, signal })

const isTurned = (rotation: number | undefined) => rotation === 90 || rotation === 270

type Begun = { ok: true; rotation: number | undefined; at: number } | { ok: false; failure: RecorderFailure }

/** The file appears when the encoder is ready, just before the first picture. */
const begin = async (phone: PhoneCall, options: SegmentOptions): Promise<Begun> => {
  const { link, clock, signal } = phone
  const limitS = Math.ceil(options.limitMs / MS_PER_SECOND)
  const running = options.mayRun ? await lookAt(link, options, within(phone)) : undefined
  if (running && isRecordingSegment(running, phoneFile(options.recordingId, options.segment)))
    return { ok: true, rotation: running.rotation, at: clock.now() }
  const refused = await startSegment(link, { ...options, limitS }, within(phone))
  if (refused !== undefined) return { ok: false, failure: recorderFailure(refused) }
  const began = clock.elapsed()
  const file = phoneFile(options.recordingId, options.segment)
  for (let wasSeen = false; ; ) {
    const askedAt = clock.now()
    const look = await lookAt(link, options, within(phone))
    const isThere = isRecordingSegment(look, file)
    wasSeen ||= isThere
    if (isThere && look.bytes !== undefined)
      return { ok: true, rotation: look.rotation, at: Math.round((askedAt + clock.now()) / 2) }
    const waited = clock.elapsed() - began
    if (!isThere && (wasSeen || waited > NEVER_BEGAN_MS))
      return { ok: false, failure: recorderFailure(await readLog(link, options, within(phone))) }
    if (waited > SEGMENT_START_MS) {
      await kill(link, look.processes, within(phone))
      const failure = recorderFailure(await readLog(link, options, within(phone)))
      return { ok: false, failure: { ...failure, message: 'The device did not begin to record in time.' } }
    }
    await pause(clock, RECORDING_SOON_MS, signal)
    if (signal.aborted) return { ok: false, failure: recorderFailure('given up') }
  }
}

/** `smaller` says that the size of the screen was refused, and a smaller one taken. */
export type BegunSegment = Begun & { size: string | null }

export const beginSegment = async (phone: PhoneCall, options: SegmentOptions): Promise<BegunSegment> => {
  const begun = await begin(phone, options)
  if (begun.ok || options.size !== null || !isAboutEncoder(begun.failure)) return { ...begun, size: options.size }
  await removeSegment(phone.link, options, within(phone))
  const { rotation } = await lookAt(phone.link, options, within(phone))
  const size = isTurned(rotation) ? SMALL.turned : SMALL.upright
  const again = await begin(phone, { ...options, size })
  return { ...(again.ok ? again : begun), size: again.ok ? size : options.size }
}

/** Until no screenrecord of the recording runs; one that heeds no SIGINT is killed. */
export const endRecorder = async (phone: PhoneCall, segment: Segment): Promise<void> => {
  const { link, clock, signal } = phone
  const until = clock.elapsed() + SEGMENT_END_MS
  let look = await lookAt(link, segment, within(phone))
  await interrupt(link, look.processes, within(phone))
  while (look.processes.length > 0 && !signal.aborted) {
    if (clock.elapsed() > until) {
      await kill(link, look.processes, within(phone))
      return
    }
    await pause(clock, RECORDING_SOON_MS, signal)
    look = await lookAt(link, segment, within(phone))
  }
}

export interface RunningSegment extends Segment {
  rotation: number | undefined
  /** When it ends by itself, on the clock that nobody sets. */
  endsAt: number
}

type EndedBy = NonNullable<RecordingSegment['endedBy']>

/** Screenrecord keeps the limit itself, and may need so much more for its start and its end. */
const LIMIT_SLACK_MS = 3_000

/** Resolves once the segment has ended; undefined when the signal came first. Rejects with LinkError. */
export const watchSegment = async (phone: PhoneCall, running: RunningSegment): Promise<EndedBy | undefined> => {
  const { link, clock, signal } = phone
  const file = phoneFile(running.recordingId, running.segment)
  for (;;) {
    const leftMs = running.endsAt - clock.elapsed()
    await pause(clock, Math.max(RECORDING_SOON_MS, Math.min(RECORDING_LOOK_MS, leftMs)), signal)
    if (signal.aborted) return undefined
    const look: Look = await lookAt(link, running, within(phone))
    if (signal.aborted) return undefined
    if (!isRecordingSegment(look, file))
      return running.endsAt - clock.elapsed() < LIMIT_SLACK_MS ? 'time_limit' : 'ended_itself'
    const isTurnedNow =
      running.rotation !== undefined && look.rotation !== undefined && look.rotation !== running.rotation
    if (isTurnedNow || -leftMs > SEGMENT_END_MS) {
      await endRecorder(phone, running)
      return isTurnedNow ? 'rotated' : 'time_limit'
    }
  }
}

/** The size for a screen that was turned since the size was chosen. */
export const sizeFor = (size: string | null, first: number | undefined, now: number | undefined): string | null =>
  size === null || isTurned(first) === isTurned(now) ? size : size.split('x').reverse().join('x')

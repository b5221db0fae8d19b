/** Recordings of the screen, as `mobile:` methods and as the older endpoints start and stop them. */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { failure } from '../../../contracts/failures/failures.ts'
import { RECORDING_MS_MAX, RECORDING_MS_MIN } from '../../../contracts/limits/recording-limits.ts'
import { RecordingRequest } from '../../../contracts/recording.ts'
import { mobileMethod } from '../commands/command.ts'
import { base64Of, invalid, number, optional, text } from '../protocol/arguments.ts'
import { webDriverErrorOf } from '../protocol/failure-error.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'
import { answerOf, type LiveSession, RECORDING_OF_SESSION } from '../session/live-session.ts'
import { FILE_BYTES_MAX } from '../session/temporary-folder.ts'

/** As in Appium: the time of one segment. */
const TIME_LIMIT_SECONDS = 180
const MS = 1_000

interface RecordingOptions {
  /** In seconds. */
  timeLimit?: number | undefined
  bitRate?: number | undefined
  videoSize?: string | undefined
}

const NAME_OF: Readonly<Record<string, string>> = { bitRate: 'bit rate', size: 'size of the video' }

/** Throws `invalid argument` for what the contract of recordings does not take. */
const refuseUnlike = (how: object): void => {
  const read = v.safeParse(RecordingRequest, how, { abortEarly: true })
  if (read.success) return
  const [{ message, path }] = read.issues
  const name = String(path?.[0].key)
  throw invalid(`The ${NAME_OF[name] ?? name} of a recording ${message}.`)
}

export const startRecording = async (
  session: LiveSession,
  { timeLimit = TIME_LIMIT_SECONDS, bitRate, videoSize }: RecordingOptions,
): Promise<void> => {
  const forMs = Math.round(timeLimit * MS)
  if (forMs < RECORDING_MS_MIN || forMs > RECORDING_MS_MAX)
    throw invalid(
      `The time limit of a recording must be ${RECORDING_MS_MIN / MS} to ${RECORDING_MS_MAX / MS} seconds, but is ${timeLimit}.`,
    )
  const how = {
    forMs,
    ...(bitRate === undefined ? {} : { bitRate: Math.round(bitRate) }),
    ...(videoSize === undefined ? {} : { size: videoSize }),
  }
  refuseUnlike(how)
  const { recording } = answerOf(await session.startRecording(how))
  session.positions.set(RECORDING_OF_SESSION, recording.recordingId)
}

const statusOf = async (session: LiveSession) =>
  answerOf(await session.service['recording.status']({ deviceId: session.deviceId }, session.call())).recording

const isOwn = (session: LiveSession, present: { recordingId: string } | null): boolean =>
  present !== null && present.recordingId === session.positions.get(RECORDING_OF_SESSION)

/** One of this session that ended by its time limit is over, and still answered. Others may have recorded the phone. */
const finishedRecording = async (session: LiveSession) => {
  const { service, deviceId } = session
  const present = await statusOf(session)
  if (!isOwn(session, present))
    throw webDriverErrorOf(
      failure('RECORDING_NOT_FOUND', 'This session has started no recording, or another one was made since.', {
        details: { deviceId },
      }),
    )
  if (present?.state === 'saved') return present
  return answerOf(await service['recording.stop']({ deviceId }, session.call())).recording
}

const problem = (message: string) => new WebDriverError('unknown error', message)

/** The recording as base64. One of several videos is not joined: it stays whole, where the message says. */
export const stopRecording = async (session: LiveSession): Promise<string> => {
  const { recordingId, segments, folder } = await finishedRecording(session)
  const videos = segments.flatMap(({ file }) => file ?? [])
  const [file] = videos
  if (file === undefined)
    throw problem(`The recording ${recordingId} has no video. ${segments[0]?.problem ?? ''}`.trim())
  if (videos.length > 1)
    throw problem(
      `The recording ${recordingId} has ${videos.length} videos, and an answer carries one. GET /recordings/${recordingId} of svc names them.`,
    )
  const path = join(folder, file)
  const handle = await open(path).catch(() => undefined)
  if (!handle) throw problem(`The recording ${recordingId} is on another host, or its file ${path} is gone.`)
  try {
    if ((await handle.stat()).size > FILE_BYTES_MAX)
      throw problem(`The recording ${recordingId} is larger than an answer may be. It is ${path}.`)
    return base64Of(await handle.readFile())
  } finally {
    await handle.close()
  }
}

export const startMediaProjectionRecording = mobileMethod({
  name: 'startMediaProjectionRecording',
  summary: 'Starts to record the screen, for at most maxDurationSec (180). Answers true.',
  args: { maxDurationSec: optional(number), resolution: optional(text) },
  async run(session, { maxDurationSec, resolution }) {
    await startRecording(session, { timeLimit: maxDurationSec, videoSize: resolution })
    return true
  },
})

export const isMediaProjectionRecordingRunning = mobileMethod({
  name: 'isMediaProjectionRecordingRunning',
  summary: 'True while the screen is recorded.',
  args: {},
  async run(session) {
    const present = await statusOf(session)
    return present?.state === 'recording' && isOwn(session, present)
  },
})

export const stopMediaProjectionRecording = mobileMethod({
  name: 'stopMediaProjectionRecording',
  summary: 'Stops the recording and answers it as mp4 in base64.',
  args: {},
  run: session => stopRecording(session),
})

export const RECORDING_METHODS = [
  startMediaProjectionRecording,
  isMediaProjectionRecordingRunning,
  stopMediaProjectionRecording,
]

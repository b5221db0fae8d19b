/** The endpoints that record the screen. */
import * as v from 'valibot'
import { startRecording, stopRecording } from '../mobile/recording.ts'
import { number, objectIn, optional, readArguments, refuseArguments, someText } from '../protocol/arguments.ts'
import type { SessionCommand } from './command.ts'

const START = '/appium/start_recording_screen'
const STOP = '/appium/stop_recording_screen'

/** A video is sent nowhere. */
const UPLOAD = {
  remotePath:
    'The answer to POST /appium/stop_recording_screen is the video in base64: store or send it from the client.',
}
const NOT_DRAWN = { bugReport: 'Nothing is drawn into the video: leave bugReport out.' }

/** Some clients send numbers as text. */
const numberOrText = v.pipe(v.union([v.number(), v.string()], 'must be a number'), v.transform(Number), number)

export const RECORDING_COMMANDS: readonly SessionCommand[] = [
  {
    method: 'POST',
    path: START,
    summary: 'Starts to record the screen, for at most timeLimit seconds (180).',
    async run(session, { body }) {
      const entries = {
        timeLimit: optional(numberOrText),
        bitRate: optional(numberOrText),
        videoSize: optional(someText),
      }
      const options = objectIn(body, 'options', `POST ${START}`)
      await startRecording(
        session,
        readArguments(entries, options, { of: `POST ${START}`, isOpen: true, refused: { ...UPLOAD, ...NOT_DRAWN } }),
      )
      return ''
    },
  },
  {
    method: 'POST',
    path: STOP,
    summary: 'Stops the recording and answers it as mp4 in base64.',
    async run(session, { body }) {
      refuseArguments(UPLOAD, objectIn(body, 'options', `POST ${STOP}`), `POST ${STOP}`)
      return await stopRecording(session)
    },
  },
]

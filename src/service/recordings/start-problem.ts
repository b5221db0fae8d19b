/** Reads what screenrecord said when it would not record: what it means, and what to do. */

import type { FailureCode } from '../../contracts/failures/failures.ts'
import { LinkError } from '../../device/link/link.ts'

export interface RecorderFailure {
  code: FailureCode
  message: string
  details: Readonly<Record<string, unknown>>
}

const SAID_CHARS_MAX = 2_000

const REASONS: readonly { said: RegExp; code: FailureCode; reason: string; message: string }[] = [
  {
    said: /inaccessible or not found|screenrecord: not found|No such file or directory.*screenrecord|not supported/i,
    code: 'RECORDING_UNSUPPORTED',
    reason: 'no_program',
    message: 'The device has no screenrecord.',
  },
  {
    said: /No space left/i,
    code: 'RECORDING_NO_SPACE',
    reason: 'device_full',
    message: 'The device has no space left for a recording.',
  },
  {
    said: /Encoder failed|unable to configure|Unable to get output buffers|unable to create|err=-\d+/i,
    code: 'RECORDING_UNSUPPORTED',
    reason: 'no_encoder',
    message: 'The device has no encoder for a video of its screen.',
  },
]

export const recorderFailure = (log: string): RecorderFailure => {
  const said = log.slice(0, SAID_CHARS_MAX)
  const known = REASONS.find(each => each.said.test(log))
  const {
    code = 'RECORDING_FAILED',
    reason = 'unknown',
    message = 'The device does not record its screen.',
  } = known ?? {}
  return { code, message, details: { reason, said } }
}

/** A size that the encoder refuses may be the only problem. */
export const isAboutEncoder = ({ details }: RecorderFailure): boolean => details.reason === 'no_encoder'

export const failureOfError = (error: unknown): RecorderFailure => {
  if (error instanceof LinkError)
    return {
      code: 'RECORDING_FAILED',
      message: `The device could not be asked to record: ${error.message}.`,
      details: { reason: 'link', code: error.code },
    }
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC')
    return {
      code: 'RECORDING_NO_SPACE',
      message: 'This host has no space left for a recording.',
      details: { reason: 'host_full' },
    }
  return {
    code: 'RECORDING_FAILED',
    message: `The recording could not be kept on this host: ${message}.`,
    details: { reason: 'host' },
  }
}

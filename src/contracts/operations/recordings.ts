/** Requests about recordings of a screen. */
import type { FailureCode } from '../failures/failures.ts'
import { RecordingRequest, RecordingResponse, RecordingStatusResponse } from '../recording.ts'
import { ASKING } from './asking.ts'
import type { OperationGroup } from './operation.ts'

const ASKING_SHELL: readonly FailureCode[] = [...ASKING, 'DEVICE_SHELL_UNAVAILABLE', 'JOURNAL_UNAVAILABLE']

export const recordings = {
  'recording.start': {
    tag: 'Recordings',
    summary: 'Starts to record the screen of a device; answers once it records. Executions run meanwhile.',
    body: RecordingRequest,
    isBodyOptional: true,
    answers: RecordingResponse,
    failures: [
      'INVALID_BODY',
      'INVALID_JSON',
      'EXECUTION_DENIED',
      'RECORDING_IN_PROGRESS',
      'RECORDING_UNSUPPORTED',
      'RECORDING_NO_SPACE',
      'RECORDING_FAILED',
      ...ASKING_SHELL,
    ],
  },
  'recording.status': {
    tag: 'Recordings',
    summary: 'The recording that is being made of a device, else the last one; null when there was none.',
    answers: RecordingStatusResponse,
    failures: ASKING_SHELL,
  },
  'recording.stop': {
    tag: 'Recordings',
    summary: 'Stops the recording of a device; answers once all of it is on the host.',
    answers: RecordingResponse,
    failures: [
      'INVALID_BODY',
      'RECORDING_NOT_RUNNING',
      'RECORDING_NOT_FOUND',
      'RECORDING_FAILED',
      'EXECUTION_CONFLICT_IN_FLIGHT',
      ...ASKING_SHELL,
    ],
  },
  'recordings.get': {
    tag: 'Recordings',
    summary: 'The manifest of a recording of this host.',
    answers: RecordingResponse,
    failures: ['RECORDING_NOT_FOUND', 'INTERNAL_ERROR'],
  },
  'recordings.video': {
    tag: 'Recordings',
    summary: 'The video of one segment of a recording of this host; 206 for a Range, 416 for one behind its end.',
    headers: { Range: 'The bytes that are wanted, such as bytes=0-1023: one range.' },
    answers: { type: 'video/mp4' },
    failures: ['RECORDING_NOT_FOUND'],
  },
} as const satisfies OperationGroup

/** Requests of the viewer beside those that everybody makes. */
import { LookBody } from '../doors/http.ts'
import {
  DeviceScreenResponse,
  ExecutionSummariesQuery,
  ExecutionSummariesResponse,
  ViewedActorsResponse,
} from '../doors/viewer.ts'
import { LOOKS_KEPT } from '../limits/limits.ts'
import { CAPTURE, CAPTURE_FAILURES } from './executions.ts'
import type { OperationGroup } from './operation.ts'

export const viewer = {
  'viewer.actors': {
    tag: 'Viewer',
    summary: 'Live and recent actors, each with what it works on and when it entered its state.',
    answers: ViewedActorsResponse,
    failures: ['JOURNAL_UNAVAILABLE'],
  },
  'viewer.executions': {
    tag: 'Viewer',
    summary:
      'Accepted executions without their results, newest first; filters look at the newest 1000, and the answer says when there are older ones.',
    query: ExecutionSummariesQuery,
    answers: ExecutionSummariesResponse,
    failures: ['INVALID_QUERY', 'JOURNAL_UNAVAILABLE'],
  },
  'viewer.deviceScreen': {
    tag: 'Viewer',
    summary: 'The newest recorded snapshot and screenshot of a device. Nothing is sent to it.',
    answers: DeviceScreenResponse,
    failures: ['JOURNAL_UNAVAILABLE'],
  },
  'viewer.look': {
    ...CAPTURE,
    tag: 'Viewer',
    summary: `Takes a snapshot and a screenshot for the viewer. Only the newest ${LOOKS_KEPT} of these pictures are kept.`,
    body: LookBody,
    failures: CAPTURE_FAILURES,
  },
} as const satisfies OperationGroup

/** Requests that run executions, and those about executions that were accepted. */

import { STEPS_HEADER } from '../doors/headers.ts'
import {
  ExecuteBody,
  ExecuteRequest,
  ExecutionQuery,
  ExecutionsQuery,
  PictureQuery,
  ResumeBody,
  ScreenshotBody,
  SnapshotBody,
} from '../doors/http.ts'
import { TraceResponse } from '../doors/viewer.ts'
import { ExecutionSuccess } from '../executions/execution-result.ts'
import { ReceiptResponse, ReceiptsResponse } from '../executions/receipt.ts'
import type { FailureCode } from '../failures/failures.ts'
import {
  CONDITION_HEADERS,
  EXECUTION_ANSWER_HEADERS,
  EXECUTION_FAILURES,
  IDEMPOTENCY_KEY_HEADER,
  type OperationGroup,
} from './operation.ts'

/** Failures of the requests whose execution svc builds itself. */
export const CAPTURE_FAILURES: readonly FailureCode[] = [
  'INVALID_BODY',
  'INVALID_JSON',
  'INVALID_DEVICE_ID',
  'INVALID_OPERATOR_PACKAGE',
  'INTERNAL_ERROR',
  ...EXECUTION_FAILURES,
]

export const CAPTURE = {
  headers: CONDITION_HEADERS,
  answers: ExecutionSuccess,
  answerHeaders: EXECUTION_ANSWER_HEADERS,
} as const

const TRACE_FAILURES = ['EXECUTION_NOT_FOUND', 'NOT_FOUND', 'JOURNAL_UNAVAILABLE'] as const

export const executions = {
  execute: {
    tag: 'Executions',
    summary:
      'Runs an execution on a device. Status 200 means that it ran; the status of its envelope may still be failed.',
    body: ExecuteRequest,
    reads: ExecuteBody,
    headers: {
      [IDEMPOTENCY_KEY_HEADER]:
        'Within 24 hours, the same key and payload run once; later requests get the first answer.',
      ...CONDITION_HEADERS,
    },
    answers: ExecutionSuccess,
    answerHeaders: EXECUTION_ANSWER_HEADERS,
    failures: [
      'INVALID_BODY',
      'INVALID_JSON',
      'MISSING_EXECUTION',
      'INVALID_DEVICE_ID',
      'INVALID_OPERATOR_PACKAGE',
      'IDEMPOTENCY_KEY_REUSED',
      'EXECUTION_NOT_FOUND',
      'INTERNAL_ERROR',
      ...EXECUTION_FAILURES,
    ],
  },
  snapshot: {
    ...CAPTURE,
    tag: 'Executions',
    summary: 'Reads the screen of a device as hierarchy XML, or in compact lines.',
    body: SnapshotBody,
    failures: [...CAPTURE_FAILURES, 'EXECUTION_NOT_FOUND'],
  },
  screenshot: {
    ...CAPTURE,
    tag: 'Executions',
    summary: 'Takes a picture of the screen and writes it to a file on this host.',
    body: ScreenshotBody,
    failures: [...CAPTURE_FAILURES, 'INVALID_PATH'],
  },
  'executions.list': {
    tag: 'Executions',
    summary: 'The receipts of accepted executions, newest first.',
    query: ExecutionsQuery,
    answers: ReceiptsResponse,
    failures: ['INVALID_QUERY', 'JOURNAL_UNAVAILABLE'],
  },
  'executions.get': {
    tag: 'Executions',
    summary: 'The receipt of one execution. Where it is in doubt and the phone is there, the phone is asked.',
    query: ExecutionQuery,
    answers: ReceiptResponse,
    failures: ['INVALID_QUERY', 'EXECUTION_NOT_FOUND', 'JOURNAL_UNAVAILABLE'],
  },
  'executions.cancel': {
    tag: 'Executions',
    summary: 'Stops waiting for an execution; for one that has already ended, returns its receipt.',
    answers: ReceiptResponse,
    failures: ['EXECUTION_NOT_FOUND', 'EXECUTION_CONFLICT_IN_FLIGHT', 'JOURNAL_UNAVAILABLE'],
  },
  'executions.resume': {
    tag: 'Executions',
    summary: 'Runs the steps of an execution that are not proven to have run, as a new execution; once.',
    body: ResumeBody,
    isBodyOptional: true,
    headers: CONDITION_HEADERS,
    answers: ExecutionSuccess,
    answerHeaders: { ...EXECUTION_ANSWER_HEADERS, [STEPS_HEADER]: 'How many steps the new execution has.' },
    failures: [
      'INVALID_BODY',
      'INVALID_JSON',
      'INVALID_DEVICE_ID',
      'INVALID_OPERATOR_PACKAGE',
      'EXECUTION_NOT_FOUND',
      'RESUME_IN_DOUBT',
      'RESUME_REFUSED',
      'INTERNAL_ERROR',
      ...EXECUTION_FAILURES,
    ],
  },
  'executions.trace': {
    tag: 'Viewer',
    summary: 'What happened in one execution: its steps, their times, and its records.',
    answers: TraceResponse,
    failures: TRACE_FAILURES,
  },
  'executions.traceFile': {
    tag: 'Viewer',
    summary: 'The same as one HTML file that opens from disk.',
    answers: { type: 'text/html' },
    failures: TRACE_FAILURES,
  },
  'executions.picture': {
    tag: 'Viewer',
    summary:
      'The picture that a take_screenshot step has written, while the file is as it was; position where steps share an id.',
    query: PictureQuery,
    answers: { type: 'image/png' },
    failures: ['INVALID_QUERY', ...TRACE_FAILURES],
  },
} as const satisfies OperationGroup

/** Requests about runs of flows. */

import { TestRunResponse, TestRunsResponse } from '../flows/test-run.ts'
import { TestRunBegun, TestRunRequest } from '../flows/test-run-request.ts'
import type { OperationGroup } from './operation.ts'

export const testRuns = {
  'testRuns.start': {
    tag: 'Flows',
    summary:
      'Checks all files, and runs flows on every phone that is free: `GET /test-runs/:testRunId` tells how far it is.',
    body: TestRunRequest,
    answers: TestRunBegun,
    status: 202,
    failures: [
      'INVALID_BODY',
      'INVALID_JSON',
      'INVALID_DEVICE_ID',
      'FILE_REFUSED',
      'FLOW_INVALID',
      'DEVICE_NOT_FOUND',
      'EXECUTION_CONFLICT_IN_FLIGHT',
      'EXECUTION_CANCELLED',
      'ADB_SERVER_FAILED',
      'JOURNAL_UNAVAILABLE',
      'INTERNAL_ERROR',
    ],
  },
  'testRuns.list': {
    tag: 'Flows',
    summary: 'The latest runs of flows of this host, the newest first, without their commands.',
    answers: TestRunsResponse,
    failures: ['JOURNAL_UNAVAILABLE', 'INTERNAL_ERROR'],
  },
  'testRuns.get': {
    tag: 'Flows',
    summary: 'One run with its flows, the attempts of each, and their commands.',
    answers: TestRunResponse,
    failures: ['TEST_RUN_NOT_FOUND', 'JOURNAL_UNAVAILABLE', 'INTERNAL_ERROR'],
  },
  'testRuns.cancel': {
    tag: 'Flows',
    summary: 'Cancels a run: attempts that are under way end, and no other begins.',
    answers: TestRunResponse,
    failures: ['TEST_RUN_NOT_FOUND', 'TEST_RUN_NOT_RESUMABLE', 'JOURNAL_UNAVAILABLE', 'INTERNAL_ERROR'],
  },
} as const satisfies OperationGroup

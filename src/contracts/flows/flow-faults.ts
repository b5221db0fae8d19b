/** Says of a failure whether the app or the suite failed, or what happened was not theirs. */
import { FAILURES, isFailureCode } from '../failures/failures.ts'

/** Failures that say nothing about the app. */
const OF_HOST: readonly string[] = [
  'SERVICE_UNAVAILABLE',
  'EXECUTION_ACTION_UNSUPPORTED',
  'EVIDENCE_CAPTURE_FAILED',
  'SNAPSHOT_HIERARCHY_UNAVAILABLE',
  'CLIPBOARD_UNAVAILABLE',
  'COMMAND_IN_DOUBT',
  'TEST_RUN_NOT_RESUMABLE',
]

/** Refusals of requests that the suite itself has made wrongly. */
const OF_SUITE: readonly string[] = ['EXECUTION_VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE']

/** An unknown code of a step is the app's: operators may have codes of their own. */
export const isFaultOfHost = (code: string): boolean =>
  OF_HOST.includes(code) ||
  (isFailureCode(code) && !['envelope', 'flows', 'install'].includes(FAILURES[code].layer) && !OF_SUITE.includes(code))

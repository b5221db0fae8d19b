/** What the service answers a command: the value, or the failure as an error of the protocol. */

import type { StepResult } from '../../../contracts/executions/execution-result.ts'
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import type { Result } from '../../../service/service.ts'
import { webDriverErrorOf } from '../protocol/failure-error.ts'
import type { LiveSession, PerformOptions, SessionStep } from './live-session.ts'

export const answerOf = <T>(result: Result<T>): T => {
  if (result.ok) return result.value
  throw webDriverErrorOf(result.error, result.executionId)
}

/** The device of the session in its own words. */
export const deviceOf = async (session: LiveSession) =>
  answerOf(await session.service['devices.get']({ deviceId: session.deviceId }, session.call())).device

export const settingsOf = async (session: LiveSession) =>
  answerOf(await session.service['settings.get']({ deviceId: session.deviceId }, session.call())).settings

type StepOutcome =
  | { readonly ok: true; readonly data: StepResult['data'] }
  | { readonly ok: false; readonly error: ErrorObject }

/** Performs steps of which some failures are an answer; others are thrown. The data are those of the last step. */
export const outcomeOf = async (
  session: LiveSession,
  steps: readonly SessionStep[],
  expected: readonly string[],
  options?: PerformOptions,
): Promise<StepOutcome> => {
  const done = await session.perform(steps, options)
  if (done.ok) return { ok: true, data: done.steps.at(-1)?.data ?? {} }
  if (expected.includes(done.error.code)) return { ok: false, error: done.error }
  throw webDriverErrorOf(done.error, done.executionId)
}

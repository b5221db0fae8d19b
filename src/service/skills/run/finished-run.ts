/** A run that is over: what both surfaces tell of it, put together from the judgement and from what this process saw. */
import type { SkillRunEmitted } from '../../../../machines/skill-run/skill-run-setup.ts'
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { type FailureCode, isFailureCode } from '../../../contracts/failures/failures.ts'
import { defined } from '../../../contracts/json/json.ts'
import type { SkillResult } from '../../../contracts/skills/skill-result.ts'
import { refuse } from '../refusal.ts'
import { lastLineOf, noteOf } from '../result/failure-reason.ts'
import type { LiveRun } from './live-run.ts'
import type { ChildExit } from './start-child.ts'
import { callersTimeout } from './timeout.ts'

export interface FinishedRun {
  /** The executions that the run caused are filed under it. */
  runId: string
  skillId: string
  status: 'success' | 'failed' | 'indeterminate'
  /** Unless it is a success. */
  error?: ErrorObject
  durationMs: number
  /** Absent when no child ended: none was started, or it outlived the wait. */
  exit?: ChildExit
  /** Absent when no child was started. */
  captured?: { stdout: string; stderr: string }
  skillResult: SkillResult | null
  /** The caller's own; for a run that timed out the one that counted. */
  timeoutMs?: number
  expectedSubstring?: string
  /** The signal by which the caller cancelled. */
  cancelledBy?: string
}

const whyFailed = ({ request, exit, reason, cancelledBy, output }: LiveRun): string => {
  const skill = `Skill ${request.skillId}`
  if (cancelledBy !== undefined) return `${skill} was cancelled by ${cancelledBy}.`
  if (exit?.signal) return `The script of ${request.skillId} was ended by ${exit.signal}.`
  if (exit && exit.exitCode !== 0) return `The script of ${request.skillId} exited with ${exit.exitCode}.`
  if (exit) return `${skill} reports that it failed.`
  if (reason !== undefined) return `The script of ${request.skillId} could not be started: ${reason}.`
  return `${skill} was interrupted${output ? '; it may have acted' : ' before it was started'}.`
}

const MESSAGES: Partial<Record<FailureCode, (run: LiveRun) => string>> = {
  SKILL_EXECUTION_TIMEOUT: run => `Skill ${run.request.skillId} did not end within its timeout of ${run.timeoutMs} ms.`,
  SKILL_RESULT_PARSE_FAILED: ({ request, reason }) =>
    reason === undefined
      ? `Skill ${request.skillId} is driven by an agent and ended without the terminal frame.`
      : `The terminal frame of ${request.skillId} is malformed or untrusted: ${reason}.`,
  SKILL_OUTPUT_ASSERTION_FAILED: ({ request }) =>
    `The output of ${request.skillId} does not contain ${JSON.stringify(request.expectContains ?? '')}.`,
  SKILL_VERIFICATION_INDETERMINATE: ({ reason }) =>
    `Declared verification was not proved${reason === undefined ? '' : `: ${reason}`}.`,
}

/** The codes that judge what a skill did; what else fails is not for the skill to explain. */
const OF_SKILLS = 'SKILL_'

/** The machine gave no answer in time: why it did not is not known here, what the run came to is. */
export const lateError = (run: LiveRun): ErrorObject => {
  const { request, timeoutMs, started, exit } = run
  const ended = exit ? 'ended, but that could not be recorded' : 'did not end'
  const message = `Skill ${request.skillId} ${started ? ended : 'was not started'} within its timeout of ${timeoutMs} ms.`
  return refuse('SKILL_EXECUTION_TIMEOUT', message).error
}

export const cancelledError = (run: LiveRun): ErrorObject => refuse('SKILL_EXECUTION_FAILED', whyFailed(run)).error

/** The caller has to end them himself, so he learns which they are. */
const withSurvivors = (error: ErrorObject, { survivors }: LiveRun): ErrorObject => {
  if (survivors.length === 0) return error
  const message = `${error.message} It started processes that could not be ended: ${survivors.join(', ')}.`
  return { ...error, message, details: { ...error.details, survivors: [...survivors] } }
}

/** The frame's own note, else the last line of stderr. A caller who cancelled knows why. */
const reasonOf = ({ skillResult, output, cancelledBy }: LiveRun): string | undefined => {
  if (cancelledBy !== undefined) return undefined
  const note = skillResult ? noteOf(skillResult) : undefined
  if (note !== undefined) return `The skill says: ${note}`
  const line = lastLineOf(output?.captured().stderr ?? '')
  return line === undefined ? undefined : `Last line of stderr: ${line}`
}

const withReason = (error: ErrorObject, run: LiveRun): ErrorObject => {
  const reason = error.code.startsWith(OF_SKILLS) ? reasonOf(run) : undefined
  return reason === undefined ? error : { ...error, message: `${error.message} ${reason}` }
}

const explained = (error: ErrorObject, run: LiveRun) => withReason(withSurvivors(error, run), run)

const errorOf = (run: LiveRun, code: string): ErrorObject => {
  if (run.refusal) return run.refusal
  const known = isFailureCode(code) ? code : 'INTERNAL_ERROR'
  return refuse(known, (MESSAGES[known] ?? whyFailed)(run)).error
}

const echoOf = ({ request, ...run }: LiveRun, code: string | null) => {
  const timeoutMs = code === 'SKILL_EXECUTION_TIMEOUT' ? run.timeoutMs : callersTimeout(request.timeoutMs)
  return defined({ timeoutMs, expectedSubstring: request.expectContains })
}

const seenOf = ({ exit, output, cancelledBy, skillResult }: LiveRun) => ({
  ...defined({ exit, captured: output?.captured(), cancelledBy }),
  skillResult,
})

export const finishedRun = (run: LiveRun, { runId, status, code, durationMs }: SkillRunEmitted): FinishedRun => ({
  runId,
  skillId: run.request.skillId,
  status,
  durationMs,
  ...(code === null ? {} : { error: explained(errorOf(run, code), run) }),
  ...seenOf(run),
  ...echoOf(run, code),
})

/** One that no machine finished: it never began, or the journal was lost under it, or gave no answer. */
export const unrecordedRun = (run: LiveRun, runId: string, error: ErrorObject, durationMs: number): FinishedRun => ({
  runId,
  skillId: run.request.skillId,
  status: 'failed',
  durationMs,
  error: explained(error, run),
  ...seenOf(run),
  ...echoOf(run, error.code),
})

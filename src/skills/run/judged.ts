/** A run that is over: what both surfaces tell of it, put together from the judgement and from what this process saw. */
import type { SkillRunEmitted } from '../../../machines/skill-run-setup.ts'
import type { ErrorObject } from '../../contracts/error.ts'
import { type FailureCode, isFailureCode } from '../../contracts/failures.ts'
import type { SkillResult } from '../../contracts/skill-result.ts'
import { refuse } from '../refusal.ts'
import type { ChildExit } from './child.ts'
import type { LiveRun } from './live-run.ts'
import { callersTimeout, effectiveTimeout } from './timeout.ts'

export interface JudgedRun {
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

const effectiveMs = ({ plan, request }: LiveRun) =>
  plan?.timeoutMs ?? effectiveTimeout(callersTimeout(request.timeoutMs), undefined)

const MESSAGES: Partial<Record<FailureCode, (run: LiveRun) => string>> = {
  SKILL_EXECUTION_TIMEOUT: run =>
    `Skill ${run.request.skillId} did not end within its timeout of ${effectiveMs(run)} ms.`,
  SKILL_RESULT_PARSE_FAILED: ({ request, reason }) =>
    reason === undefined
      ? `Skill ${request.skillId} is driven by an agent and ended without the terminal frame.`
      : `The terminal frame of ${request.skillId} is malformed or untrusted: ${reason}.`,
  SKILL_OUTPUT_ASSERTION_FAILED: ({ request }) =>
    `The output of ${request.skillId} does not contain ${JSON.stringify(request.expectContains ?? '')}.`,
  SKILL_VERIFICATION_INDETERMINATE: ({ reason }) =>
    `Declared verification was not proved${reason === undefined ? '' : `: ${reason}`}.`,
}

const HINTS: Partial<Record<FailureCode, string>> = {
  SKILL_RESULT_PARSE_FAILED: 'The last two lines that are not empty are the marker alone, and one line of JSON.',
}

const errorOf = (run: LiveRun, code: string): ErrorObject => {
  if (run.refusal) return run.refusal
  const known = isFailureCode(code) ? code : 'INTERNAL_ERROR'
  return refuse(known, (MESSAGES[known] ?? whyFailed)(run), { hint: HINTS[known] }).error
}

const echoOf = ({ request }: LiveRun, timeoutMs = callersTimeout(request.timeoutMs)) => ({
  ...(timeoutMs === undefined ? {} : { timeoutMs }),
  ...(request.expectContains === undefined ? {} : { expectedSubstring: request.expectContains }),
})

const seenOf = ({ exit, output, cancelledBy, skillResult }: LiveRun) => ({
  ...(exit ? { exit } : {}),
  ...(output ? { captured: output.captured() } : {}),
  ...(cancelledBy === undefined ? {} : { cancelledBy }),
  skillResult,
})

export const judgedRun = (run: LiveRun, { runId, status, code, durationMs }: SkillRunEmitted): JudgedRun => ({
  runId,
  skillId: run.request.skillId,
  status,
  durationMs,
  ...(code === null ? {} : { error: errorOf(run, code) }),
  ...seenOf(run),
  ...echoOf(run, code === 'SKILL_EXECUTION_TIMEOUT' ? effectiveMs(run) : undefined),
})

/** One that no machine judged: it never began, or the journal was lost under it. */
export const unjudgedRun = (run: LiveRun, runId: string, error: ErrorObject, durationMs: number): JudgedRun => ({
  runId,
  skillId: run.request.skillId,
  status: 'failed',
  durationMs,
  error,
  ...seenOf(run),
  ...echoOf(run),
})

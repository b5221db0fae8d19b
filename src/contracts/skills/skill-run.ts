/** How a skill run ends: the contract's Wrapper result, for the CLI and for HTTP. */
import * as v from 'valibot'
import { anyObject, closedObject } from '../json/objects.ts'
import { count } from '../json/scalars.ts'
import { SkillResult } from './skill-result.ts'

const always = {
  durationMs: count,
  timeoutMs: v.exactOptional(count),
  expectedSubstring: v.exactOptional(v.string()),
}

const framed = { skillResult: SkillResult, ...always }

const unframed = {
  status: v.literal('success'),
  skillId: v.string(),
  output: v.string(),
  exitCode: v.literal(0),
  skillResult: v.null(),
  ...always,
}

const indeterminate = {
  status: v.literal('indeterminate'),
  code: v.literal('SKILL_VERIFICATION_INDETERMINATE'),
  message: v.string(),
  hint: v.exactOptional(v.string()),
  /** Null when a skill that declares a verification ended without any frame: there is nothing to preserve. */
  skillResult: v.nullable(SkillResult),
  ...always,
}

const failed = {
  code: v.string(),
  message: v.string(),
  details: v.exactOptional(anyObject),
  hint: v.exactOptional(v.string()),
  retriable: v.exactOptional(v.boolean()),
  skillId: v.exactOptional(v.string()),
  /** Null for a child that a signal ended. */
  exitCode: v.exactOptional(v.nullable(v.pipe(v.number(), v.integer()))),
  stdout: v.exactOptional(v.string()),
  /** Left out when empty. */
  stderr: v.exactOptional(v.pipe(v.string(), v.minLength(1))),
  output: v.exactOptional(v.string()),
  skillResult: v.exactOptional(v.nullable(SkillResult)),
  expectedSubstring: v.exactOptional(v.string()),
  timeoutMs: v.exactOptional(count),
}

export const SkillRunFramed = closedObject({ status: v.literal('success'), ...framed })

export const SkillRunUnframed = closedObject(unframed)
export type SkillRunUnframed = v.InferOutput<typeof SkillRunUnframed>

export const SkillRunIndeterminate = closedObject(indeterminate)

export const SkillRunFailed = closedObject({ status: v.literal('failed'), ...failed })

/** The output of `svc skills run`. */
export const SkillRunOutcome = v.union([SkillRunFramed, SkillRunUnframed, SkillRunIndeterminate, SkillRunFailed])
export type SkillRunOutcome = v.InferOutput<typeof SkillRunOutcome>

export const SkillRunFramedResponse = closedObject({ ok: v.literal(true), ...framed })
export type SkillRunFramedResponse = v.InferOutput<typeof SkillRunFramedResponse>

export const SkillRunUnframedResponse = closedObject({ ok: v.literal(true), ...unframed })

export const SkillRunIndeterminateResponse = closedObject({ ok: v.null(), ...indeterminate })

export const SkillRunFailedResponse = closedObject({
  ok: v.literal(false),
  status: v.exactOptional(v.literal('failed')),
  error: closedObject(failed),
})
export type SkillRunFailedResponse = v.InferOutput<typeof SkillRunFailedResponse>

/** The answer of POST /skills/:skillId/run. */
export const SkillRunResponse = v.union([
  SkillRunFramedResponse,
  SkillRunUnframedResponse,
  SkillRunIndeterminateResponse,
  SkillRunFailedResponse,
])
export type SkillRunResponse = v.InferOutput<typeof SkillRunResponse>

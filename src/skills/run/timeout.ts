/** How long a run may take: the caller's timeout, else the skill's, else the default. */
import { SKILL_TIMEOUT_MS } from '../../contracts/limits.ts'
import { createRootGuard } from '../containment.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { findSkill } from '../registry/find.ts'
import type { SkillRunDeps } from './request.ts'
import { readSkillFacts } from './skill-facts.ts'

const wholeMs = (ms: number) => Math.min(Math.ceil(ms), Number.MAX_SAFE_INTEGER)

/** The refusal of an invalid timeout. */
export const timeoutProblem = (timeoutMs: number | undefined): Refusal | undefined => {
  if (timeoutMs === undefined) return undefined
  if (!Number.isFinite(timeoutMs)) return refuse('EXECUTION_VALIDATION_FAILED', 'timeoutMs must be a finite number')
  if (timeoutMs <= 0) return refuse('EXECUTION_VALIDATION_FAILED', 'timeoutMs must be greater than 0')
  return undefined
}

export const callersTimeout = (timeoutMs: number | undefined): number | undefined =>
  timeoutMs === undefined ? undefined : wholeMs(timeoutMs)

export const effectiveTimeout = (callers: number | undefined, agents: number | undefined): number =>
  wholeMs(callers ?? agents ?? SKILL_TIMEOUT_MS)

/** A time that far away is as good as never, and is still a number that everything can hold. */
export const timeAfter = (now: number, ms: number): number => Math.min(now + ms, Number.MAX_SAFE_INTEGER)

/** Undefined as well for a skill that cannot be read; the gates say what is wrong with it. */
export const declaredTimeout = (
  skillId: string,
  { loadRegistry }: Pick<SkillRunDeps, 'loadRegistry'>,
): number | undefined => {
  const loaded = loadRegistry()
  const found = loaded.ok ? findSkill(loaded.registry, skillId) : loaded
  if (!loaded.ok || !found.ok) return undefined
  const facts = readSkillFacts(found.skill, createRootGuard(loaded.registry))
  return facts.ok ? facts.agent?.timeoutMs : undefined
}

/** How long a run may take: the caller's timeout, else the one in the skill's own skill.json, else the default. */
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import { openObject } from '../../../contracts/json/objects.ts'
import { SKILL_TIMEOUT_MS } from '../../../contracts/limits/limits.ts'
import type { RegistryEntry } from '../../../contracts/skills/registry.ts'
import { SkillAgent, SkillContract } from '../../../contracts/skills/skill-json.ts'
import { createRootGuard, type PathInRoot } from '../containment.ts'
import { readShallowJson } from '../read-json.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { findSkill } from '../registry/find.ts'
import type { SkillRunDeps } from './live-run.ts'

interface SkillFacts {
  ok: true
  /** The skill directory, absolute. */
  folder: string
  agent?: SkillAgent
  contract?: SkillContract
}

const SKILL_JSON_BYTES_MAX = 1_024 * 1_024

const Facts = openObject({ agent: v.exactOptional(SkillAgent), contract: v.exactOptional(SkillContract) })

const unreadable = (skillId: string, path: string, problem: string): Refusal =>
  refuse('SKILL_VALIDATION_FAILED', `Skill ${skillId} cannot run: its skill.json ${problem}.`, {
    details: { skillJsonPath: path },
    hint: 'That file says whether an agent drives the skill and what the skill must prove.',
  })

const issueOf = (issue: v.BaseIssue<unknown>) => `is wrong in ${v.getDotPath(issue) ?? 'its shape'}: ${issue.message}`

/** Read even when validation was skipped: a skill must not run as something else because its file is damaged. */
export const readSkillFacts = (
  { id, path: folder }: Pick<RegistryEntry, 'id' | 'path'>,
  inRoot: (path: string) => PathInRoot,
): SkillFacts | Refusal => {
  const seen = inRoot(join(folder, 'skill.json'))
  if (seen.kind === 'missing') return { ok: true, folder: dirname(seen.path) }
  if (seen.kind === 'outside')
    return refuse('SKILL_SCRIPT_NOT_FOUND', `Skill ${id} cannot run: its path ${seen.problem}.`)
  const read = readShallowJson(seen.path, SKILL_JSON_BYTES_MAX)
  if (!read.ok) return unreadable(id, seen.path, read.problem)
  const parsed = v.safeParse(Facts, read.value)
  return parsed.success
    ? { ok: true, folder: dirname(seen.path), ...parsed.output }
    : unreadable(id, seen.path, issueOf(parsed.issues[0]))
}

const wholeMs = (ms: number) => Math.min(Math.ceil(ms), Number.MAX_SAFE_INTEGER)

const UNIT_HINT = 'Give it in milliseconds, without a unit: 120000.'

/** The refusal of an invalid timeout. */
export const timeoutProblem = (timeoutMs: number | undefined): Refusal | undefined => {
  if (timeoutMs === undefined) return undefined
  if (!Number.isFinite(timeoutMs))
    return refuse('EXECUTION_VALIDATION_FAILED', 'timeoutMs must be a finite number', { hint: UNIT_HINT })
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

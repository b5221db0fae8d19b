/** Reads the facts of skill.json that a run needs: who drives the skill, and what it promises to prove. */
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import { openObject } from '../../contracts/objects.ts'
import type { RegistryEntry } from '../../contracts/registry.ts'
import { SkillAgent, SkillContract } from '../../contracts/skill-json.ts'
import type { PathInRoot } from '../containment.ts'
import { readShallowJson } from '../json.ts'
import { type Refusal, refuse } from '../refusal.ts'

export interface SkillFacts {
  ok: true
  /** The skill directory, absolute. */
  folder: string
  agent?: SkillAgent
  contract?: SkillContract
}

const SKILL_JSON_BYTES_MAX = 1_024 * 1_024

const Facts = openObject({ agent: v.exactOptional(SkillAgent), contract: v.exactOptional(SkillContract) })

const unreadable = (skillId: string, path: string, said: string): Refusal =>
  refuse('SKILL_VALIDATION_FAILED', `Skill ${skillId} cannot run: its skill.json ${said}.`, {
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

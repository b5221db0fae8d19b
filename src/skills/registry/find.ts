/** One skill of a registry, by its id. */
import type { RegistryEntry, SkillOutput } from '../../contracts/registry.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { Registry } from './load.ts'

export type FoundSkill = { ok: true; skill: RegistryEntry } | Refusal

/** Letter case and what stands between the words. */
const folded = (id: string) => id.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

const resembling = ({ skills }: Registry, skillId: string): string | undefined => {
  const wanted = folded(skillId)
  if (wanted === '') return undefined
  const near = skills.find(({ id }) => folded(id) === wanted) ?? skills.find(({ id }) => folded(id).endsWith(wanted))
  return near?.id
}

/** Finds a skill by its id; the first of several entries with one id counts. */
export const findSkill = (registry: Registry, skillId: string): FoundSkill => {
  const skill = registry.skills.find(({ id }) => id === skillId)
  if (skill !== undefined) return { ok: true, skill }
  const near = resembling(registry, skillId)
  return refuse('SKILL_NOT_FOUND', `The registry has no skill ${JSON.stringify(skillId.slice(0, 200))}.`, {
    details: { skillId, registryPath: registry.path },
    hint: near === undefined ? 'Run `svc skills list` to see which ones exist.' : `Did you mean ${near}?`,
  })
}

/** The output of `skills get`. */
export const getSkill = (registry: Registry, skillId: string): { ok: true; output: SkillOutput } | Refusal => {
  const found = findSkill(registry, skillId)
  return found.ok ? { ok: true, output: { skill: found.skill } } : found
}

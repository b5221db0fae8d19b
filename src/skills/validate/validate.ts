/** `svc skills validate`: one skill, and the gate before a run. */
import type { RegistryEntry } from '../../contracts/registry.ts'
import type { SkillValidated } from '../../contracts/skill-commands.ts'
import type { Refusal } from '../refusal.ts'
import { findSkill } from '../registry/find.ts'
import type { Registry } from '../registry/load.ts'
import { checkSkills, type SkillCheck } from './check-skill.ts'

export interface ValidateOptions {
  registry: Registry
  skillId: string
  dryRun?: boolean
}

export type Validated = { ok: true; output: SkillValidated } | Refusal

const checkOne = (skill: RegistryEntry, { path, root }: Registry, dryRun: boolean): SkillCheck | undefined =>
  checkSkills({ place: { path, root }, dryRun, skills: [skill] })[0]

export const validateEntry = (skill: RegistryEntry, registry: Registry, dryRun: boolean): Validated => {
  const result = checkOne(skill, registry, dryRun)
  if (result === undefined) throw new Error('a skill has no result')
  if (!result.ok) return result
  const { ok: _, ...facts } = result
  return { ok: true, output: { valid: true, skill, registryPath: registry.path, ...facts } }
}

export const validateSkill = ({ registry, skillId, dryRun = false }: ValidateOptions): Validated => {
  const found = findSkill(registry, skillId)
  return found.ok ? validateEntry(found.skill, registry, dryRun) : found
}

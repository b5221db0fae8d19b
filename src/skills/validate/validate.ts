/** `svc skills validate`: one skill, and the gate before a run. */
import type { RegistryEntry } from '../../contracts/registry.ts'
import type { SkillValidated } from '../../contracts/skill-commands.ts'
import type { Refusal } from '../refusal.ts'
import { findSkill } from '../registry/find.ts'
import type { Registry } from '../registry/load.ts'
import { judgeSkills, type Verdict } from './judge.ts'

export interface ValidateOptions {
  registry: Registry
  skillId: string
  dryRun?: boolean
}

export type Validated = { ok: true; output: SkillValidated } | Refusal

const verdictOn = (skill: RegistryEntry, { path, root }: Registry, dryRun: boolean): Verdict | undefined =>
  judgeSkills({ place: { path, root }, dryRun, skills: [skill] })[0]

export const validateEntry = (skill: RegistryEntry, registry: Registry, dryRun: boolean): Validated => {
  const verdict = verdictOn(skill, registry, dryRun)
  if (verdict === undefined) throw new Error('a skill was judged without a verdict')
  if (!verdict.ok) return verdict
  const { ok: _, ...facts } = verdict
  return { ok: true, output: { valid: true, skill, registryPath: registry.path, ...facts } }
}

export const validateSkill = ({ registry, skillId, dryRun = false }: ValidateOptions): Validated => {
  const found = findSkill(registry, skillId)
  return found.ok ? validateEntry(found.skill, registry, dryRun) : found
}

/** `svc skills validate`: one skill, the gate before a run, and all skills of a registry in worker threads. */
import { setImmediate } from 'node:timers/promises'
import type { RegistryEntry } from '../../../contracts/skills/registry.ts'
import type { SkillsInvalid, SkillsValidated, SkillValidated } from '../../../contracts/skills/skill-commands.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { findSkill } from '../registry/find.ts'
import type { Registry } from '../registry/load.ts'
import { checkSkills, type SkillCheck, type ValidationChunk } from './check-skill.ts'

interface ValidateOptions {
  registry: Registry
  skillId: string
  dryRun?: boolean
}

type Validated = { ok: true; output: SkillValidated } | Refusal

const checkOne = (skill: RegistryEntry, { path, root }: Registry, dryRun: boolean): SkillCheck | undefined =>
  checkSkills({ place: { path, root }, dryRun, skills: [skill] })[0]

const validateEntry = (skill: RegistryEntry, registry: Registry, dryRun: boolean): Validated => {
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

/** Some 10 ms of work: what else the process does waits no longer than that. */
const CHUNK_SKILLS = 100

export interface ValidateAllOptions {
  registry: Registry
  dryRun?: boolean
  /** Called after each piece. */
  onProgress?: (done: number, total: number) => void
  /** Does one piece elsewhere; `checkSkills` is what it has to call there. */
  runChunk?: (chunk: ValidationChunk) => Promise<readonly SkillCheck[]>
  /** How many pieces are under way at once, and how large they are. */
  parallel?: number
  chunkSkills?: number
}

type ValidatedAll =
  | { ok: true; output: SkillsValidated }
  /** With `registryPath` at the top level, when skills are invalid. */
  | { ok: false; error: Refusal['error'] & Partial<Pick<SkillsInvalid, 'registryPath'>> }

const inThisThread = async (chunk: ValidationChunk): Promise<readonly SkillCheck[]> => {
  await setImmediate()
  return checkSkills(chunk)
}

const invalid = (registry: Registry, results: readonly SkillCheck[]): ValidatedAll & { ok: false } => {
  const failures = results.flatMap((result, index) => {
    if (result.ok) return []
    const { code, message } = result.error
    return [{ skillId: registry.skills[index]?.id ?? '', code, message }]
  })
  const totalSkills = results.length
  const invalidCount = failures.length
  const { error } = refuse('SKILL_VALIDATION_FAILED', `${invalidCount} of ${totalSkills} skills did not validate.`, {
    details: { totalSkills, validCount: totalSkills - invalidCount, invalidCount, failures },
    hint: 'Run `svc skills validate <skill_id>` for one of them to see its problem.',
  })
  return { ok: false, error: { ...error, registryPath: registry.path } }
}

const valid = ({ path, skills }: Registry, results: readonly SkillCheck[]): ValidatedAll => {
  const validSkills = results.flatMap((result, index) => {
    const skill: RegistryEntry | undefined = skills[index]
    return result.ok && skill !== undefined ? [{ skill, checks: result.checks }] : []
  })
  return { ok: true, output: { valid: true, totalSkills: skills.length, registryPath: path, validSkills } }
}

const chunksOf = ({ path, root, skills }: Registry, dryRun: boolean, size: number): ValidationChunk[] =>
  Array.from({ length: Math.ceil(skills.length / size) }, (_, index) => ({
    place: { path, root },
    dryRun,
    skills: skills.slice(index * size, (index + 1) * size),
  }))

/** A piece that cannot be done at all rejects. */
const checkAll = async (chunks: readonly ValidationChunk[], options: ValidateAllOptions): Promise<SkillCheck[]> => {
  const { registry, onProgress, runChunk = inThisThread, parallel = 1 } = options
  const results: (readonly SkillCheck[])[] = []
  let done = 0
  const waiting = chunks.entries()
  const work = async (): Promise<void> => {
    for (const [index, chunk] of waiting) {
      const finished = await runChunk(chunk)
      if (finished.length !== chunk.skills.length) throw new Error('results of some skills are missing')
      results[index] = finished
      done += chunk.skills.length
      onProgress?.(done, registry.skills.length)
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, parallel) }, work))
  return results.flat()
}

export const validateAll = async (options: ValidateAllOptions): Promise<ValidatedAll> => {
  const { registry, dryRun = false, chunkSkills = CHUNK_SKILLS } = options
  try {
    const results = await checkAll(chunksOf(registry, dryRun, chunkSkills), options)
    return results.every(result => result.ok) ? valid(registry, results) : invalid(registry, results)
  } catch (error) {
    const message = messageOf(error)
    return refuse('INTERNAL_ERROR', `The skills could not be validated: ${message}`)
  }
}

/** Section Validate rules: the result on skills. Plain data in and out, so that a worker can do it as well. */

import { setImmediate as nextTask } from 'node:timers/promises'
import type { RegistryEntry } from '../../contracts/registry.ts'
import type { SkillChecks } from '../../contracts/skill-commands.ts'
import type { Clock } from '../../runtime/clock.ts'
import { createRootGuard, type PathInRoot, type RepoPlace } from '../containment.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { type FilesFound, findFiles } from './files.ts'
import { mismatchFields } from './parity.ts'
import { checkRecipes, type DryRun } from './recipes.ts'
import { blockProblem, readSkillJson } from './skill-json.ts'

export interface ValidationChunk {
  place: RepoPlace
  dryRun: boolean
  skills: readonly RegistryEntry[]
}

export type SkillCheck = { ok: true; checks: SkillChecks; dryRun?: DryRun } | Refusal

const CODE = 'SKILL_VALIDATION_FAILED'
/** More files than this help nobody. */
const NAMED_MAX = 5

const named = (missing: readonly { path: string; problem: string }[]): string => {
  const first = missing.slice(0, NAMED_MAX).map(({ path, problem }) => `${path} ${problem}`)
  const rest = missing.length - first.length
  return first.join('; ') + (rest > 0 ? `; and ${rest} more` : '')
}

const filesRefused = (skill: RegistryEntry, found: Exclude<FilesFound, { kind: 'all' }>, place: RepoPlace): Refusal => {
  if (found.kind === 'missing') {
    const missingFiles = found.missing.map(({ path }) => path)
    return refuse(CODE, `Files of the skill ${skill.id} are missing: ${named(found.missing)}.`, {
      details: { skillJsonPath: found.skillJsonPath, missingFiles },
      hint: 'Restore them, or remove them from the registry entry and from skill.json.',
    })
  }
  const { field, path, problem } = found
  return refuse(CODE, `The skill ${skill.id} leaves its repository: ${field} ${JSON.stringify(path)} ${problem}.`, {
    details: { field, path, root: place.root },
    hint: 'Every path of an entry is relative to the skills repo root and stays inside it.',
  })
}

/** Undefined when skill.json says what the registry says. */
const metadataRefused = (skill: RegistryEntry, { path }: RepoPlace, skillJsonPath: string): Refusal | undefined => {
  const read = readSkillJson(skillJsonPath)
  if (!read.ok) return refuse(CODE, `${skillJsonPath} ${read.problem}`, { details: { skillJsonPath } })
  const fields = mismatchFields(skill, read.skillJson)
  if (fields.length > 0) {
    const said = `${skillJsonPath} does not match the registry entry of ${skill.id} in: ${fields.join(', ')}.`
    return refuse(CODE, said, {
      details: { skillJsonPath, mismatchFields: fields },
      hint: `Make it match ${path}.`,
    })
  }
  const problem = blockProblem(read.skillJson)
  return problem === undefined
    ? undefined
    : refuse(CODE, `${skillJsonPath} is wrong in ${problem}`, { details: { skillJsonPath } })
}

interface Job extends Pick<ValidationChunk, 'place' | 'dryRun'> {
  inRoot: (path: string) => PathInRoot
}

function* checkSteps(skill: RegistryEntry, { place, dryRun, inRoot }: Job): Generator<void, SkillCheck> {
  const found = findFiles(skill, inRoot)
  if (found.kind !== 'all') return filesRefused(skill, found, place)
  const { checks } = found
  const refused = metadataRefused(skill, place, checks.skillJsonPath)
  if (refused !== undefined) return refused
  if (!dryRun) return { ok: true, checks }
  const recipes = yield* checkRecipes(skill, checks.artifactPaths)
  if (recipes.ok) return { ok: true, checks, dryRun: recipes.dryRun }
  const { artifactPath, problem, details, hint } = recipes
  return refuse(CODE, `The recipe ${artifactPath} of ${skill.id} ${problem}`, {
    details: { skillJsonPath: checks.skillJsonPath, artifactPath, ...details },
    hint,
  })
}

const toEnd = (steps: Generator<void, SkillCheck>): SkillCheck => {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

const SLICE_MS = 20

/** The same for one skill in slices of time, so that the caller may cancel between them; then it is undefined. */
export const checkSkillInSlices = async (
  skill: RegistryEntry,
  place: RepoPlace,
  { clock, signal }: { clock: Pick<Clock, 'elapsed'>; signal: AbortSignal },
): Promise<SkillCheck | undefined> => {
  const steps = checkSteps(skill, { place, dryRun: true, inRoot: createRootGuard(place) })
  for (let until = clock.elapsed() + SLICE_MS; !signal.aborted; ) {
    const step = steps.next()
    if (step.done) return step.value
    if (clock.elapsed() < until) continue
    await nextTask()
    until = clock.elapsed() + SLICE_MS
  }
  return undefined
}

/** One result for each skill, in their order. */
export const checkSkills = ({ place, dryRun, skills }: ValidationChunk): SkillCheck[] => {
  const job = { place, dryRun, inRoot: createRootGuard(place) }
  return skills.map(skill => toEnd(checkSteps(skill, job)))
}

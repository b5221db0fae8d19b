/** Section Validate rules: checks the files and the skill.json of skills. Plain data in and out, so that a worker can do it. */
import { posix } from 'node:path'
import { setImmediate as nextTask } from 'node:timers/promises'
import * as v from 'valibot'
import { isObject, type JsonObject } from '../../../contracts/json/json.ts'
import type { RegistryEntry } from '../../../contracts/skills/registry.ts'
import type { SkillChecks } from '../../../contracts/skills/skill-commands.ts'
import { SkillAgent, SkillContract } from '../../../contracts/skills/skill-json.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { createRootGuard, type PathInRoot, type RepoPlace } from '../containment.ts'
import { readJson, sameJson } from '../read-json.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { checkRecipes, type DryRun } from './recipes.ts'

type Same = (registry: unknown, skillJson: unknown) => boolean

const normalised = (path: unknown): unknown =>
  typeof path === 'string' ? posix.normalize(path).replace(/(?<=.)\/+$/, '') : path

const samePath: Same = (a, b) => a === b || normalised(a) === normalised(b)

const samePaths: Same = (a, b) =>
  Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((path, index) => samePath(path, b[index]))

const sameText: Same = (a, b) => a === b

/** Guards the sort: skill.json is not validated yet, and sorting values that are not texts would walk into them. */
const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(item => typeof item === 'string')

/** None and an empty list are one. */
const sameWords: Same = (a = [], b = []) => isTexts(a) && isTexts(b) && sameJson([...a].sort(), [...b].sort())

const FIELDS: readonly (readonly [string, Same])[] = [
  ['id', sameText],
  ['applicationId', sameText],
  ['intent', sameText],
  ['summary', sameText],
  ['keywords', sameWords],
  ['path', samePath],
  ['skillFile', samePath],
  ['scripts', samePaths],
  ['artifacts', samePaths],
  ['contract', sameJson],
]

const mismatchFields = (entry: RegistryEntry, skillJson: JsonObject): string[] =>
  FIELDS.filter(([field, isSame]) => !isSame((entry as JsonObject)[field], skillJson[field])).map(([field]) => field)

const SKILL_JSON_BYTES_MAX = 1_024 * 1_024

const readSkillJson = (path: string): { ok: true; skillJson: JsonObject } | { ok: false; problem: string } => {
  const read = readJson(path, SKILL_JSON_BYTES_MAX)
  if (!read.ok) return read
  return isObject(read.value) ? { ok: true, skillJson: read.value } : { ok: false, problem: 'is not a JSON object' }
}

const BLOCKS = { agent: SkillAgent, contract: SkillContract } as const

/** The first thing that is wrong with who drives the skill, or with what it promises. */
const blockProblem = (skillJson: JsonObject): string | undefined => {
  for (const [key, schema] of Object.entries(BLOCKS)) {
    if (!Object.hasOwn(skillJson, key)) continue
    const result = v.safeParse(schema, skillJson[key], { abortEarly: true })
    if (result.success) continue
    const [issue] = result.issues
    const path = [key, v.getDotPath(issue)].filter(part => part !== null).join('.')
    return `${path}: ${issue.message}`
  }
  return undefined
}

type FilesFound =
  | { kind: 'all'; checks: SkillChecks }
  | { kind: 'missing'; skillJsonPath: string; missing: readonly { path: string; problem: string }[] }
  /** A path that is none of this repository. */
  | { kind: 'outside'; field: string; path: string; problem: string }

const SKILL_JSON = 'skill.json'

interface Named {
  field: string
  path: string
}

const indexed = (field: string, paths: readonly string[]): Named[] =>
  paths.map((path, index) => ({ field: `${field}[${index}]`, path }))

const skillJsonIn = (folder: string): string => (folder.trim() === '' ? folder : posix.join(folder, SKILL_JSON))

const findFiles = (skill: RegistryEntry, inRoot: (path: string) => PathInRoot): FilesFound => {
  const missing: { path: string; problem: string }[] = []
  let outside: (FilesFound & { kind: 'outside' }) | undefined
  const look = ({ field, path }: Named): string => {
    const seen = inRoot(path)
    if (seen.kind === 'outside') {
      outside ??= { kind: 'outside', field, path, problem: seen.problem }
      return path
    }
    if (seen.kind === 'missing') missing.push({ path: seen.path, problem: seen.problem })
    return seen.path
  }
  const checks = {
    skillJsonPath: look({ field: 'path', path: skillJsonIn(skill.path) }),
    skillFilePath: look({ field: 'skillFile', path: skill.skillFile }),
    scriptPaths: indexed('scripts', skill.scripts).map(look),
    artifactPaths: indexed('artifacts', skill.artifacts).map(look),
  }
  if (outside !== undefined) return outside
  return missing.length === 0
    ? { kind: 'all', checks }
    : { kind: 'missing', skillJsonPath: checks.skillJsonPath, missing }
}

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
    const message = `${skillJsonPath} does not match the registry entry of ${skill.id} in: ${fields.join(', ')}.`
    return refuse(CODE, message, {
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

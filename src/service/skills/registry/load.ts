/** Section Skills CLI rules: the registry that a command works with, read from the first place that has one and checked. */
import { isAbsolute, join, resolve } from 'node:path'
import { isObject, type JsonObject } from '../../../contracts/json/json.ts'
import type { RegistryEntry, SKILLS_ARRAY_REQUIRED } from '../../../contracts/skills/registry.ts'
import { type RepoPlace, repoPlaceOf } from '../containment.ts'
import { readJson } from '../read-json.ts'
import { type Refusal, refuse } from '../refusal.ts'

/** The settings that choose the registry. */
export interface RegistryOptions {
  /** `--registry <file>`. */
  registry?: string | undefined
  /** SVC_SKILLS_REGISTRY; undefined when it is not set. */
  registryEnv?: string | undefined
  /** The folder that relative paths start from. */
  cwd: string
  /** `~/.svc`, or SVC_HOME. */
  home: string
}

interface Candidate {
  path: string
  /** The path as it was configured, and where that is, for messages. */
  named: string
}

type Candidates = { ok: true; first: Candidate; rest: readonly Candidate[] } | Refusal

/** The path of the registry inside a workspace. */
export const REGISTRY_SUBPATH = join('skills', 'skills-registry.json')

export const workspaceIn = (home: string): string => join(home, 'skills')

export const installedRegistry = (home: string): string => join(workspaceIn(home), REGISTRY_SUBPATH)

const candidate = (configured: string, cwd: string): Candidate => {
  const path = resolve(cwd, configured)
  return { path, named: isAbsolute(configured) ? configured : `${configured} (${path})` }
}

const blank = (source: string): Refusal =>
  refuse('REGISTRY_READ_FAILED', `Cannot read the skills registry: ${source} is blank.`, {
    hint: 'Name a registry file, or omit it to use the default.',
  })

const only = (configured: string, source: string, cwd: string): Candidates =>
  configured.trim() === '' ? blank(source) : { ok: true, first: candidate(configured, cwd), rest: [] }

/** The places to look for a registry. A configured one has no substitute; the usual place has two. */
const registryCandidates = ({ registry, registryEnv, cwd, home }: RegistryOptions): Candidates => {
  if (registry !== undefined) return only(registry, '--registry', cwd)
  if (registryEnv !== undefined) return only(registryEnv, 'SVC_SKILLS_REGISTRY', cwd)
  return {
    ok: true,
    first: candidate(REGISTRY_SUBPATH, cwd),
    rest: [candidate(join('..', '..', REGISTRY_SUBPATH), cwd), candidate(installedRegistry(home), cwd)],
  }
}

/** Importing the value would load every schema with it; the type keeps the two the same. */
const REQUIRED: typeof SKILLS_ARRAY_REQUIRED = 'Invalid registry: skills array required'

type Checked = { ok: true; skills: readonly RegistryEntry[] } | { ok: false; problem: string }

const TEXTS = ['applicationId', 'intent', 'summary', 'path', 'skillFile'] as const
const LISTS = ['scripts', 'artifacts'] as const
const KNOWN_LISTS: ReadonlySet<string> = new Set([...LISTS, 'keywords'])

/** An entry is printed with all that it holds, and turning a value into text recurses as deep as it nests. */
const DEPTH_MAX = 64

/** Loops over indexes and keys by name: of 10,000 entries, a process that has only just started feels the difference. */
const isTexts = (value: unknown): boolean => {
  if (!Array.isArray(value)) return false
  for (let index = 0; index < value.length; index++) if (typeof value[index] !== 'string') return false
  return true
}

const isDeeper = (value: unknown, depth: number): boolean => {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some(child => isDeeper(child, depth - 1))
}

/** The first key that the contract does not bound, and whose value nests too deep. */
const deepKey = (entry: JsonObject): string | undefined => {
  for (const key in entry) {
    if (typeof entry[key] === 'object' && !KNOWN_LISTS.has(key) && isDeeper(entry[key], DEPTH_MAX)) return key
  }
  return undefined
}

const isEntry = (entry: unknown): entry is RegistryEntry =>
  isObject(entry) &&
  typeof entry.id === 'string' &&
  entry.id !== '' &&
  typeof entry.applicationId === 'string' &&
  typeof entry.intent === 'string' &&
  typeof entry.summary === 'string' &&
  typeof entry.path === 'string' &&
  typeof entry.skillFile === 'string' &&
  isTexts(entry.scripts) &&
  isTexts(entry.artifacts) &&
  (entry.keywords === undefined || isTexts(entry.keywords)) &&
  deepKey(entry) === undefined

/** Names the fault of an invalid entry. */
const entryProblem = (entry: unknown): string => {
  if (!isObject(entry)) return ': an object is required'
  if (typeof entry.id !== 'string' || entry.id === '') return '.id: a non-empty string is required'
  const text = TEXTS.find(key => typeof entry[key] !== 'string')
  if (text !== undefined) return ` (${entry.id}).${text}: a string is required`
  const list = LISTS.find(key => !isTexts(entry[key]))
  const deep = deepKey(entry)
  if (list === undefined && deep !== undefined) return ` (${entry.id}).${deep}: nested deeper than ${DEPTH_MAX} levels`
  return ` (${entry.id}).${list ?? 'keywords'}: an array of strings is required`
}

/** Checks a registry. Members beyond the contract belong to the user and stay. */
export const checkRegistry = (file: unknown): Checked => {
  const skills: unknown = isObject(file) ? file.skills : undefined
  if (!Array.isArray(skills)) return { ok: false, problem: REQUIRED }
  for (let index = 0; index < skills.length; index++) {
    if (isEntry(skills[index])) continue
    return { ok: false, problem: `Invalid registry: skills[${index}]${entryProblem(skills[index])}` }
  }
  return { ok: true, skills }
}

/** 10,000 entries take some 5 MB. */
export const REGISTRY_BYTES_MAX = 256 * 1_024 * 1_024

export interface Registry extends RepoPlace {
  /** In the order of the file. */
  skills: readonly RegistryEntry[]
}

export type Loaded = { ok: true; registry: Registry } | Refusal

export type RegistryRead =
  | { ok: true; registry: Registry }
  | { ok: false; kind: 'missing' | 'unreadable' | 'invalid'; problem: string }

/** One file, wherever it was named. */
export const readRegistry = (path: string): RegistryRead => {
  const read = readJson(path, REGISTRY_BYTES_MAX)
  if (!read.ok) return read
  const checked = checkRegistry(read.value)
  if (!checked.ok) return { ok: false, kind: 'invalid', problem: checked.problem }
  return { ok: true, registry: { ...repoPlaceOf(path), skills: checked.skills } }
}

const ABSENT_HINT = 'Run `svc skills install` for an empty registry, or name one with `SVC_SKILLS_REGISTRY`.'
const WRONG_HINT = 'Correct that file, or name another one with `SVC_SKILLS_REGISTRY`.'

type Unread = Extract<RegistryRead, { ok: false }>

interface Tried {
  candidate: Candidate
  read: Unread
}

/** A problem of a registry as a sentence about the file of that name. */
export const registrySentence = (named: string, problem: string): string =>
  `${named}${problem.startsWith('Invalid registry') ? ':' : ''} ${problem}`

const unread = ({ candidate, read }: Tried, tried: readonly Tried[] = []): Refusal => {
  const { named, path } = candidate
  const places = tried.map(each => ({ path: each.candidate.path, problem: each.read.problem }))
  return refuse('REGISTRY_READ_FAILED', `Cannot read the skills registry: ${registrySentence(named, read.problem)}`, {
    details: { path, ...(places.length > 1 ? { tried: places } : {}) },
    hint: read.kind === 'missing' ? ABSENT_HINT : WRONG_HINT,
  })
}

/** How one file is read: `find.ts` brings its own. */
type ReadRegistry = (path: string) => RegistryRead

/** A usual place without a readable file gives way to the next one; a file that is there and wrong does not. */
export const loadRegistry = (options: RegistryOptions, read: ReadRegistry = readRegistry): Loaded => {
  const candidates = registryCandidates(options)
  if (!candidates.ok) return candidates
  const { first, rest } = candidates
  const tried: Tried[] = []
  for (const candidate of [first, ...rest]) {
    const found = read(candidate.path)
    if (found.ok) return found
    if (found.kind === 'invalid') return unread({ candidate, read: found })
    tried.push({ candidate, read: found })
  }
  // A file that is there and may not be read is why the others, which are absent, were looked for.
  const reported = tried.find(each => each.read.kind === 'unreadable') ?? tried[0]
  const absent: Unread = { ok: false, kind: 'missing', problem: 'does not exist' }
  return unread(reported ?? { candidate: first, read: absent }, tried)
}

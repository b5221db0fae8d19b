/** Section Skills CLI rules: the registry that a command works with, read from the first place that has one. */
import type { RegistryEntry } from '../../contracts/registry.ts'
import { type RepoPlace, repoPlaceOf } from '../containment.ts'
import { readJson } from '../json.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { checkRegistry } from './check.ts'
import { type Candidate, type RegistryOptions, registryCandidates } from './where.ts'

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

const ABSENT_HINT =
  'Run `svc skills install` for an empty registry, or name one with --registry or SVC_SKILLS_REGISTRY.'
const WRONG_HINT = 'Correct that file, or name another one with --registry or SVC_SKILLS_REGISTRY.'

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

/** How one file is read: `cached.ts` brings its own. */
export type ReadRegistry = (path: string) => RegistryRead

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
  const told = tried.find(each => each.read.kind === 'unreadable') ?? tried[0]
  const absent: Unread = { ok: false, kind: 'missing', problem: 'does not exist' }
  return unread(told ?? { candidate: first, read: absent }, tried)
}

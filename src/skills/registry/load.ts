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

export const REGISTRY_HINT =
  'Run `svc skills install` for an empty registry, or name one with --registry or SVC_SKILLS_REGISTRY.'

interface Tried {
  path: string
  problem: string
}

/** A problem of a registry as a sentence about the file of that name. */
export const registrySentence = (named: string, problem: string): string =>
  `${named}${problem.startsWith('Invalid registry') ? ':' : ''} ${problem}`

const unread = ({ named, path }: Candidate, problem: string, tried: readonly Tried[] = []): Refusal => {
  return refuse('REGISTRY_READ_FAILED', `Cannot read the skills registry: ${registrySentence(named, problem)}`, {
    details: { path, ...(tried.length > 1 ? { tried } : {}) },
    hint: REGISTRY_HINT,
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
    if (found.kind === 'invalid') return unread(candidate, found.problem)
    tried.push({ path: candidate.path, problem: found.problem })
  }
  return unread(first, tried[0]?.problem ?? 'does not exist', tried)
}

/** Finds a skill in the registry, and keeps a registry that is read again only when its file has changed. */
import { statSync } from 'node:fs'
import type { RegistryEntry, SkillOutput } from '../../../contracts/skills/registry.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { type Refusal, refuse } from '../refusal.ts'
import {
  type Loaded,
  loadRegistry,
  type Registry,
  type RegistryOptions,
  type RegistryRead,
  readRegistry,
} from './load.ts'

/** Letter case and what stands between the words. */
const folded = (id: string) => id.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

const resembling = ({ skills }: Registry, skillId: string): string | undefined => {
  const wanted = folded(skillId)
  if (wanted === '') return undefined
  const near = skills.find(({ id }) => folded(id) === wanted) ?? skills.find(({ id }) => folded(id).endsWith(wanted))
  return near?.id
}

/** Finds a skill by its id; the first of several entries with one id counts. */
export const findSkill = (registry: Registry, skillId: string): { ok: true; skill: RegistryEntry } | Refusal => {
  const skill = registry.skills.find(({ id }) => id === skillId)
  if (skill !== undefined) return { ok: true, skill }
  const near = resembling(registry, skillId)
  return refuse('SKILL_NOT_FOUND', `The registry has no skill ${JSON.stringify(skillId.slice(0, 200))}.`, {
    details: { skillId, registryPath: registry.path },
    hint: near === undefined ? 'See `GET /skills` for the skills there are.' : `Did you mean ${near}?`,
  })
}

/** The output of `skills get`. */
export const getSkill = (registry: Registry, skillId: string): { ok: true; output: SkillOutput } | Refusal => {
  const found = findSkill(registry, skillId)
  return found.ok ? { ok: true, output: { skill: found.skill } } : found
}

/** File systems count time in steps: a change this soon after another one may bear the same time. */
const STEP_MS = 100

export interface CachedRegistry {
  /** Returns the same object as long as the file stays the same. */
  load(): Loaded
}

const stampOf = (path: string): { stamp: string; changedMs: number } | undefined => {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
    return { stamp: [dev, ino, size, mtimeNs, ctimeNs].join(), changedMs: Number(ctimeNs / 1_000_000n) }
  } catch {
    return undefined
  }
}

export const cachedRegistry = (options: RegistryOptions & { clock: Clock }): CachedRegistry => {
  const kept = new Map<string, { stamp: string; read: RegistryRead }>()

  const read = (path: string): RegistryRead => {
    const now = options.clock.now()
    const found = stampOf(path)
    const known = kept.get(path)
    if (found !== undefined && known?.stamp === found.stamp) return known.read
    const fresh = readRegistry(path)
    kept.delete(path)
    if (found !== undefined && Math.abs(now - found.changedMs) > STEP_MS) {
      kept.set(path, { stamp: found.stamp, read: fresh })
    }
    return fresh
  }

  return { load: () => loadRegistry(options, read) }
}

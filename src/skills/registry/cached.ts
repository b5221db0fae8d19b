/** The registry for processes that stay: read again only when its file has changed. */
import { statSync } from 'node:fs'
import type { Clock } from '../../runtime/clock.ts'
import { type Loaded, loadRegistry, type RegistryRead, readRegistry } from './load.ts'
import type { RegistryOptions } from './where.ts'

/** File systems count time in steps: a change this soon after another one may bear the same time. */
const STEP_MS = 100

interface Kept {
  stamp: string
  read: RegistryRead
}

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
  const kept = new Map<string, Kept>()

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

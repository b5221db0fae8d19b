/** Pushing and pulling share this: several files at once, their digests, how far they are, and the digest of a folder. */
import { createHash } from 'node:crypto'
import type { TellProgress } from '../../contracts/records/actor.ts'

/** Each needs some round trips, during which the others move. */
const AT_ONCE = 6

/** Up to the first that fails: the others are then told by their signal, and waited for. */
export const eachAtOnce = async <T>(
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> => {
  const failing = new AbortController()
  const stop = AbortSignal.any([signal, failing.signal])
  const waiting = items.values()
  let failed: { error: unknown } | undefined
  const worker = async () => {
    for (const item of waiting) {
      if (stop.aborted) return
      try {
        await work(item, stop)
      } catch (error) {
        failed ??= { error }
        failing.abort()
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  if (failed) throw failed.error
  signal.throwIfAborted()
}

export interface Progress {
  add(bytes: number): void
  done(): number
}

export const progressOver = (what: string, total: number, tellProgress: TellProgress = () => {}): Progress => {
  let done = 0
  return {
    add(bytes) {
      done += bytes
      tellProgress({ what, done, total: Math.max(total, done) })
    },
    done: () => done,
  }
}

/** The same chunks, counted, and hashed on their way. `digest` is complete once they are read to their end. */
export const hashing = (chunks: AsyncIterable<Uint8Array>, progress: Progress) => {
  const hash = createHash('sha256')
  let bytes = 0
  const counted = async function* () {
    for await (const chunk of chunks) {
      hash.update(chunk)
      bytes += chunk.length
      progress.add(chunk.length)
      yield chunk
    }
  }
  return { chunks: counted(), digest: () => hash.digest('hex'), bytes: () => bytes }
}

/** The digest of the list that `sha256sum` prints of the files of a folder, sorted by their paths from there. */
export const folderDigest = (digests: ReadonlyMap<string, string>): string => {
  const paths = [...digests.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  const hash = createHash('sha256')
  for (const path of paths) hash.update(`${digests.get(path)}  ${path}\n`)
  return hash.digest('hex')
}

/** The first file of which the other side has other bytes, or none. */
export const firstDifference = (
  ours: ReadonlyMap<string, string>,
  theirs: ReadonlyMap<string, string>,
): string | undefined => {
  for (const [path, digest] of ours) if (theirs.get(path) !== digest) return path
  for (const path of theirs.keys()) if (!ours.has(path)) return path
  return undefined
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const
const KILO = 1_000

/** `3.2 MB` */
export const byteWords = (bytes: number): string => {
  const at = bytes < KILO ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${at === 0 ? bytes : (bytes / KILO ** at).toFixed(1)} ${UNITS[at]}`
}

export interface Transferred {
  path: string
  bytes: number
  sha256: string
  files: number
}

export const transferData = ({ path, bytes, sha256, files }: Transferred): Record<string, string> => ({
  path,
  bytes: String(bytes),
  sha256,
  files: String(files),
})

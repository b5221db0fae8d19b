/** A long answer as its parts come in: which are missing, and which to ask for next. */
import { WINDOW_PARTS } from './limits.ts'

export const gather = (total: number, partBytes: number) => {
  const parts = Math.max(1, Math.ceil(total / partBytes))
  // Zeroed by the system page by page as it is written: an answer that never comes costs nothing.
  const body = Buffer.alloc(total)
  const missing = new Set(Array.from({ length: parts }, (_, part) => part))
  const requested = new Set<number>()
  const sizeOf = (part: number) => Math.min(partBytes, total - part * partBytes)
  return {
    body,
    isWhole: () => missing.size === 0,
    /** False for a part that is not of this answer. */
    put(part: number, bytes: Uint8Array) {
      if (part >= parts || bytes.length !== sizeOf(part)) return false
      if (missing.delete(part)) body.set(bytes, part * partBytes)
      requested.delete(part)
      return true
    },
    /** The parts that are to be asked for now; with `again`, those that were asked for and did not come as well. */
    wanted(again: boolean): number[] {
      const wanted: number[] = again ? [...requested] : []
      for (const part of missing) {
        if (requested.size >= WINDOW_PARTS) break
        if (requested.has(part)) continue
        requested.add(part)
        wanted.push(part)
      }
      return wanted
    },
  }
}

export type Gathering = ReturnType<typeof gather>

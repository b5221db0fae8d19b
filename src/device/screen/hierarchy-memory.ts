/** Keeps the hierarchy that was read last: what is worked out for a tree holds as long as the screen says the same. */
import type { Sliced } from '../../runtime/yielding.ts'
import { type ParsedHierarchy, parsingHierarchy } from './parse-hierarchy.ts'

/** A larger hierarchy is read anew each time. */
const REMEMBERED_CHARS_MAX = 1_024 * 1_024

export interface HierarchyMemory {
  /** The same tree for the same text as the time before. */
  reading(xml: string): Sliced<ParsedHierarchy>
}

export const createHierarchyMemory = (): HierarchyMemory => {
  let last: { xml: string; parsed: ParsedHierarchy } | undefined
  return {
    *reading(xml) {
      if (last?.xml === xml) return last.parsed
      const parsed = yield* parsingHierarchy(xml)
      last = parsed.ok && xml.length <= REMEMBERED_CHARS_MAX ? { xml, parsed } : undefined
      return parsed
    },
  }
}

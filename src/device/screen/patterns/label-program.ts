/** The regular expression of `textMatches` as a program that runs in linear time. */

import { PATTERN_PARTS_MAX } from '../../../contracts/limits/matcher-limits.ts'
import { type PatternPart, PatternProblem, type PatternTree, readTree } from './label-pattern-tree.ts'
import { patternBranches } from './pattern-branches.ts'

/** The parts run from 0; behind the last one the text has matched. */
export type PatternRead = { ok: true; parts: readonly PatternPart[] } | { ok: false; at: number; problem: string }

const compiled = (tree: PatternTree): PatternPart[] => {
  const parts: PatternPart[] = []
  let work = 0
  const emit = (each: PatternTree): void => {
    work += 1
    if (work > 4 * PATTERN_PARTS_MAX || parts.length > PATTERN_PARTS_MAX) {
      throw new PatternProblem(0, `the pattern is too large: it stands for more than ${PATTERN_PARTS_MAX} parts`)
    }
    if (each.kind === 'all') for (const part of each.of) emit(part)
    else if (each.kind === 'any') any(each.of)
    else if (each.kind === 'repeat') repeat(each)
    else parts.push(each)
  }
  const { any, repeat } = patternBranches(parts, emit)
  emit(tree)
  return parts
}

export const readPattern = (pattern: string): PatternRead => {
  try {
    return { ok: true, parts: compiled(readTree(pattern)) }
  } catch (error) {
    if (!(error instanceof PatternProblem)) throw error
    return { ok: false, at: error.at, problem: error.message }
  }
}

/** The regular expression of `textMatches` as a program that runs in linear time. */
import { type PatternPart, PatternProblem, type PatternTree, readTree } from './label-pattern-tree.ts'
import { PATTERN_PARTS_MAX } from './matcher-limits.ts'

/** The parts run from 0; behind the last one the text has matched. */
export type PatternRead = { ok: true; parts: readonly PatternPart[] } | { ok: false; at: number; problem: string }

const compiled = (tree: PatternTree): PatternPart[] => {
  const parts: PatternPart[] = []
  let work = 0
  const split = () => {
    const part = { kind: 'split', to: [] as number[] } satisfies PatternPart
    parts.push(part)
    return part
  }
  const emit = (each: PatternTree): void => {
    work += 1
    if (work > 4 * PATTERN_PARTS_MAX || parts.length > PATTERN_PARTS_MAX) {
      throw new PatternProblem(0, `the pattern is too large: it stands for more than ${PATTERN_PARTS_MAX} parts`)
    }
    if (each.kind === 'all') for (const part of each.of) emit(part)
    else if (each.kind === 'any') emitAny(each.of)
    else if (each.kind === 'repeat') emitRepeat(each)
    else parts.push(each)
  }
  const emitAny = (of: readonly PatternTree[]): void => {
    const [only] = of
    if (only && of.length === 1) {
      emit(only)
      return
    }
    const start = split()
    const exits = of.map(each => {
      start.to.push(parts.length)
      emit(each)
      return split()
    })
    for (const exit of exits) exit.to.push(parts.length)
  }
  const emitRepeat = ({ of, min, max }: Extract<PatternTree, { kind: 'repeat' }>): void => {
    for (let count = 0; count < min; count++) emit(of)
    if (max === Number.POSITIVE_INFINITY) {
      const start = parts.length
      const again = split()
      again.to.push(parts.length)
      emit(of)
      split().to.push(start)
      again.to.push(parts.length)
      return
    }
    const exits = Array.from({ length: max - min }, () => {
      const exit = split()
      exit.to.push(parts.length)
      emit(of)
      return exit
    })
    for (const exit of exits) exit.to.push(parts.length)
  }
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

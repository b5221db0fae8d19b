/** The regular expression of `textMatches` as a program, and whole labels matched with it, in a time that grows with the label alone. */
import { PATTERN_LABEL_CHARS_MAX, PATTERN_PARTS_MAX } from '../../../contracts/limits/matcher-limits.ts'
import { isWordChar, type PatternPart, PatternProblem, type PatternTree, readTree } from './label-pattern-tree.ts'
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

/** The transitions that earlier labels left are dropped at this number. */
const TRANSITIONS_MAX = 10_000

type Before = 'start' | 'word' | 'other'

/** The places of the program that a text has come to, all at once. */
interface State {
  at: readonly number[]
  before: Before
  next: Map<string, State>
}

const NO_STATE: State = { at: [], before: 'other', next: new Map() }

/** The places that are reached without a character; `after` is undefined at the end of the text. */
const reached = (parts: readonly PatternPart[], { at, before }: State, after: 'word' | 'other' | undefined) => {
  const isBoundary = (before === 'word') !== (after === 'word')
  const holds = {
    start: before === 'start',
    end: after === undefined,
    boundary: isBoundary,
    'no-boundary': !isBoundary,
  }
  const seen = new Set<number>(at)
  for (const place of seen) {
    const part = parts[place]
    if (part?.kind === 'split') for (const to of part.to) seen.add(to)
    else if (part?.kind === 'assert' && holds[part.what]) seen.add(place + 1)
  }
  return seen
}

/** False for a label that is longer than PATTERN_LABEL_CHARS_MAX, and for a pattern that is none. */
export const labelPattern = (pattern: string): ((label: string) => boolean) => {
  const read = readPattern(pattern)
  if (!read.ok) return () => false
  const { parts } = read
  let states = new Map<string, State>()
  let transitions = 0
  const stateOf = (at: readonly number[], before: Before): State => {
    if (at.length === 0) return NO_STATE
    const key = `${before} ${at.join(' ')}`
    const known = states.get(key)
    if (known) return known
    const state: State = { at, before, next: new Map() }
    states.set(key, state)
    return state
  }
  const advanced = (state: State, char: string): State => {
    const known = state.next.get(char)
    if (known) return known
    const kind = isWordChar(char) ? 'word' : 'other'
    const at = [...reached(parts, state, kind)].flatMap(place => {
      const part = parts[place]
      return part?.kind === 'char' && part.fits(char) ? [place + 1] : []
    })
    transitions += 1
    if (transitions > TRANSITIONS_MAX) [states, transitions] = [new Map(), 0]
    const next = stateOf(
      at.sort((a, b) => a - b),
      kind,
    )
    state.next.set(char, next)
    return next
  }
  return label => {
    if (label.length > PATTERN_LABEL_CHARS_MAX) return false
    let state = stateOf([0], 'start')
    for (const char of label) {
      state = advanced(state, char)
      if (state === NO_STATE) return false
    }
    return reached(parts, state, undefined).has(parts.length)
  }
}

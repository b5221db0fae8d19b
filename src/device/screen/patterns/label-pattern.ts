/** Matches whole labels with the pattern of `textMatches`, in a time that grows with the label alone. */

import { PATTERN_LABEL_CHARS_MAX } from '../../../contracts/limits/matcher-limits.ts'
import { isWordChar, type PatternPart } from './label-pattern-tree.ts'
import { readPattern } from './label-program.ts'

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

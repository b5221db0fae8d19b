/** The regular expressions of flows as programs that run in linear time: Java's, with look-around, without references to groups. */

import type { CharTest } from './char-test.ts'
import { UI_SELECTOR_FLAGS } from './flow-pattern-flags.ts'
import type { PlaceTest } from './flow-pattern-places.ts'
import { type FlowPatternTree, NoPattern, readFlowTree, UnsupportedPattern } from './flow-pattern-tree.ts'
import { patternBranches, type SplitPart } from './pattern-branches.ts'

export type FlowPatternPart =
  | { kind: 'char'; fits: CharTest }
  | SplitPart
  | { kind: 'place'; holds: PlaceTest }
  /** By its position among the looks of the program. */
  | { kind: 'look'; look: number; isNegated: boolean }

/** The parts run from 0; behind the last one the text has matched. */
type Parts = readonly FlowPatternPart[]

interface FlowLook {
  /** A look ahead is read from its end, so that one pass over the text tells it for all places. */
  parts: Parts
  isBehind: boolean
}

export interface FlowProgram {
  parts: Parts
  /** Each stands behind those that it needs. */
  looks: readonly FlowLook[]
}

export type FlowPattern =
  | { kind: 'program'; program: FlowProgram }
  /** Its text is meant as it stands, in any case. */
  | { kind: 'literal' }
  | { kind: 'unsupported'; problem: string }

export type UiSelectorPattern = Exclude<FlowPattern, { kind: 'literal' }> | { kind: 'none' }

/** Repeats with a count stand for as many copies. */
const PARTS_MAX = 20_000
const SPECIAL = /[\\^$.|?*+()[\]{}]/

const programOf = (tree: FlowPatternTree): FlowProgram => {
  const looks: FlowLook[] = []
  let work = 0
  const compiled = (whole: FlowPatternTree, isReversed: boolean): Parts => {
    const parts: FlowPatternPart[] = []
    const emit = (each: FlowPatternTree): void => {
      work += 1
      if (work > 2 * PARTS_MAX || parts.length > PARTS_MAX) {
        throw new UnsupportedPattern(`is too large: it stands for more than ${PARTS_MAX} parts`)
      }
      if (each.kind === 'all') for (const part of isReversed ? each.of.toReversed() : each.of) emit(part)
      else if (each.kind === 'any') any(each.of)
      else if (each.kind === 'repeat') repeat(each)
      else if (each.kind === 'look') {
        const inner = { parts: compiled(each.of, !each.isBehind), isBehind: each.isBehind }
        parts.push({ kind: 'look', look: looks.push(inner) - 1, isNegated: each.isNegated })
      } else parts.push(each)
    }
    const { any, repeat } = patternBranches(parts, emit)
    emit(whole)
    return parts
  }
  return { parts: compiled(tree, false), looks }
}

export const readFlowPattern = (pattern: string): FlowPattern => {
  if (!SPECIAL.test(pattern)) return { kind: 'literal' }
  try {
    return { kind: 'program', program: programOf(readFlowTree(pattern)) }
  } catch (error) {
    if (error instanceof UnsupportedPattern) return { kind: 'unsupported', problem: error.message }
    // Nested too deeply to be read: no text on a screen is meant by that as a pattern.
    if (error instanceof NoPattern || error instanceof RangeError) return { kind: 'literal' }
    throw error
  }
}

/** The pattern of a UiSelector: over the whole text as Java matches it, and nothing else is meant by one that is none. */
export const readUiSelectorPattern = (pattern: string): UiSelectorPattern => {
  try {
    return { kind: 'program', program: programOf(readFlowTree(pattern, UI_SELECTOR_FLAGS)) }
  } catch (error) {
    if (error instanceof UnsupportedPattern) return { kind: 'unsupported', problem: error.message }
    if (error instanceof NoPattern || error instanceof RangeError) return { kind: 'none' }
    throw error
  }
}

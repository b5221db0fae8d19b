/** Matches whole texts with the regular expressions of flows, in a time that grows with text and pattern alone. */
import type { Sliced } from '../../../runtime/yielding.ts'
import { folded } from './char-test.ts'
import { type FlowPatternPart, type FlowProgram, readFlowPattern, readUiSelectorPattern } from './flow-program.ts'

/** So many parts are looked at between two pauses. */
const PIECE_PARTS = 4_096

interface Pass {
  parts: readonly FlowPatternPart[]
  chars: readonly string[]
  /** The places at which each look holds that the parts name. */
  held: readonly Uint8Array[]
}

/** The parts that are reached at one place of the text; each is kept once. */
class Reached {
  readonly parts: number[] = []
  readonly #marks: Uint32Array
  #round = 1

  constructor(size: number) {
    this.#marks = new Uint32Array(size)
  }

  clear(): void {
    this.parts.length = 0
    this.#round += 1
  }

  has(part: number): boolean {
    return this.#marks[part] === this.#round
  }

  /** With all parts that are reached from it without a character. */
  add(part: number, at: number, { parts, chars, held }: Pass): void {
    const open = [part]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (this.has(next)) continue
      this.#marks[next] = this.#round
      this.parts.push(next)
      const found = parts[next]
      if (found?.kind === 'split') open.push(...found.to)
      else if (found?.kind === 'place' && found.holds(chars, at)) open.push(next + 1)
      else if (found?.kind === 'look' && (held[found.look]?.[at] === 1) !== found.isNegated) open.push(next + 1)
    }
  }
}

/**
 * Runs the parts over the text. `begins` says at which places they may begin, and `ended` is told each place at which they end.
 */
const running = function* (
  pass: Pass,
  way: { isReversed: boolean; begins: (at: number) => boolean; ended: (at: number) => void },
): Sliced<void> {
  const { parts, chars } = pass
  let [here, next] = [new Reached(parts.length + 1), new Reached(parts.length + 1)]
  let done = 0
  const { length } = chars
  for (let step = 0; step <= length; step++) {
    const at = way.isReversed ? length - step : step
    if (way.begins(at)) here.add(0, at, pass)
    if (here.has(parts.length)) way.ended(at)
    done += here.parts.length + 1
    if (done >= PIECE_PARTS) {
      done = 0
      yield
    }
    if (step === length) return
    const char = chars[way.isReversed ? at - 1 : at] ?? ''
    const then = way.isReversed ? at - 1 : at + 1
    next.clear()
    for (const part of here.parts) {
      const found = parts[part]
      if (found?.kind === 'char' && found.fits(char)) next.add(part + 1, then, pass)
    }
    ;[here, next] = [next, here]
  }
}

/** True when the program takes the whole text. */
const fitsProgram = function* ({ parts, looks }: FlowProgram, text: string): Sliced<boolean> {
  const chars = [...text]
  const held: Uint8Array[] = []
  for (const look of looks) {
    const places = new Uint8Array(chars.length + 1)
    held.push(places)
    const ended = (at: number) => {
      places[at] = 1
    }
    yield* running({ parts: look.parts, chars, held }, { isReversed: !look.isBehind, begins: () => true, ended })
  }
  let isWhole = false
  const ended = (at: number) => {
    isWhole = at === chars.length
  }
  yield* running({ parts, chars, held }, { isReversed: false, begins: at => at === 0, ended })
  return isWhole
}

export type TextTest = (text: string) => Sliced<boolean>

/** By the whole text in any case; the same text is matched once. */
export const flowPattern = (pattern: string): TextTest => {
  const read = readFlowPattern(pattern)
  const literal = folded(pattern)
  const known = new Map<string, boolean>()
  return function* (text) {
    if (read.kind !== 'program') return read.kind === 'literal' && folded(text) === literal
    const before = known.get(text)
    if (before !== undefined) return before
    const result = yield* fitsProgram(read.program, text)
    known.set(text, result)
    return result
  }
}

/** Also by the text with blanks for its line feeds, and where it is written just as the pattern. */
export const flowTextPattern = (pattern: string): TextTest => {
  const matches = flowPattern(pattern)
  return function* (text) {
    if (text === pattern || (yield* matches(text))) return true
    if (!text.includes('\n')) return false
    const line = text.replaceAll('\n', ' ')
    return line === pattern || (yield* matches(line))
  }
}

/** By the whole text as Java matches it for a UiSelector; in words, why the pattern is none. */
export const uiSelectorPattern = (pattern: string): TextTest | string => {
  const read = readUiSelectorPattern(pattern)
  if (read.kind === 'none') return 'is none'
  return read.kind === 'program' ? text => fitsProgram(read.program, text) : read.problem
}

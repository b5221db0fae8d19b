/** Reads the expressions of the strategy `-android uiautomator`: selectors and scrollables, separated by semicolons. */
import { type JavaReader, javaReader, UiAutomatorSyntax } from './java-reader.ts'
import { natural, readUiSelector } from './read-ui-selector.ts'
import type { UiSelector } from './ui-selector.ts'

type Move = 'forward' | 'backward' | 'beginning' | 'end'

export type ScrollCall =
  | { kind: 'into_view'; target: UiSelector }
  | { kind: 'child'; target: UiSelector }
  /** The child that has a node with this in it, or has it itself. */
  | { kind: 'child_by'; child: UiSelector; having: UiSelector; mayScroll: boolean }
  | { kind: 'move'; move: Move; times: number }

export interface UiScrollable {
  container: UiSelector
  isHorizontal: boolean
  maxSearchSwipes: number
  calls: readonly ScrollCall[]
}

export type UiStatement = { kind: 'selector'; selector: UiSelector } | { kind: 'scrollable'; scrollable: UiScrollable }

/** What Android searches with, unless `setMaxSearchSwipes` says otherwise. */
const SEARCH_SWIPES = 30
export const SEARCH_SWIPES_MAX = 100
const STATEMENTS_MAX = 20
export const UI_AUTOMATOR_CHARS_MAX = 64 * 1_024

const text = (value: string): UiSelector => ({ tests: [{ kind: 'equals', of: 'text', values: [value] }] })
const description = (value: string): UiSelector => ({ tests: [{ kind: 'equals', of: 'contentDesc', values: [value] }] })

const swipes = (reader: JavaReader, where: string): number => {
  const at = reader.position()
  const count = reader.integer(where)
  if (count >= 0 && count <= SEARCH_SWIPES_MAX) return count
  return reader.fail(`a number from 0 to ${SEARCH_SWIPES_MAX} ${where}`, at)
}

interface Growing {
  container: UiSelector
  isHorizontal: boolean
  maxSearchSwipes: number
  calls: ScrollCall[]
}

type ReadCall = (reader: JavaReader, grown: Growing, where: string) => ScrollCall | undefined

const childBy =
  (having: (value: string) => UiSelector): ReadCall =>
  (reader, _, where) => {
    const child = readUiSelector(reader)
    reader.expects(',', `between what is ${where}`)
    const value = reader.string(where)
    const mayScroll = reader.takes(',') ? reader.truth(where) : true
    return { kind: 'child_by', child, having: having(value), mayScroll }
  }

/** The speed of a finger is no matter of where a list ends. */
const withSteps = (reader: JavaReader, where: string) => {
  if (reader.takes(',')) reader.integer(where)
}

const moveOnce =
  (move: Move): ReadCall =>
  (reader, _, where) => {
    // How many steps the finger takes may be said.
    if (/^\d/.test(reader.rest())) reader.integer(where)
    return { kind: 'move', move, times: 1 }
  }

const moveTo =
  (move: Move): ReadCall =>
  (reader, _, where) => {
    const times = swipes(reader, where)
    withSteps(reader, where)
    return { kind: 'move', move, times }
  }

const CALLS: Readonly<Record<string, ReadCall>> = {
  scrollIntoView: reader => ({ kind: 'into_view', target: readUiSelector(reader) }),
  scrollTextIntoView: (reader, _, where) => ({ kind: 'into_view', target: text(reader.string(where)) }),
  scrollDescriptionIntoView: (reader, _, where) => ({ kind: 'into_view', target: description(reader.string(where)) }),
  getChild: reader => ({ kind: 'child', target: readUiSelector(reader) }),
  getChildByText: childBy(text),
  getChildByDescription: childBy(description),
  getChildByInstance(reader, _, where) {
    const target = readUiSelector(reader)
    reader.expects(',', `between what is ${where}`)
    return { kind: 'child', target: { ...target, instance: natural(reader, where) } }
  },
  setAsHorizontalList(_, grown) {
    grown.isHorizontal = true
    return undefined
  },
  setAsVerticalList(_, grown) {
    grown.isHorizontal = false
    return undefined
  },
  setMaxSearchSwipes(reader, grown, where) {
    grown.maxSearchSwipes = swipes(reader, where)
    return undefined
  },
  /** The finger stays away from the edges as far as every scroll of ours does. */
  setSwipeDeadZonePercentage(reader, _, where) {
    reader.decimal(where)
    return undefined
  },
  scrollForward: moveOnce('forward'),
  scrollBackward: moveOnce('backward'),
  flingForward: moveOnce('forward'),
  flingBackward: moveOnce('backward'),
  scrollToBeginning: moveTo('beginning'),
  flingToBeginning: moveTo('beginning'),
  scrollToEnd: moveTo('end'),
  flingToEnd: moveTo('end'),
}

/** Behind `UiScrollable`. */
const readScrollable = (reader: JavaReader): UiScrollable => {
  reader.expects('(', 'after UiScrollable')
  const container = readUiSelector(reader)
  reader.expects(')', 'after the selector of UiScrollable')
  const grown: Growing = { container, isHorizontal: false, maxSearchSwipes: SEARCH_SWIPES, calls: [] }
  while (reader.takes('.')) {
    const at = reader.position()
    const name = reader.name() ?? reader.fail('the name of a method after the dot')
    const readCall = Object.hasOwn(CALLS, name) ? CALLS[name] : undefined
    if (!readCall) return reader.fail(`a method of UiScrollable (${Object.keys(CALLS).join(', ')})`, at)
    reader.expects('(', `after ${name}`)
    const read = readCall(reader, grown, `in ${name}(...)`)
    reader.expects(')', `after what is in ${name}(...)`)
    if (read) grown.calls.push(read)
  }
  return grown
}

const readStatement = (reader: JavaReader): UiStatement => {
  if (/^(?:new\s+)?UiScrollable(?!\w)/.test(reader.rest())) {
    if (reader.name() === 'new') reader.name()
    return { kind: 'scrollable', scrollable: readScrollable(reader) }
  }
  return { kind: 'selector', selector: readUiSelector(reader) }
}

type ReadUiAutomator = { ok: true; statements: readonly UiStatement[] } | { ok: false; message: string }

export const readUiAutomator = (source: string): ReadUiAutomator => {
  if (source.length > UI_AUTOMATOR_CHARS_MAX) {
    return { ok: false, message: `The UiAutomator expression is longer than ${UI_AUTOMATOR_CHARS_MAX} characters.` }
  }
  const reader = javaReader(source)
  const statements: UiStatement[] = []
  try {
    do {
      if (statements.length > 0 && reader.isAtEnd()) break
      if (statements.length >= STATEMENTS_MAX) reader.fail(`at most ${STATEMENTS_MAX} expressions`)
      statements.push(readStatement(reader))
    } while (reader.takes(';'))
    if (!reader.isAtEnd()) reader.fail('a dot, a semicolon or the end')
    return { ok: true, statements }
  } catch (error) {
    if (error instanceof UiAutomatorSyntax) return { ok: false, message: error.message }
    throw error
  }
}

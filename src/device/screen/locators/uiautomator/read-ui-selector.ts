/** Reads `new UiSelector()` and the calls behind it. */
import type { JavaReader } from './java-reader.ts'
import { type FlagKey, patternTest, type TextKey, type UiSelector, type UiTest } from './ui-selector.ts'

/** A method that is about a text, with the suffixes it has. */
const TEXT_METHODS: Readonly<Record<string, { of: TextKey; kind: 'equals' | 'contains' | 'starts' | 'matches' }>> = {
  text: { of: 'text', kind: 'equals' },
  textContains: { of: 'text', kind: 'contains' },
  textStartsWith: { of: 'text', kind: 'starts' },
  textMatches: { of: 'text', kind: 'matches' },
  description: { of: 'contentDesc', kind: 'equals' },
  descriptionContains: { of: 'contentDesc', kind: 'contains' },
  descriptionStartsWith: { of: 'contentDesc', kind: 'starts' },
  descriptionMatches: { of: 'contentDesc', kind: 'matches' },
  resourceId: { of: 'resourceId', kind: 'equals' },
  resourceIdMatches: { of: 'resourceId', kind: 'matches' },
  className: { of: 'className', kind: 'equals' },
  classNameMatches: { of: 'className', kind: 'matches' },
  packageName: { of: 'packageName', kind: 'equals' },
  packageNameMatches: { of: 'packageName', kind: 'matches' },
}

const FLAG_METHODS: readonly FlagKey[] = [
  'checkable',
  'checked',
  'clickable',
  'enabled',
  'focusable',
  'focused',
  'longClickable',
  'scrollable',
  'selected',
]

const OTHER_METHODS = ['index', 'instance', 'childSelector', 'fromParent']

const METHODS = [...Object.keys(TEXT_METHODS), ...FLAG_METHODS, ...OTHER_METHODS]

/** Deeper selectors are refused. */
const LEVELS_MAX = 50

const patternTestAt = (of: TextKey, pattern: string, reader: JavaReader, at: number): UiTest => {
  const test = patternTest(of, pattern)
  return typeof test === 'string'
    ? reader.fail(`a regular expression of Java, and ${JSON.stringify(pattern)} ${test}`, at)
    : test
}

const textTest = (name: string, reader: JavaReader, where: string): UiTest | undefined => {
  const method = Object.hasOwn(TEXT_METHODS, name) ? TEXT_METHODS[name] : undefined
  if (!method) return undefined
  const { of, kind } = method
  const at = reader.position()
  const value = name === 'className' ? reader.className(where) : reader.string(where)
  if (kind === 'equals') return { kind, of, values: [value] }
  return kind === 'matches' ? patternTestAt(of, value, reader, at) : { kind, of, value }
}

/** In any order, as UiSelector takes them: a later index or instance holds. */
type Growing = { -readonly [K in keyof UiSelector]: UiSelector[K] } & { tests: UiTest[] }

export const natural = (reader: JavaReader, where: string): number => {
  const at = reader.position()
  const number = reader.integer(where)
  return number < 0 ? reader.fail(`a number from 0 on ${where}`, at) : number
}

const call = (grown: Growing, name: string, at: number, reader: JavaReader, level: number): void => {
  const where = `in ${name}(...)`
  const test = textTest(name, reader, where)
  const flag = FLAG_METHODS.find(each => each === name)
  if (test) grown.tests.push(test)
  else if (flag) {
    // `checked()` alone is how some suites write it.
    const value = reader.takes(')') ? undefined : reader.truth(where)
    grown.tests.push({ kind: 'flag', of: flag, value: value ?? true })
    if (value === undefined) return
  } else if (name === 'index') grown.index = natural(reader, where)
  else if (name === 'instance') grown.instance = natural(reader, where)
  else if (name === 'childSelector' || name === 'fromParent') {
    if (grown.next) reader.fail('one childSelector or fromParent of a selector, not two', at)
    const selector = readUiSelector(reader, level + 1)
    grown.next = { from: name === 'childSelector' ? 'child' : 'parent', selector }
  } else reader.fail(`a method of UiSelector (${METHODS.join(', ')})`, at)
  reader.expects(')', `after what is in ${name}(...)`)
}

/** Behind `UiSelector`. */
const readCalls = (reader: JavaReader, level: number): UiSelector => {
  reader.expects('(', 'after UiSelector')
  reader.expects(')', 'after UiSelector(')
  const grown: Growing = { tests: [] }
  while (reader.takes('.')) {
    const at = reader.position()
    const name = reader.name() ?? reader.fail('the name of a method after the dot')
    reader.expects('(', `after ${name}`)
    call(grown, name, at, reader, level)
  }
  return grown
}

export const readUiSelector = (reader: JavaReader, level = 1): UiSelector => {
  if (level > LEVELS_MAX) return reader.fail(`at most ${LEVELS_MAX} selectors within each other`)
  const at = reader.position()
  const first = reader.name()
  const name = first === 'new' ? reader.name() : first
  return name === 'UiSelector' ? readCalls(reader, level) : reader.fail('new UiSelector()', at)
}

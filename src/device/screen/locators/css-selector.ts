/**
 * Reads the css selectors that clients send in place of ids and class names, as UiSelectors: so does Appium's
 * UiAutomator2 driver in the native context.
 */
import { shortText } from '../../../runtime/text/shortened-text.ts'
import { resourceIdsOf } from './resource-ids.ts'
import { type FlagKey, patternTest, type TextKey, type UiSelector, type UiTest } from './uiautomator/ui-selector.ts'

export const CSS_CHARS_MAX = 16 * 1_024
const RULES_MAX = 50

class CssSyntax extends Error {}

const FLAGS: Readonly<Record<string, FlagKey>> = {
  checkable: 'checkable',
  checked: 'checked',
  clickable: 'clickable',
  enabled: 'enabled',
  focusable: 'focusable',
  focused: 'focused',
  'long-clickable': 'longClickable',
  scrollable: 'scrollable',
  selected: 'selected',
}

const TEXTS: Readonly<Record<string, TextKey>> = {
  description: 'contentDesc',
  'content-description': 'contentDesc',
  'content-desc': 'contentDesc',
  desc: 'contentDesc',
  'accessibility-id': 'contentDesc',
  'resource-id': 'resourceId',
  id: 'resourceId',
  text: 'text',
  'class-name': 'className',
  'package-name': 'packageName',
}

const NUMBERS: Readonly<Record<string, 'index' | 'instance'>> = {
  index: 'index',
  'nth-child': 'index',
  instance: 'instance',
}

const ownEntry = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

const literal = (text: string): string => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')

/** The operators that need a pattern, over the whole text. */
const PATTERNS: Readonly<Record<string, (word: string) => string>> = {
  '*=': word => `.*${literal(word)}.*`,
  '^=': word => `${literal(word)}.*`,
  '$=': word => `.*${literal(word)}`,
  '~=': word => `(?:.*\\s)?${literal(word)}(?:\\s.*)?`,
}

const textTest = (of: TextKey, sign: string, value: string): UiTest => {
  const isSpoken = of === 'text' || of === 'contentDesc'
  if (sign === '*=' && isSpoken) return { kind: 'contains', of, value }
  if (sign === '^=' && isSpoken) return { kind: 'starts', of, value }
  const test = patternTest(of, PATTERNS[sign]?.(value) ?? literal(value))
  if (typeof test === 'string') throw new CssSyntax('a value that is too long to be matched')
  return test
}

interface Rule {
  tag: string
  classNames: string[]
  tests: UiTest[]
  index?: number
  instance?: number
}

const NAME = /(?:[-\w\u0080-\uffff]|\\[\da-f]{1,6}\s?|\\[^\n\da-f])+/iy

export type CssSelector = { ok: true; selectors: readonly UiSelector[] } | { ok: false; message: string }

const readSelectors = (source: string, foregroundPackage: string): UiSelector[] => {
  let at = 0
  const fail = (expected: string): never => {
    const found = at >= source.length ? 'the end' : JSON.stringify(source.slice(at, at + 20))
    throw new CssSyntax(`expected ${expected} at position ${at}, found ${found}`)
  }
  const takes = (form: RegExp): string | undefined => {
    form.lastIndex = at
    const found = form.exec(source)?.[0]
    at += found?.length ?? 0
    return found
  }
  const unescaped = (text: string): string =>
    text.replace(/\\(?:([\da-f]{1,6})\s?|([\s\S]))/gi, (_, hex?: string, char?: string) => {
      if (hex === undefined) return char ?? ''
      const point = Number.parseInt(hex, 16)
      return point <= 0x10ffff ? String.fromCodePoint(point) : fail('an escape of a character that there is')
    })
  const name = (what: string): string => unescaped(takes(NAME) ?? fail(what))
  const value = (): string => {
    const quoted = takes(/"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'/y)
    return quoted === undefined ? name('a value in quotes') : unescaped(quoted.slice(1, -1))
  }
  const known = (wanted: string): never => {
    const names = [...Object.keys(FLAGS), ...Object.keys(TEXTS), ...Object.keys(NUMBERS)].join(', ')
    return fail(
      `an attribute that css selectors can ask for in the native context (${names}), not ${shortText(wanted)},`,
    )
  }
  const truth = (text: string | undefined): boolean => {
    const word = (text ?? 'true').toLowerCase()
    return word === 'true' || word === 'false' ? word === 'true' : fail('true or false')
  }
  const attribute = (rule: Rule): void => {
    takes(/\s*/y)
    const attributeName = name('the name of an attribute').toLowerCase()
    takes(/\s*/y)
    const sign = takes(/[*^$~]?=/y)
    takes(/\s*/y)
    const operand = sign === undefined ? undefined : value()
    takes(/\s*/y)
    if (!takes(/\]/y)) fail(']')
    const flag = ownEntry(FLAGS, attributeName)
    const key = ownEntry(TEXTS, attributeName)
    if (flag) rule.tests.push({ kind: 'flag', of: flag, value: truth(operand) })
    else if (!key) known(attributeName)
    else if (sign === undefined || operand === undefined) fail(`a value of ${attributeName}, such as [text="Save"],`)
    else if (sign === '=') {
      const values = key === 'resourceId' ? resourceIdsOf(operand, foregroundPackage) : [operand]
      rule.tests.push({ kind: 'equals', of: key, values })
    } else rule.tests.push(textTest(key, sign, operand))
  }
  const pseudoClass = (rule: Rule): void => {
    const className = name('the name of a pseudo-class').toLowerCase()
    const argument = takes(/\(\s*[\w-]*\s*\)/y)
      ?.slice(1, -1)
      .trim()
    const flag = ownEntry(FLAGS, className)
    const number = ownEntry(NUMBERS, className)
    if (flag) rule.tests.push({ kind: 'flag', of: flag, value: truth(argument) })
    else if (!number) known(`:${className}`)
    else if (/^\d{1,9}$/.test(argument ?? '')) rule[number] = Number(argument)
    else fail(`a number, such as :${className}(2),`)
  }
  const readRule = (): Rule => {
    const rule: Rule = { tag: '', classNames: [], tests: [] }
    const from = at
    rule.tag = takes(/\*/y) ? '' : unescaped(takes(NAME) ?? '')
    for (;;) {
      if (takes(/#/y)) {
        const values = resourceIdsOf(name('an id'), foregroundPackage)
        rule.tests.push({ kind: 'equals', of: 'resourceId', values })
      } else if (takes(/\./y)) rule.classNames.push(name('a class name'))
      else if (takes(/\[/y)) attribute(rule)
      else if (takes(/:/y)) pseudoClass(rule)
      else break
    }
    if (at === from) fail('a tag, #id, .class, [attribute="value"] or :pseudo-class')
    return rule
  }
  const selectorOf = ({ tag, classNames, tests, ...place }: Rule, next: UiSelector | undefined): UiSelector => {
    const className = [...(tag === '' ? [] : [tag]), ...classNames].join('.')
    const byClass: UiTest[] = className === '' ? [] : [{ kind: 'equals', of: 'className', values: [className] }]
    return { ...place, tests: [...byClass, ...tests], ...(next ? { next: { from: 'child', selector: next } } : {}) }
  }
  const readSelector = (): UiSelector => {
    const rules = [readRule()]
    while (takes(/\s*>\s*|\s+(?=[^\s,+~|])/y)) {
      if (rules.length >= RULES_MAX) fail(`at most ${RULES_MAX} selectors within each other`)
      rules.push(readRule())
    }
    const selector = rules.reduceRight<UiSelector | undefined>((next, rule) => selectorOf(rule, next), undefined)
    return selector ?? fail('a selector')
  }
  takes(/\s*/y)
  const selectors = [readSelector()]
  while (takes(/\s*,\s*/y)) {
    if (selectors.length >= RULES_MAX) fail(`at most ${RULES_MAX} selectors`)
    selectors.push(readSelector())
  }
  takes(/\s*/y)
  if (at < source.length) fail('a blank, > or a comma: no other combinator is known')
  return selectors
}

export const readCssSelector = (source: string, foregroundPackage: string): CssSelector => {
  if (source.length > CSS_CHARS_MAX) {
    return { ok: false, message: `The css selector is longer than ${CSS_CHARS_MAX} characters.` }
  }
  try {
    return { ok: true, selectors: readSelectors(source, foregroundPackage) }
  } catch (error) {
    if (!(error instanceof CssSyntax)) throw error
    return { ok: false, message: `The css selector ${shortText(source)} cannot be read: ${error.message}.` }
  }
}

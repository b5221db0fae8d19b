/** Selectors and conditions as a file has them. */
import { SELECTOR_LEVELS_MAX } from '../../../../contracts/flows/flow-selector.ts'
import { type Coerced, countOf, flagOf, integerOf, platformOf, traitsOf } from '../coerce.ts'
import {
  type ConditionSource,
  isDynamic,
  SELECTOR_RELATIONS,
  SELECTOR_TEXTS,
  type SelectorRelation,
  type SelectorSource,
  type SelectorText,
  type TextParam,
} from '../params.ts'
import { shownText } from '../problem.ts'
import type { MapEntry, YamlNode } from '../yaml/node.ts'
import { complain, complainOfKey, complainOfKind, type Report, warn } from './report.ts'

/** Keys of tapOn that any selector may have; only the commands that tap make use of them. */
export const TAP_KEYS: readonly string[] = [
  ...['optional', 'label', 'point', 'start', 'end', 'repeat', 'delay'],
  ...['retryTapIfNoChange', 'waitUntilVisible', 'waitToSettleTimeoutMs'],
]

export const SELECTOR_KEYS: readonly string[] = [...SELECTOR_TEXTS, ...SELECTOR_RELATIONS, 'containsDescendants']

const TEXT_RULES: Readonly<Partial<Record<SelectorText, (text: string) => Coerced<unknown>>>> = {
  width: countOf,
  height: countOf,
  tolerance: countOf,
  index: integerOf,
  enabled: flagOf,
  selected: flagOf,
  checked: flagOf,
  focused: flagOf,
  traits: traitsOf,
}

export interface ReadSelector {
  readonly selector: SelectorSource
  readonly isOptional: boolean
}

export const readText = (
  report: Report,
  node: YamlNode,
  name: string,
  coerce?: (text: string) => Coerced<unknown>,
): TextParam | undefined => {
  if (node.kind !== 'text') {
    if (node.kind !== 'empty') complainOfKind(report, node, name, 'one value')
    return undefined
  }
  const { text, place } = node
  const coerced = coerce === undefined || isDynamic(text) ? undefined : coerce(text)
  if (coerced?.ok === false) {
    complain(
      report,
      place,
      `${name} must be ${coerced.expected}; here it is ${JSON.stringify(shownText(text))}.`,
      coerced.hint,
    )
  }
  return { kind: 'text', text, place }
}

const readTraits = (report: Report, node: YamlNode): TextParam | undefined => {
  if (node.kind !== 'list') return readText(report, node, 'traits', traitsOf)
  const words = node.items.map(item => readText(report, item, 'traits', traitsOf)?.text ?? '')
  return { kind: 'text', text: words.join(' '), place: node.place }
}

/** `usedKeys` are the keys of tapOn that the command makes use of. */
export const readSelectorEntries = (
  report: Report,
  entries: readonly MapEntry[],
  level = 1,
  usedKeys: readonly string[] = ['optional'],
): SelectorSource => {
  const texts: Partial<Record<SelectorText, TextParam>> = {}
  const relations: Partial<Record<SelectorRelation, SelectorSource>> = {}
  let containsDescendants: readonly SelectorSource[] | undefined
  for (const { key, place, value } of entries) {
    const textKey = SELECTOR_TEXTS.find(known => known === key)
    const relation = SELECTOR_RELATIONS.find(known => known === key)
    if (textKey !== undefined) {
      const text = textKey === 'traits' ? readTraits(report, value) : readText(report, value, key, TEXT_RULES[textKey])
      if (text !== undefined) texts[textKey] = text
    } else if (relation !== undefined && value.kind !== 'empty') {
      const read = readSelector(report, value, key, level + 1)
      if (read !== undefined) relations[relation] = read.selector
    } else if (key === 'containsDescendants' && value.kind !== 'empty') {
      const items = value.kind === 'list' ? value.items : [value]
      containsDescendants = items.flatMap(item => readSelector(report, item, key, level + 1)?.selector ?? [])
    } else if (TAP_KEYS.includes(key)) {
      const hasEffect = key === 'label' || (level === 1 && usedKeys.includes(key))
      if (!hasEffect) warn(report, place, `A selector makes no use of ${key} here: it has no effect.`)
    } else if (!SELECTOR_KEYS.includes(key)) {
      complainOfKey(report, place, 'A selector', key, [...SELECTOR_KEYS, ...TAP_KEYS])
    }
  }
  if (texts.tolerance !== undefined && texts.width === undefined && texts.height === undefined)
    warn(report, texts.tolerance.place, 'tolerance has no effect without width or height.')
  return { texts, relations, ...(containsDescendants === undefined ? {} : { containsDescendants }) }
}

export const isEmptySelector = ({ texts, relations, containsDescendants }: SelectorSource): boolean =>
  Object.keys(texts).length + Object.keys(relations).length + (containsDescendants?.length ?? 0) === 0

/** A text alone is what the node says. */
export const readSelector = (
  report: Report,
  node: YamlNode,
  name: string,
  level = 1,
  usedKeys?: readonly string[],
): ReadSelector | undefined => {
  if (level > SELECTOR_LEVELS_MAX) {
    complain(report, node.place, `A selector may have at most ${SELECTOR_LEVELS_MAX} levels.`)
    return undefined
  }
  if (node.kind === 'text') {
    const text: TextParam = { kind: 'text', text: node.text, place: node.place }
    return { selector: { texts: { text }, relations: {} }, isOptional: false }
  }
  if (node.kind !== 'map') {
    complainOfKind(report, node, name, 'a text or the keys of a selector')
    return undefined
  }
  const before = report.problems.length
  const selector = readSelectorEntries(report, node.entries, level, usedKeys)
  if (isEmptySelector(selector) && report.problems.length === before) {
    complain(report, node.place, `${name} names no element.`, `Give it one of ${SELECTOR_KEYS.join(', ')}.`)
  }
  const optional = node.entries.find(entry => entry.key === 'optional')
  return { selector, isOptional: optional !== undefined && readFlag(report, optional.value, 'optional') }
}

/** A flag that is needed before the flow runs, so that it cannot be an expression. */
export const readFlag = (report: Report, node: YamlNode, name: string): boolean => {
  const text = readText(report, node, name)
  if (text === undefined) return false
  const flag = flagOf(text.text)
  if (!flag.ok) complain(report, text.place, `${name} must be true or false; here it is ${JSON.stringify(text.text)}.`)
  return flag.ok && flag.value
}

const CONDITIONS = ['platform', 'visible', 'notVisible', 'true']
const CONDITION_KEYS = [...CONDITIONS, 'label', 'optional']

export const readCondition = (report: Report, node: YamlNode, name: string): ConditionSource | undefined => {
  if (node.kind !== 'map') {
    complainOfKind(report, node, name, 'a condition with keys such as visible, notVisible, platform or true')
    return undefined
  }
  for (const { key, place } of node.entries) {
    if (!CONDITION_KEYS.includes(key)) complainOfKey(report, place, `The condition ${name}`, key, CONDITION_KEYS)
  }
  if (!node.entries.some(({ key, value }) => CONDITIONS.includes(key) && value.kind !== 'empty'))
    warn(report, node.place, `The condition ${name} asks for nothing: it always holds.`)
  const valueAt = (key: string) => node.entries.find(entry => entry.key === key && entry.value.kind !== 'empty')?.value
  const selectorOf = (key: string) => {
    const value = valueAt(key)
    return value && readSelector(report, value, key)?.selector
  }
  const textOf = (key: string, coerce?: (text: string) => Coerced<unknown>) => {
    const value = valueAt(key)
    return value && readText(report, value, key, coerce)
  }
  return {
    platform: textOf('platform', platformOf),
    visible: selectorOf('visible'),
    notVisible: selectorOf('notVisible'),
    isTrue: textOf('true'),
  }
}

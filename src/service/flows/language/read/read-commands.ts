/** A list of commands: words, short forms and maps. */
import type { Command, Place } from '../command.ts'
import {
  AI_COMMANDS,
  COMMANDS,
  COMMON_PARAMS,
  type CommandKey,
  type CommandSpec,
  isCommandKey,
  OTHER_WORDS,
  type ParamKind,
} from '../command-table.ts'
import type { Param } from '../params.ts'
import { didYouMean } from '../problem.ts'
import { inOneLine, lastLineOf, type MapEntry, type YamlNode } from '../yaml/node.ts'
import { mismatchOf } from './check-params.ts'
import { readValue } from './read-param.ts'
import {
  isEmptySelector,
  readFlag,
  readSelector,
  readSelectorEntries,
  readText,
  SELECTOR_KEYS,
  TAP_KEYS,
} from './read-selector.ts'
import { complain, complainOfKey, complainOfKind, type Report, warn } from './report.ts'
import { warnOfValues } from './warn-of-values.ts'

const WRITTEN_CHARS = 200
const TIMEOUT_HINT = 'Use extendedWaitUntil, which has one.'
/** Matches a node without a text, too. */
const ANY_TEXT = '.*'
const TYPES_HINT = 'It types into the field that has the focus: tap the field first.'
const COMMAND_NAMES = Object.keys(COMMANDS)

const writtenAt = (report: Report, key: string, { line }: Place, value: YamlNode | undefined): string => {
  const first = (report.lines[line - 1] ?? '').trim()
  const text = value === undefined || lastLineOf(value) === line ? first : `- ${key}: ${inOneLine(value)}`
  return text.length > WRITTEN_CHARS ? `${text.slice(0, WRITTEN_CHARS - 1)}…` : text
}

/** Reads the value of a command. */
interface Given {
  readonly params: Record<string, Param>
  label?: string | undefined
  isOptional: boolean
}

/** A swipe's point may stand in its element, too. */
const takePointOf = (report: Report, draft: Given, node: YamlNode) => {
  const point = node.kind === 'map' ? node.entries.find(entry => entry.key === 'point') : undefined
  if (point === undefined || draft.params.point !== undefined) return
  const value = readValue(report, 'point', point.value, 'point')
  if (value !== undefined) draft.params.point = value
}

const take = (report: Report, draft: Given, kind: ParamKind, node: YamlNode, name: string, shownName = name) => {
  if (node.kind === 'empty') return
  if (kind === 'commands') draft.params[name] = { kind, commands: readCommands(report, node, name) }
  else if (kind === 'selector') {
    const read = readSelector(report, node, shownName, 1, name === 'from' ? ['optional', 'point'] : undefined)
    if (read !== undefined) draft.params[name] = { kind, selector: read.selector }
    if (read?.isOptional === true && name !== 'cropOn') draft.isOptional = true
    if (name === 'from') takePointOf(report, draft, node)
  } else {
    const value = readValue(report, kind, node, name)
    if (value !== undefined) draft.params[name] = value
  }
}

const takeMap = (report: Report, draft: Given, key: CommandKey, entries: readonly MapEntry[]) => {
  const spec: CommandSpec = COMMANDS[key]
  const known = [
    ...new Set([
      ...Object.keys(spec.params),
      ...COMMON_PARAMS,
      ...(spec.isSelector ? [...SELECTOR_KEYS, ...TAP_KEYS] : []),
    ]),
  ]
  for (const { key: name, place, value } of entries) {
    const kind = Object.hasOwn(spec.params, name) ? spec.params[name] : undefined
    if (name === 'label') draft.label = readText(report, value, name)?.text
    else if (name === 'optional') draft.isOptional ||= readFlag(report, value, name)
    else if (kind !== undefined) take(report, draft, kind, value, name)
    else if (name === 'timeout' && spec.isSelector) complain(report, place, `${key} has no key timeout.`, TIMEOUT_HINT)
    else if (spec.passesOverKeys && !known.includes(name))
      warn(report, place, `${key} has no key ${name}: it has no effect.`, didYouMean(name, known) ?? TYPES_HINT)
    else if (spec.isSelector && TAP_KEYS.includes(name))
      warn(report, place, `${key} makes no use of ${name}: it has no effect.`)
    else if (!known.includes(name)) complainOfKey(report, place, key, name, known)
  }
  if (!spec.isSelector) return
  const selector = readSelectorEntries(
    report,
    entries.filter(entry => SELECTOR_KEYS.includes(entry.key)),
  )
  if (!isEmptySelector(selector)) draft.params.selector = { kind: 'selector', selector }
}

const takeValue = (report: Report, draft: Given, key: CommandKey, node: YamlNode) => {
  const spec: CommandSpec = COMMANDS[key]
  if (node.kind === 'map') takeMap(report, draft, key, node.entries)
  else if (spec.isSelector) take(report, draft, 'selector', node, 'selector', key)
  else if (spec.short !== undefined) take(report, draft, spec.params[spec.short] ?? 'text', node, spec.short)
  else
    complainOfKind(
      report,
      node,
      key,
      `a map with the keys ${[...Object.keys(spec.params), ...COMMON_PARAMS].join(', ')}`,
    )
}

/** In the format, an assertion that names no element asks for any. */
const takeAnyElement = (report: Report, draft: Given, place: Place) => {
  const message = 'assertVisible names no element: it holds for any screen with an element.'
  warn(report, place, message, 'Give it a text, an id or another key of a selector.')
  const text: Param = { kind: 'text', text: ANY_TEXT, place }
  draft.params.selector = { kind: 'selector', selector: { texts: { text }, relations: {} } }
}

const hasParam = (draft: Given, name: string) => draft.params[name] !== undefined

const readKnown = (report: Report, key: CommandKey, place: Place, value: YamlNode | undefined): Command => {
  const spec: CommandSpec = COMMANDS[key]
  const draft: Given = { params: {}, isOptional: false }
  const before = report.problems.length
  if (value !== undefined) takeValue(report, draft, key, value)
  const missing = (spec.required ?? []).filter(name => !hasParam(draft, name))
  if (report.problems.length === before) {
    if (missing.length > 0) complain(report, place, `${key} needs ${missing.join(' and ')}.`)
    if (key === 'assertVisible' && draft.params.selector === undefined) takeAnyElement(report, draft, place)
    const mismatch = missing.length > 0 ? undefined : mismatchOf(key, draft.params)
    if (mismatch !== undefined) complain(report, place, mismatch.message, mismatch.hint)
  }
  const { params, label, isOptional } = draft
  warnOfValues(report, key, params)
  const written = writtenAt(report, key, place, value)
  return { key, place, written, ...(label === undefined ? {} : { label }), optional: isOptional, params }
}

const complainOfName = (report: Report, place: Place, name: string): void => {
  if (AI_COMMANDS.includes(name)) {
    complain(
      report,
      place,
      `${name} needs an AI model in a cloud, which svc does not use.`,
      'Assert what the screen shows.',
    )
  } else {
    complain(report, place, `There is no command ${name}.`, didYouMean(name, COMMAND_NAMES))
  }
}

const readWord = (report: Report, word: string, place: Place): Command | undefined => {
  const key = OTHER_WORDS.get(word) ?? word
  if (!isCommandKey(key)) {
    complainOfName(report, place, key)
    return undefined
  }
  const spec: CommandSpec = COMMANDS[key]
  if (spec.isWord) return readKnown(report, key, place, undefined)
  complain(report, place, `${key} needs a value.`, `Write it as - ${key}: with a value or keys.`)
  return undefined
}

const readEntry = (report: Report, { key, place, value }: MapEntry): Command | undefined => {
  if (!isCommandKey(key)) {
    complainOfName(report, place, key)
    return undefined
  }
  if (value.kind !== 'empty') return readKnown(report, key, place, value)
  const spec: CommandSpec = COMMANDS[key]
  const hint = spec.isWord ? `Write it as - ${key} without a colon.` : 'Indent its keys deeper than its name.'
  complain(report, place, `${key} has a colon and no value.`, hint)
  return undefined
}

const hasKey = (command: string, name: string): boolean =>
  isCommandKey(command) && Object.hasOwn(COMMANDS[command].params, name)

const readCommand = (report: Report, node: YamlNode): Command | undefined => {
  if (node.kind === 'text') return readWord(report, node.text, node.place)
  if (node.kind === 'empty') {
    complain(report, node.place, 'A dash stands here without a command.')
    return undefined
  }
  if (node.kind === 'list') {
    complain(
      report,
      node.place,
      'A command is a name with a value; here is a list.',
      'Write one dash for each command.',
    )
    return undefined
  }
  const [first, ...others] = node.entries
  if (first === undefined) {
    complain(report, node.place, 'A command is a name with a value; here is nothing.')
    return undefined
  }
  for (const { key, place } of others) {
    const isOther = (isCommandKey(key) || AI_COMMANDS.includes(key)) && !hasKey(first.key, key)
    const hint = isOther ? 'Write a dash in front of it.' : `Indent it deeper than ${first.key}.`
    complain(report, place, `${key} stands beside the command ${first.key}.`, hint)
  }
  if (others.length > 0 && first.value.kind === 'empty') return undefined
  return readEntry(report, first)
}

export const readCommands = (report: Report, node: YamlNode, name: string): readonly Command[] => {
  if (node.kind === 'list') return node.items.flatMap(item => readCommand(report, item) ?? [])
  if (node.kind !== 'empty') complainOfKind(report, node, name, 'a list of commands')
  return []
}

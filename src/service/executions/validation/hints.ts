/** Suggests a fix for a problem: the first row with a suggestion wins. */

import { ORIENTATIONS } from '../../../contracts/device/setting-names.ts'
import { ACTION_TYPES } from '../../../contracts/executions/action.ts'
import { EXACT_TYPE_ALIASES, TYPE_ALIASES } from '../../../contracts/executions/aliases.ts'
import { KEY_NAMES, keyNameOf } from '../../../contracts/executions/key-names.ts'
import { KEYS } from '../../../contracts/json/literals.ts'
import { mistyped, nearest } from '../../../runtime/text/nearest-word.ts'
import { choices, defaultOf, expectation } from './expectation.ts'
import type { Problem } from './problem.ts'
import { childOf, type Entries, entriesOf } from './schema-tree.ts'
import { listed, quoted } from './show.ts'

const SUGGESTIONS_MAX = 3

type Hint = (problem: Problem) => string | undefined

/** The key of this object in which a misplaced key is known: `matcher` for `textEquals` directly in params. */
const homeOf = (key: string, { schema, value }: Problem, entries: Entries): string | undefined =>
  Object.keys(entries).find(name => {
    const child = schema === undefined ? undefined : childOf(schema, value, name)
    const inside = child === undefined ? undefined : entriesOf(child, undefined)
    return inside !== undefined && Object.hasOwn(inside, key)
  })

const forUnknownKeys: Hint = problem => {
  const { schema, value, unknownKeys } = problem
  const entries = schema === undefined ? undefined : entriesOf(schema, value)
  if (unknownKeys.length === 0 || entries === undefined) return undefined
  const known = Object.keys(entries)
  const suggestions = unknownKeys.slice(0, SUGGESTIONS_MAX).flatMap(key => {
    const home = homeOf(key, problem, entries)
    if (home !== undefined) return [`${quoted(key)} belongs inside ${home}.`]
    const suggestion = nearest(key, known)
    return suggestion === undefined ? [] : [`Did you mean ${suggestion} instead of ${quoted(key)}?`]
  })
  return [...suggestions, known.length === 0 ? 'No keys are allowed here.' : `Known here: ${known.join(', ')}.`].join(
    ' ',
  )
}

/** Other tools call the same by these names. */
const SYNONYMS: Readonly<Record<string, string>> = {
  grant: 'allow',
  granted: 'allow',
  allowed: 'allow',
  revoke: 'deny',
  revoked: 'deny',
  denied: 'deny',
  landscape: 'landscape_left',
}

/** Only a typing mistake: what is merely like a value may have another effect, as `long_click` has for `click`. */
const didYouMean = (word: unknown, known: readonly string[]): string => {
  if (typeof word === 'string' && Object.hasOwn(SYNONYMS, word) && known.includes(SYNONYMS[word] ?? '')) {
    return `${word} is ${SYNONYMS[word]} here. `
  }
  const suggestion = typeof word === 'string' ? mistyped(word, known) : undefined
  return suggestion === undefined ? '' : `Did you mean ${suggestion}? `
}

const forType: Hint = ({ path, value, issue }) => {
  if (issue.type !== 'variant' || path.at(-1) !== 'type') return undefined
  const aliases = [...Object.keys(TYPE_ALIASES), ...Object.keys(EXACT_TYPE_ALIASES)]
  return `${didYouMean(value, [...ACTION_TYPES, ...aliases])}Types: ${ACTION_TYPES.join(', ')}.`
}

const forQuotedValue: Hint = ({ issue, value }) => {
  if (typeof value !== 'string') return undefined
  const isNumber = issue.type === 'number' && value.trim() !== '' && Number.isFinite(Number(value))
  const isBoolean = issue.type === 'boolean' && /^(?:true|false)$/.test(value)
  return isNumber || isBoolean
    ? `Write it without quotes: ${Number.isFinite(Number(value)) ? Number(value) : value}.`
    : undefined
}

const forMissing: Hint = ({ missing, path, schema }) =>
  missing && schema && path.length > 0 ? `Add ${path.at(-1)}: ${expectation(schema)}.` : undefined

const forChoice: Hint = ({ schema, value }) => {
  const allowed = schema === undefined ? [] : choices(schema)
  const isAllowed = typeof value === 'string' && allowed.includes(value)
  const suggestion = isAllowed ? '' : didYouMean(value, allowed)
  return allowed.length === 0 ? undefined : `${suggestion}Allowed: ${listed(allowed, allowed.length)}.`
}

const forKey: Hint = ({ path, issue, value }) =>
  path.at(-1) === 'key' && issue.type === 'check'
    ? `${didYouMean(typeof value === 'string' ? keyNameOf(value) : value, KEY_NAMES)}Keys: ${KEYS.join(', ')}, and those of Android without KEYCODE_, such as volume_up.`
    : undefined

const SETTING_EXAMPLES =
  'Such as orientation "landscape_left", dark_mode true, font_scale 1.3, brightness 120, locale "fr-FR", location {"latitude": 48.85, "longitude": 2.35}, battery {"level": 15, "plugged": "ac"}.'

const forSetting: Hint = ({ path, value, schema }) =>
  path.at(-1) === 'value' && schema?.type === 'union'
    ? `${didYouMean(value, ORIENTATIONS)}${SETTING_EXAMPLES}`
    : undefined

const forRef: Hint = ({ path, value }) =>
  path.at(-1) === 'ref' && typeof value === 'string'
    ? 'Compact snapshots with `POST /snapshot` show the refs of a screen; other matcher keys need none.'
    : undefined

const nameOf = (path: readonly string[]): string => {
  const last = path.at(-1)
  if (last === undefined) return 'An execution'
  if (path.length === 2 && path[0] === 'actions') return 'An action'
  return /^\d+$/.test(last) ? `${path.at(-2)}[${last}]` : last
}

const forAnythingElse: Hint = ({ path, schema, issue, value }) => {
  if (schema === undefined) return undefined
  const expected = expectation(schema)
  const fallback = defaultOf(schema)
  const isBare = issue.type === 'string' && (typeof value === 'number' || typeof value === 'boolean')
  const parts = [
    ...(expected === 'text' && (issue.type !== 'string' || isBare) ? [] : [`${nameOf(path)} is ${expected}.`]),
    ...(isBare ? [`Write it in quotes: "${value}".`] : []),
    ...(fallback === undefined ? [] : [`It may be left out, which means ${JSON.stringify(fallback)}.`]),
  ]
  return parts.length === 0 ? undefined : parts.join(' ')
}

const HINTS: readonly Hint[] = [
  forUnknownKeys,
  forType,
  forQuotedValue,
  forMissing,
  forChoice,
  forKey,
  forSetting,
  forRef,
  forAnythingElse,
]

export const hintFor = (problem: Problem): string | undefined => {
  for (const hint of HINTS) {
    const sentence = hint(problem)
    if (sentence !== undefined) return sentence
  }
  return undefined
}

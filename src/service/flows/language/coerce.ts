/** Turns the text of a parameter into its value: the same rules for a text of the file and for the value of an expression. */

import { TRAITS } from '../../../contracts/flows/flow-selector.ts'
import { CLICK_REPEAT_DELAY_MS, CLICK_REPEATS, ERASED_CHARACTERS } from '../../../contracts/limits/gesture-limits.ts'
import { SWIPE_MS } from '../../../contracts/limits/limits.ts'
import { nearest } from '../../../runtime/text/nearest-word.ts'
import { androidKeyOf, KEY_WORDS } from './android-names.ts'
import type { FlowPoint, SwipeDirection } from './command.ts'
import type { ParamKind } from './command-table.ts'
import { ATTEMPT_MS_MAX, FLOW_COMMANDS_MAX, FLOW_TEXT_BYTES, RANDOM_CHARS_MAX } from './limits.ts'
import { didYouMean } from './problem.ts'

/** `expected` completes the sentence "must be ...". */
export type Coerced<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly expected: string; readonly hint?: string | undefined }

const taken = <T>(value: T): Coerced<T> => ({ ok: true, value })
const refused = (expected: string, hint?: string): Coerced<never> => ({ ok: false, expected, hint })

const NUMBER = /^[+-]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

export const numberOf = (text: string): Coerced<number> => {
  const trimmed = text.trim()
  const value = Number(trimmed.replaceAll('_', ''))
  return NUMBER.test(trimmed) && Number.isFinite(value) ? taken(value) : refused('a number')
}

/** A fraction is cut off, as in `2.0`. */
export const integerOf = (text: string): Coerced<number> => {
  const number = numberOf(text)
  const value = number.ok ? Math.trunc(number.value) : Number.NaN
  return Number.isSafeInteger(value) ? taken(value === 0 ? 0 : value) : refused('a whole number')
}

const within = (rule: string, holds: (value: number) => boolean, read: (text: string) => Coerced<number>) => {
  return (text: string): Coerced<number> => {
    const number = read(text)
    return number.ok && holds(number.value) ? number : refused(rule)
  }
}

export const countOf = within('a whole number, 0 or more', value => value >= 0, integerOf)

/** Less than 0 stands for the default of such a number. */
const wholeUpTo = (most: number) => within(`a whole number of at most ${most}`, value => value <= most, integerOf)

export const randomLengthOf = wholeUpTo(RANDOM_CHARS_MAX)
export const timesOf = wholeUpTo(FLOW_COMMANDS_MAX)
export const timeoutOf = wholeUpTo(ATTEMPT_MS_MAX)
export const tapsOf = wholeUpTo(CLICK_REPEATS.max)
export const tapDelayOf = wholeUpTo(CLICK_REPEAT_DELAY_MS.max)
export const swipeMsOf = within(
  `a whole number from ${SWIPE_MS.min} to ${SWIPE_MS.max}`,
  value => value >= SWIPE_MS.min && value <= SWIPE_MS.max,
  integerOf,
)
export const erasedOf = within(
  `a whole number, 0 or more and at most ${ERASED_CHARACTERS.max}`,
  value => value >= 0 && value <= ERASED_CHARACTERS.max,
  integerOf,
)

/** Judges a text of the file; the value of an expression is judged where it is evaluated. */
export const textOf = (text: string): Coerced<string> =>
  Buffer.byteLength(text) <= FLOW_TEXT_BYTES ? taken(text) : refused(`a text of at most ${FLOW_TEXT_BYTES} bytes`)

export const positiveOf = within('a number above 0', value => value > 0, numberOf)
export const percentageOf = within('a number from 0 to 100', value => value >= 0 && value <= 100, numberOf)
export const latitudeOf = within('a number from -90 to 90', value => Math.abs(value) <= 90, numberOf)
export const longitudeOf = within('a number from -180 to 180', value => Math.abs(value) <= 180, numberOf)

export const flagOf = (text: string): Coerced<boolean> => {
  const word = text.trim().toLowerCase()
  return word === 'true' || word === 'false' ? taken(word === 'true') : refused('true or false')
}

const POINT_RULE = 'two numbers such as "50%,50%" or "100,200"'

/** One percent sign makes both numbers percentages. */
export const pointOf = (text: string): Coerced<FlowPoint> => {
  const unit = text.includes('%') ? 'percent' : 'pixel'
  const parts = text.replaceAll('%', '').split(',')
  const [x, y] = parts.map(numberOf)
  if (parts.length !== 2 || x?.ok !== true || y?.ok !== true) return refused(POINT_RULE)
  if (unit === 'percent' && Math.max(x.value, y.value) > 100) return refused('within 0 % and 100 %')
  if (Math.min(x.value, y.value) < 0) return refused('on the screen: no number may be negative')
  return taken({ x: x.value, y: y.value, unit })
}

/** Case, blanks, dashes and underscores make no difference. */
const folded = (text: string) => text.toLowerCase().replace(/[\s_-]/g, '')

const oneOf = <const W extends string>(
  words: readonly W[],
  text: string,
  shownWords: readonly string[] = words,
): Coerced<W> => {
  const found = words.find(word => folded(word) === folded(text))
  if (found !== undefined) return taken(found)
  return refused(`one of ${shownWords.join(', ')}`, didYouMean(text, shownWords))
}

const DIRECTIONS = ['up', 'down', 'left', 'right'] as const
export const directionOf = (text: string): Coerced<SwipeDirection> =>
  oneOf(DIRECTIONS, text, ['UP', 'DOWN', 'LEFT', 'RIGHT'])

const ORIENTATIONS = ['portrait', 'landscape_left', 'landscape_right', 'upside_down'] as const
export const orientationOf = (text: string): Coerced<(typeof ORIENTATIONS)[number]> =>
  oneOf(ORIENTATIONS, text, ['PORTRAIT', 'LANDSCAPE_LEFT', 'LANDSCAPE_RIGHT', 'UPSIDE_DOWN'])

export const modeOf = (text: string): Coerced<boolean> => {
  const word = oneOf(['enabled', 'disabled'], text)
  return word.ok ? taken(word.value === 'enabled') : word
}

export const keyOf = (text: string): Coerced<string> => {
  const key = androidKeyOf(text)
  if (key !== undefined) return taken(key)
  const suggestion = nearest(text, KEY_WORDS)
  return refused(
    'a key by its name',
    suggestion === undefined ? `Keys: ${KEY_WORDS.join(', ')}.` : `Did you mean ${suggestion}?`,
  )
}

export const traitsOf = (text: string): Coerced<(typeof TRAITS)[number][]> => {
  const traits = text
    .trim()
    .split(/[\s,]+/)
    .map(word => oneOf(TRAITS, word))
  const wrong = traits.find(trait => !trait.ok)
  return wrong?.ok === false ? wrong : taken(traits.flatMap(trait => (trait.ok ? [trait.value] : [])))
}

const PLATFORMS = ['android', 'ios', 'web'] as const
export const platformOf = (text: string): Coerced<(typeof PLATFORMS)[number]> =>
  oneOf(PLATFORMS, text, ['Android', 'iOS', 'Web'])

const PERMISSION_WORDS = ['allow', 'deny', 'unset'] as const
export const permissionStateOf = (text: string): Coerced<(typeof PERMISSION_WORDS)[number]> =>
  oneOf(PERMISSION_WORDS, text)

/** `latitude,longitude` in degrees. */
export const coordinateOf = (text: string): Coerced<{ latitude: number; longitude: number }> => {
  const [first = '', second = '', ...rest] = text.split(',')
  const [latitude, longitude] = [latitudeOf(first), longitudeOf(second)]
  if (!latitude.ok || !longitude.ok || rest.length > 0) {
    return refused('a latitude and a longitude in degrees, such as "52.52,13.40"')
  }
  return taken({ latitude: latitude.value, longitude: longitude.value })
}

/** The rules of assertTrue and of `true` in a condition. */
export const isTruthy = (text: string): boolean => {
  const value = text.trim()
  if (value === '' || value === 'undefined' || value === 'null' || value.toLowerCase() === 'false') return false
  const number = numberOf(value)
  return !number.ok || number.value !== 0
}

/** The check of a text that stands in the file; kinds that are no single text have their own. */
export const COERCIONS: Readonly<Partial<Record<ParamKind, (text: string) => Coerced<unknown>>>> = {
  text: textOf,
  integer: integerOf,
  times: timesOf,
  timeout: timeoutOf,
  taps: tapsOf,
  tapDelay: tapDelayOf,
  swipeMs: swipeMsOf,
  randomLength: randomLengthOf,
  erased: erasedOf,
  positive: positiveOf,
  percentage: percentageOf,
  latitude: latitudeOf,
  longitude: longitudeOf,
  flag: flagOf,
  point: pointOf,
  direction: directionOf,
  orientation: orientationOf,
  mode: modeOf,
  key: keyOf,
}

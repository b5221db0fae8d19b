/** The ways in which a secret is written: as it is, in XML, JSON, URLs, base64 and on command lines, also one within another. */

const XML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }
const CONTROLS = /\p{Cc}/gu
const NOT_ASCII = /[^ -~]/g

const unicodeEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
const decimalEntity = (sign: string) => `&#${sign.codePointAt(0)};`
const xml = (value: string, signs: RegExp) => value.replace(signs, sign => XML[sign] ?? sign)

/** A lone surrogate has no form there. */
const url = (value: string): string => {
  try {
    return encodeURIComponent(value)
  } catch {
    return value
  }
}

const percent = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`
const lowerPercents = (text: string) => text.replace(/%[0-9A-F]{2}/g, found => found.toLowerCase())

/** The place of each in the list is part of its tokens: a new one goes to the end. */
const textSpellings = (value: string): readonly string[] => {
  const json = JSON.stringify(value).slice(1, -1)
  const strictUrl = url(value).replace(/[!'()*]/g, percent)
  const withApostrophes = xml(value, /[&<>"']/g)
  const withoutApostrophes = xml(value, /[&<>"]/g)
  const plain = xml(value, /[&<>]/g)
  return [
    value,
    withApostrophes,
    withoutApostrophes,
    plain,
    withApostrophes.replace(CONTROLS, decimalEntity),
    withoutApostrophes.replace(CONTROLS, decimalEntity),
    plain.replace(/["']/g, decimalEntity),
    withoutApostrophes.replaceAll("'", '&#39;'),
    withApostrophes.replace(/[^ -~]/gu, decimalEntity),
    json,
    json.replace(/[<>&']/g, unicodeEscape),
    json.replace(NOT_ASCII, unicodeEscape),
    json.replaceAll('/', '\\/'),
    url(value),
    strictUrl,
    lowerPercents(url(value)),
    lowerPercents(strictUrl),
    strictUrl.replaceAll('%20', '+'),
    value.replaceAll("'", `'\\''`),
    value.trim(),
    value.replace(/\s+/g, ' ').trim(),
  ]
}

/** Spellings in base64 have the numbers from here. */
const FIRST_OF_BASE64 = 64
const EDGE = 16
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
/** Where a value can begin in the three bytes that four signs stand for. A shorter one has too few signs to be told apart. */
const offsetsOf = (value: string): readonly number[] => (Buffer.byteLength(value) < CHARS_MIN ? [] : [0, 1, 2])

interface InBase64 {
  /** The signs that can stand first and last: they hold bits of the neighbours. */
  readonly first: readonly string[]
  readonly middle: string
  readonly last: readonly string[]
}

/** The signs that hold bits of the value where it begins `offset` bytes behind a multiple of three. */
const inBase64 = (value: string, offset: number): InBase64 => {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value), Buffer.alloc(2)])
  const [from, to] = [8 * offset, 8 * (bytes.length - 2)]
  const signs = bytes.toString('base64').slice(Math.floor(from / 6), Math.ceil(to / 6))
  const before = from % 6
  const after = (6 - (to % 6)) % 6
  const each = (count: number, sign: (bits: number) => number) =>
    Array.from({ length: 2 ** count }, (_, bits) => BASE64.charAt(sign(bits)))
  const head = BASE64.indexOf(signs.charAt(0))
  const tail = BASE64.indexOf(signs.charAt(signs.length - 1))
  return {
    first: each(before, bits => head | (bits << (6 - before))),
    middle: signs.slice(1, -1),
    last: each(after, bits => tail | bits),
  }
}

const inUrlBase64 = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_')

/** Each with its number: whoever knows a value and the token of it knows the tokens of all these. */
export const numberedSpellings = (value: string): ReadonlyMap<string, number> => {
  const numbers = new Map<string, number>()
  const note = (spelling: string, number: number) => {
    const isFit = spelling === value || spelling.length >= CHARS_MIN
    if (isFit && !numbers.has(spelling)) numbers.set(spelling, number)
  }
  for (const [number, spelling] of textSpellings(value).entries()) note(spelling, number)
  for (const offset of offsetsOf(value)) {
    const { first, middle, last } = inBase64(value, offset)
    for (const [head, one] of first.entries())
      for (const [tail, other] of last.entries()) {
        const number = FIRST_OF_BASE64 + 2 * ((offset * EDGE + head) * EDGE + tail)
        note(`${one}${middle}${other}`, number)
        note(inUrlBase64(`${one}${middle}${other}`), number + 1)
      }
  }
  return numbers
}
/** A shorter text, such as a value of blanks that was trimmed, would be found everywhere. */
const CHARS_MIN = 4

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
const anyCase = (hex: string) => hex.replace(/[a-f]/g, digit => `[${digit}${digit.toUpperCase()}]`)
const hexOf = (number: number, digits = 2) => anyCase(number.toString(16).padStart(digits, '0'))

/** One text may be written within another, so `&` and `%` and backslashes may be escaped themselves. */
const AMPERSAND = '&(?:amp;){0,4}'
const PERCENT = '%(?:25){0,4}'
const BACKSLASHES = '\\\\{1,8}'

const NAMES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' }
const JSON_LETTERS: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't', '\b': 'b', '\f': 'f' }
const ESCAPED_IN_JSON = /["\\/']/

const isLone = (sign: string) => /^[\ud800-\udfff]$/.test(sign)

/** All forms of one character. */
const formsOf = (sign: string): string[] => {
  const units = [...Array(sign.length).keys()].map(at => sign.charCodeAt(at))
  const entity = (code: number) => `${AMPERSAND}#(?:0{0,6}${code}|[xX]0{0,6}${hexOf(code, 1)});`
  const bytes = isLone(sign) ? [] : [...Buffer.from(sign)]
  const letter = JSON_LETTERS[sign]
  return [
    escaped(sign),
    entity(sign.codePointAt(0) ?? 0),
    ...(units.length > 1 ? [units.map(entity).join('')] : []),
    units.map(unit => `${BACKSLASHES}u${hexOf(unit, 4)}`).join(''),
    ...(bytes.length > 0 ? [bytes.map(byte => `${PERCENT}${hexOf(byte)}`).join('')] : []),
    ...(NAMES[sign] === undefined ? [] : [`${AMPERSAND}${NAMES[sign]};`]),
    ...(letter === undefined ? [] : [`${BACKSLASHES}${letter}`]),
    ...(ESCAPED_IN_JSON.test(sign) ? [`${BACKSLASHES}${escaped(sign)}`] : []),
    ...(sign === "'" ? [`'${BACKSLASHES}''`] : []),
    ...(sign === ' ' ? ['\\+', '%s'] : []),
  ]
}

const anyOf = (forms: readonly string[]) => `(?:${forms.join('|')})`

const BLANKS = [' ', '\n', '\r', '\t', '\v', '\f']

/** Blanks other than single spaces are collapsed in labels and made spaces by readers of XML. */
const ANY_BLANK = anyOf(['\\s', ...BLANKS.flatMap(formsOf)])

const patternOf = (value: string): string => {
  const core = value.trim()
  const isCollapsible = (blanks: string) => blanks !== ' '
  const inner = (core.match(/\s+|[^\s]+/gu) ?? []).map(part =>
    /^\s/.test(part) && isCollapsible(part)
      ? `${ANY_BLANK}{1,${2 * part.length}}`
      : [...part].map(sign => anyOf(formsOf(sign))).join(''),
  )
  const edge = (blanks: number) => (blanks === 0 ? '' : `${ANY_BLANK}{0,${2 * blanks}}`)
  const before = value.length - value.trimStart().length
  const after = value.length - value.trimEnd().length
  return `${edge(before)}${inner.join('')}${edge(after)}`
}

/** A longer value is found in its usual spellings only. */
const ANY_SPELLING_CHARS_MAX = 2_000

const base64Patterns = (value: string): string[] =>
  offsetsOf(value).map(offset => {
    const { first, middle, last } = inBase64(value, offset)
    const either = (signs: readonly string[]) =>
      anyOf([...new Set(signs.flatMap(sign => [sign, inUrlBase64(sign)]))].map(escaped))
    const eitherOf = (text: string) => [...text].map(sign => ('+/'.includes(sign) ? either([sign]) : sign)).join('')
    return `${either(first)}${eitherOf(middle)}${either(last)}`
  })

/** Finds the value in every spelling. */
export const spellingPattern = (value: string): RegExp => {
  const isLong = value.length > ANY_SPELLING_CHARS_MAX || value.trim().length < CHARS_MIN
  const known = [...new Set(textSpellings(value))].filter(({ length }) => length >= Math.min(CHARS_MIN, value.length))
  const texts = isLong ? known.sort((one, other) => other.length - one.length).map(escaped) : [patternOf(value)]
  return new RegExp([...texts, ...base64Patterns(value)].join('|'), 'g')
}

/** Text of devices, skills and files as it may reach a terminal: nothing in it moves the cursor, colours or reorders a line. */

/** Control characters, separators, invisible characters, and whatever sets the direction of the text around it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
const UNSAFE = /[\0-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g
const UNSAFE_IN_LINES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\x1b': '\\e' }

const BYTE_MAX = 0xff
const escapeOf = (character: string): string => {
  const code = character.charCodeAt(0)
  const hex = code.toString(16)
  return NAMED[character] ?? (code > BYTE_MAX ? `\\u${hex.padStart(4, '0')}` : `\\x${hex.padStart(2, '0')}`)
}

/** On one line, with an escape in the place of each unsafe character. */
export const visible = (text: string): string => text.replace(UNSAFE, escapeOf)

/** The same for text of several lines, which keeps its line feeds and tabs. */
export const visibleLines = (text: string): string => text.replaceAll('\r\n', '\n').replace(UNSAFE_IN_LINES, escapeOf)

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'

/** Text that runs from right to left keeps to its own place on the line. */
export const isolated = (text: string): string =>
  RIGHT_TO_LEFT.test(text) ? `${FIRST_STRONG_ISOLATE}${text}${POP_ISOLATE}` : text

const QUOTED = /"(?:[^"\\]|\\.)*"/g

/** A line in which each quoted label keeps to its own place. */
export const withLabels = (line: string): string => line.replace(QUOTED, isolated)

/** A template whose values are visible and isolated; one that is undefined is left out. */
export const safe = (parts: TemplateStringsArray, ...values: readonly (string | number | undefined)[]): string =>
  parts.map((part, at) => part + (values[at] === undefined ? '' : isolated(visible(String(values[at]))))).join('')

/** The sets of characters that the regular expressions of flows name, which are Java's. */
import { type CharTest, casesOf } from './char-test.ts'

const formTest =
  (form: RegExp): CharTest =>
  char =>
    form.test(char)
const not =
  (test: CharTest): CharTest =>
  char =>
    !test(char)

const digit = formTest(/^[0-9]$/)
const word = formTest(/^[0-9A-Za-z_]$/)
const space = formTest(/^[ \t\n\v\f\r]$/)
const level = formTest(/^[ \t\xa0\u1680\u180e\u2000-\u200a\u202f\u205f\u3000]$/)
const upright = formTest(/^[\n\v\f\r\x85\u2028\u2029]$/)

/** By the letter behind the backslash. */
export const ESCAPED_SETS: Readonly<Record<string, CharTest>> = {
  d: digit,
  D: not(digit),
  w: word,
  W: not(word),
  s: space,
  S: not(space),
  h: level,
  H: not(level),
  v: upright,
  V: not(upright),
}

export const CONTROLS: Readonly<Record<string, string>> = {
  t: '\t',
  n: '\n',
  r: '\r',
  f: '\f',
  a: '\x07',
  e: '\x1b',
}

export const isLineEnd = formTest(/^[\n\r\x85\u2028\u2029]$/)
export const isWordChar = formTest(/^[\p{L}\p{Nd}_]$/u)

const NAMED: Readonly<Record<string, RegExp>> = {
  Lower: /^[a-z]$/,
  Upper: /^[A-Z]$/,
  ASCII: /^\p{ASCII}$/u,
  Alpha: /^[A-Za-z]$/,
  Digit: /^[0-9]$/,
  Alnum: /^[0-9A-Za-z]$/,
  Punct: /^[!-/:-@[-`{-~]$/,
  Graph: /^[!-~]$/,
  Print: /^[ -~]$/,
  Blank: /^[ \t]$/,
  Cntrl: /^\p{Cc}$/u,
  XDigit: /^[0-9A-Fa-f]$/,
  Space: /^[ \t\n\v\f\r]$/,
  javaLowerCase: /^\p{Ll}$/u,
  javaUpperCase: /^\p{Lu}$/u,
  javaWhitespace: /^(?![\xa0\u2007\u202f\ufeff])\s$/,
}

const compiled = (property: string): RegExp | undefined => {
  try {
    return new RegExp(`^\\p{${property}}$`, 'u')
  } catch {
    return undefined
  }
}

/** A name as it stands in `\p{...}`; undefined for one that nobody knows. */
export const propertyTest = (name: string, isAnyCase: boolean): CharTest | undefined => {
  const bare = name.replace(/^Is/, '')
  const form =
    NAMED[name] ?? compiled(name) ?? compiled(bare) ?? compiled(`Script=${bare.replace(/^(?:script|sc)=/i, '')}`)
  if (!form) return undefined
  return isAnyCase ? char => casesOf(char).some(each => form.test(each)) : formTest(form)
}

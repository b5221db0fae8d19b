/** Reads the little Java that UiAutomator expressions are written in: names, literals, calls; each problem with its position. */

/** A problem in an expression, as a sentence. */
export class UiAutomatorSyntax extends Error {}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', s: ' ' }
const FOUND_CHARS = 20

export interface JavaReader {
  isAtEnd(): boolean
  /** Steps over a sign, if it is there. */
  takes(sign: string): boolean
  /** Fails where the sign is not there. */
  expects(sign: string, where: string): void
  /** Undefined where no name begins. */
  name(): string | undefined
  string(where: string): string
  integer(where: string): number
  decimal(where: string): number
  truth(where: string): boolean
  /** `"a.b.C"` or `a.b.C.class`. */
  className(where: string): string
  position(): number
  /** What is still to be read. */
  rest(): string
  fail(expected: string, at?: number): never
}

export const javaReader = (source: string): JavaReader => {
  let at = 0
  const skip = () => {
    while (/\s/.test(source.charAt(at))) at += 1
  }
  const position = (): number => {
    skip()
    return at
  }
  const fail = (expected: string, from = at): never => {
    const rest = source.slice(from, from + FOUND_CHARS)
    const found = rest === '' ? 'the end' : `${JSON.stringify(rest)}${from + FOUND_CHARS < source.length ? '...' : ''}`
    throw new UiAutomatorSyntax(
      `The UiAutomator expression cannot be read at position ${from}: expected ${expected}, found ${found}.`,
    )
  }
  const takesForm = (form: RegExp): string | undefined => {
    skip()
    form.lastIndex = at
    const found = form.exec(source)?.[0]
    at += found?.length ?? 0
    return found
  }
  const takes = (sign: string): boolean => {
    skip()
    if (!source.startsWith(sign, at)) return false
    at += sign.length
    return true
  }
  const escaped = (): string => {
    const from = at - 1
    const unicode = /u+([\da-f]{4})/iy
    unicode.lastIndex = at
    const hex = unicode.exec(source)
    if (hex) {
      at += hex[0].length
      return String.fromCharCode(Number.parseInt(hex[1] ?? '', 16))
    }
    const octal = /[0-3]?[0-7]{1,2}/y
    octal.lastIndex = at
    const digits = octal.exec(source)?.[0]
    if (digits !== undefined) {
      at += digits.length
      return String.fromCharCode(Number.parseInt(digits, 8))
    }
    const char = source.charAt(at)
    at += 1
    const known = ESCAPES[char]
    if (known !== undefined) return known
    return /^["'\\]$/.test(char) ? char : fail('an escape of Java, such as \\n or \\\\', from)
  }
  const string = (where: string): string => {
    const from = position()
    if (!takes('"')) return fail(`a text in double quotes ${where}`)
    let text = ''
    for (;;) {
      const char = source.charAt(at)
      if (char === '') return fail('the double quotes that end the text', from)
      at += 1
      if (char === '"') return text
      text += char === '\\' ? escaped() : char
    }
  }
  const NAME = /[A-Za-z_$][\w$]*/y
  return {
    isAtEnd() {
      skip()
      return at >= source.length
    },
    takes,
    expects: (sign, where) => void (takes(sign) || fail(`${sign} ${where}`)),
    name: () => takesForm(NAME),
    string,
    integer(where) {
      const from = position()
      const digits = takesForm(/-?\d{1,9}(?![\w.])/y)
      return digits === undefined ? fail(`a whole number ${where}`, from) : Number(digits)
    },
    decimal(where) {
      const from = position()
      const digits = takesForm(/-?\d{1,9}(?:\.\d{0,9})?[dDfF]?(?![\w.])/y)
      return digits === undefined ? fail(`a number ${where}`, from) : Number.parseFloat(digits)
    },
    truth(where) {
      const word = takesForm(/(?:true|false)(?!\w)/y)
      return word === undefined ? fail(`true or false ${where}`) : word === 'true'
    },
    className(where) {
      const path = takesForm(/[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*\.class(?!\w)/y)
      return path === undefined ? string(where) : path.slice(0, -'.class'.length)
    },
    position,
    rest() {
      skip()
      return source.slice(at)
    },
    fail,
  }
}

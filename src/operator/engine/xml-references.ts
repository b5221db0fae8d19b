/** References in attribute values of XML: the five named ones, and characters by number. */

/** XML that cannot be read; `at` is an offset into the text, as near to the trouble as is known. */
export class Malformed extends Error {
  readonly at: number

  constructor(problem: string, at: number) {
    super(problem)
    this.name = 'Malformed'
    this.at = at
  }
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const LAST_CODE_POINT = 0x10ffff

/** The second alternative catches a `&` that begins no reference. */
const REFERENCE = /&(?:#x([\da-fA-F]{1,6})|#(\d{1,7})|([a-z]{2,4}));|&/g

export const decodeReferences = (value: string, at: number): string =>
  value.includes('&')
    ? value.replace(REFERENCE, (found, hex?: string, decimal?: string, name?: string) => {
        const known = name === undefined ? undefined : NAMED[name]
        if (known !== undefined) return known
        const code = hex === undefined ? Number(decimal ?? Number.NaN) : Number.parseInt(hex, 16)
        // Some devices write a character beyond U+FFFF as two references, one per surrogate: joined, they are right again.
        if (code >= 0 && code <= LAST_CODE_POINT) return String.fromCodePoint(code)
        throw new Malformed(`"${found}" is no reference`, at)
      })
    : value

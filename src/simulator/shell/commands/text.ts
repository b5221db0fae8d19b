/** `echo` and `printf`. */
import type { Command } from '../command.ts'
import { fail } from '../say.ts'

const NAMED: Readonly<Record<string, number>> = { a: 7, b: 8, e: 27, f: 12, n: 10, r: 13, t: 9, v: 11, '\\': 92 }

/** One escape, a run of anything else, or a lone backslash. */
const PIECE = /\\(?:0?([0-7]{1,3})|x([0-9a-fA-F]{1,2})|([abefnrtv\\])|c)|[^\\]+|\\/g

/** The bytes that a text with escapes means. `\c` ends it: nothing after it counts. */
export const unescaped = (text: string): { bytes: Buffer; stopped: boolean } => {
  const pieces: Uint8Array[] = []
  for (const [piece, octal, hex, name] of text.matchAll(PIECE)) {
    if (piece === '\\c') return { bytes: Buffer.concat(pieces), stopped: true }
    if (octal !== undefined) pieces.push(Uint8Array.of(Number.parseInt(octal, 8) & 0xff))
    else if (hex !== undefined) pieces.push(Uint8Array.of(Number.parseInt(hex, 16)))
    else if (name !== undefined) pieces.push(Uint8Array.of(NAMED[name] ?? 0))
    else pieces.push(Buffer.from(piece))
  }
  return { bytes: Buffer.concat(pieces), stopped: false }
}

const NEWLINE = Buffer.from('\n')

/** Takes a backslash as it stands unless `-e` is given. */
export const echo: Command = async ({ args, out }) => {
  const flags = args.slice(0, args.findIndex(word => !/^-[neE]+$/.test(word)) >>> 0)
  const words = args.slice(flags.length)
  const letters = flags.join('')
  const text = words.join(' ')
  const { bytes, stopped } = letters.includes('e') ? unescaped(text) : { bytes: Buffer.from(text), stopped: false }
  await out(stopped || letters.includes('n') ? bytes : Buffer.concat([bytes, NEWLINE]))
  return 0
}

/** A width of more digits is not a width that anybody means. */
const DIRECTIVE = /%(-?0?)(\d{0,4})(?:\.(\d+))?([sbcdiuxXo%])|%|[^%]+/g
const RADIX: Readonly<Record<string, number>> = { x: 16, X: 16, o: 8 }

const numberOf = (text: string): number => {
  if (/^["']/.test(text)) return text.codePointAt(1) ?? 0
  return text === '' ? 0 : Number(text)
}

const padded = (text: string, flags: string, width: string) => {
  if (flags.includes('-')) return text.padEnd(Number(width))
  return text.padStart(Number(width), flags.includes('0') ? '0' : ' ')
}

export const printf: Command = async context => {
  const [format, ...values] = context.args
  if (format === undefined) return fail(context, 'printf: Needs 1 argument', 1)
  const pieces: Uint8Array[] = []
  let code = 0
  let used: number
  do {
    used = 0
    const take = () => {
      used++
      return values.shift() ?? ''
    }
    for (const [piece, flags = '', width = '', precision, kind] of format.matchAll(DIRECTIVE)) {
      if (kind === undefined || kind === '%') pieces.push(kind ? Buffer.from('%') : unescaped(piece).bytes)
      else if (kind === 'b') pieces.push(unescaped(take()).bytes)
      else if (kind === 's' || kind === 'c') {
        const text = kind === 'c' ? take().slice(0, 1) : take()
        const kept = precision === undefined ? text : text.slice(0, Number(precision))
        pieces.push(Buffer.from(padded(kept, flags, width)))
      } else {
        const value = numberOf(take())
        if (!Number.isFinite(value)) code = 1
        const digits = Math.trunc(Number.isFinite(value) ? value : 0).toString(RADIX[kind] ?? 10)
        pieces.push(Buffer.from(padded(kind === 'X' ? digits.toUpperCase() : digits, flags, width)))
      }
    }
  } while (values.length > 0 && used > 0)
  await context.out(Buffer.concat(pieces))
  return code
}

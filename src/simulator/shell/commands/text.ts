/** The commands that make and filter text: echo, printf, head, tail and the other small Unix tools. */
import { createHash } from 'node:crypto'
import { type Command, eachContent, eachSource, type Flags, fail, withFlags } from '../command.ts'
import { escapeRegExp } from '../expand.ts'

const NAMED: Readonly<Record<string, number>> = { a: 7, b: 8, e: 27, f: 12, n: 10, r: 13, t: 9, v: 11, '\\': 92 }

/** One escape, a run of anything else, or a lone backslash. */
const PIECE = /\\(?:0?([0-7]{1,3})|x([0-9a-fA-F]{1,2})|([abefnrtv\\])|c)|[^\\]+|\\/g

/** The bytes that a text with escapes means. `\c` ends it: nothing after it counts. */
const unescaped = (text: string): { bytes: Buffer; stopped: boolean } => {
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
  return out(stopped || letters.includes('n') ? bytes : Buffer.concat([bytes, NEWLINE]))
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

const DEFAULT_LINES = '10'
const LINE_FEED = 0x0a

/** The index at which the first `lines` lines end. */
const endOfLines = (content: Buffer, lines: number): number => {
  let end = 0
  for (let left = lines; left > 0 && end < content.length; left--)
    end = content.indexOf(LINE_FEED, end) + 1 || content.length
  return end
}

const wanted = (flags: Flags) => ({
  bytes: flags.value('c'),
  lines: flags.value('n') ?? DEFAULT_LINES,
})

/** Stops reading once it has enough, so that it ends a stream that would run on. */
export const head = withFlags({ on: 'qv', valued: 'cn' }, (context, flags) =>
  eachSource(context, flags.rest, async source => {
    const { bytes, lines } = wanted(flags)
    let held = Buffer.alloc(0)
    for (;;) {
      const end = bytes === undefined ? endOfLines(held, Number(lines)) : Number(bytes)
      const enough = bytes === undefined ? Number(lines) === 0 || (end > 0 && end < held.length) : held.length >= end
      const chunk = enough ? undefined : await source.read()
      if (!chunk) return context.out(held.subarray(0, end))
      held = Buffer.concat([held, chunk])
    }
  }),
)

export const tail = withFlags({ on: 'qv', valued: 'cn' }, (context, flags) =>
  eachContent(context, flags.rest, async content => {
    const { bytes, lines } = wanted(flags)
    if (bytes !== undefined) {
      const start = bytes.startsWith('+') ? Number(bytes) - 1 : content.length - Number(bytes)
      return context.out(content.subarray(Math.max(0, start)))
    }
    if (lines.startsWith('+')) return context.out(content.subarray(endOfLines(content, Number(lines) - 1)))
    let total = 0
    for (let at = 0; at < content.length; at = content.indexOf(LINE_FEED, at) + 1 || content.length) total++
    return context.out(content.subarray(endOfLines(content, Math.max(0, total - Number(lines)))))
  }),
)

const count = (content: Buffer, byte: number) => content.reduce((sum, each) => sum + Number(each === byte), 0)

export const wc = withFlags({ on: 'clwm' }, (context, flags) =>
  eachContent(context, flags.rest, async (content, name) => {
    const all = !['c', 'l', 'w', 'm'].some(flags.has)
    const text = content.toString('utf8')
    const figures = [
      ...(all || flags.has('l') ? [count(content, 0x0a)] : []),
      ...(all || flags.has('w') ? [text.split(/\s+/).filter(Boolean).length] : []),
      ...(all || flags.has('c') ? [content.length] : []),
      ...(flags.has('m') ? [[...text].length] : []),
    ]
    await context.out(`${figures.join(' ')}${name === '-' ? '' : ` ${name}`}\n`)
  }),
)

export const grep = withFlags({ on: 'EFicqvohHsx', valued: 'em' }, async (context, flags) => {
  const [first, ...more] = [flags.value('e') ?? [], flags.rest].flat()
  if (first === undefined) return fail(context, 'grep: no REGEX', 2)
  const plain = flags.has('F') ? escapeRegExp(first) : flags.has('E') ? first : first.replace(/\\([|()+?{}])/g, '$1')
  const pattern = new RegExp(flags.has('x') ? `^(?:${plain})$` : plain, flags.has('i') ? 'iu' : 'u')
  const each = new RegExp(pattern.source, `${pattern.flags}g`)
  let found = 0
  const code = await eachContent(context, more, async (content, name) => {
    const lines = content.toString('utf8').replace(/\n$/, '').split('\n')
    const hits = lines
      .filter(line => pattern.test(line) !== flags.has('v'))
      .slice(0, Number(flags.value('m') ?? lines.length))
    found += hits.length
    if (flags.has('q')) return undefined
    const prefix = more.length > 1 && !flags.has('h') ? `${name}:` : ''
    if (flags.has('c')) return context.out(`${prefix}${hits.length}\n`)
    const rows = flags.has('o') ? hits.flatMap(line => line.match(each) ?? []) : hits
    return context.out(rows.map(line => `${prefix}${line}\n`).join(''))
  })
  return code > 0 ? 2 : found > 0 ? 0 : 1
})

const BASE64_COLUMNS = 76

export const base64 = withFlags({ on: 'di', valued: 'w' }, (context, flags) =>
  eachContent(context, flags.rest, async content => {
    if (flags.has('d')) return context.out(Buffer.from(content.toString('latin1'), 'base64'))
    const columns = Number(flags.value('w') ?? BASE64_COLUMNS)
    const text = content.toString('base64')
    const lines = columns > 0 ? (text.match(new RegExp(`.{1,${columns}}`, 'g')) ?? []) : [text]
    return context.out(lines.map(line => `${line}\n`).join(''))
  }),
)

const checksum = (algorithm: string) =>
  withFlags({ on: 'b' }, (context, flags) =>
    eachContent(context, flags.rest, async (content, name) => {
      const digest = createHash(algorithm).update(content).digest('hex')
      await context.out(flags.has('b') ? `${digest}\n` : `${digest}  ${name}\n`)
    }),
  )

export const md5sum = checksum('md5')
export const sha1sum = checksum('sha1')
export const sha256sum = checksum('sha256')

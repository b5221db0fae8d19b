/** Reads one HTTP/1.1 response from bytes as they come. By hand, because `node:http` costs as much to load as all the rest. */
import { ENVELOPE_BYTES_MAX } from '../../../contracts/limits/limits.ts'

export interface Answer {
  status: number
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>
  body: Buffer
}

export type ReadProgress = 'more' | 'complete' | 'broken'

const HEAD_BYTES_MAX = 64 * 1_024
/** The largest envelope, and as much again for JSON around and inside it. */
const BODY_BYTES_MAX = 2 * ENVELOPE_BYTES_MAX
const NOTHING = Buffer.alloc(0)
const HEAD_END = Buffer.from('\r\n\r\n')
const LINE_END = Buffer.from('\r\n')

type Head = Omit<Answer, 'body'>
type Phase =
  | 'head'
  | 'counted'
  | 'until-close'
  | 'chunk-size'
  | 'chunk'
  | 'chunk-end'
  | 'trailer'
  | 'complete'
  | 'broken'

const parseHead = (text: string): Head | undefined => {
  const [first = '', ...lines] = text.split('\r\n')
  const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(first)?.[1] ?? Number.NaN)
  if (Number.isNaN(status)) return undefined
  /** A header may be called like a member that every object has. */
  const headers: Record<string, string> = Object.create(null)
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon < 1) return undefined
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  return { status, headers }
}

const isEmpty = (status: number) => status === 204 || status === 304

export const createReader = () => {
  let phase: Phase = 'head'
  let pending: Buffer = NOTHING
  let head: Head | undefined
  let interim: Head | undefined
  /** Bytes that the body, or the present chunk of it, still lacks. */
  let missing = 0
  let bytes = 0
  const parts: Buffer[] = []

  const begin = ({ status, headers }: Head): Phase => {
    if (status < 200) {
      interim = { status, headers }
      return 'head'
    }
    head = { status, headers }
    if (isEmpty(status)) return 'complete'
    const coding = headers['transfer-encoding']
    if (coding !== undefined) return coding.toLowerCase() === 'chunked' ? 'chunk-size' : 'broken'
    const length = headers['content-length']
    if (length === undefined) return 'until-close'
    if (!/^\d+$/.test(length) || Number(length) > BODY_BYTES_MAX) return 'broken'
    missing = Number(length)
    return missing === 0 ? 'complete' : 'counted'
  }

  /** Up to the mark and past it; undefined while it is not there, and where it comes too late. */
  const cut = (mark: Buffer): string | undefined => {
    const at = pending.indexOf(mark)
    if (at < 0 || at + mark.length > HEAD_BYTES_MAX) return undefined
    const text = pending.toString('latin1', 0, at)
    pending = pending.subarray(at + mark.length)
    return text
  }

  const take = (most: number): number => {
    const part = pending.subarray(0, most)
    pending = pending.subarray(part.length)
    bytes += part.length
    if (part.length > 0) parts.push(part)
    return part.length
  }

  /** The next phase; undefined when it takes more bytes to tell. */
  const step = (): Phase | undefined => {
    if (phase === 'head') {
      const text = cut(HEAD_END)
      if (text === undefined) return pending.length > HEAD_BYTES_MAX ? 'broken' : undefined
      const parsed = parseHead(text)
      return parsed ? begin(parsed) : 'broken'
    }
    if (phase === 'counted') {
      missing -= take(missing)
      return missing === 0 ? 'complete' : undefined
    }
    if (phase === 'until-close') return take(pending.length) >= 0 && bytes > BODY_BYTES_MAX ? 'broken' : undefined
    if (phase === 'chunk') {
      missing -= take(missing)
      return missing === 0 ? 'chunk-end' : undefined
    }
    const line = cut(LINE_END)
    if (line === undefined) return pending.length > HEAD_BYTES_MAX ? 'broken' : undefined
    if (phase === 'chunk-end') return line === '' ? 'chunk-size' : 'broken'
    if (phase === 'trailer') return line === '' ? 'complete' : 'trailer'
    const size = /^([\da-f]{1,8})(?:[ \t]*;.*)?$/i.exec(line)?.[1]
    if (size === undefined) return 'broken'
    missing = Number.parseInt(size, 16)
    if (bytes + missing > BODY_BYTES_MAX) return 'broken'
    return missing === 0 ? 'trailer' : 'chunk'
  }

  const fed = (): ReadProgress => (phase === 'complete' || phase === 'broken' ? phase : 'more')

  return {
    feed(chunk: Buffer): ReadProgress {
      if (fed() !== 'more') return fed()
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      for (let next = step(); next !== undefined; next = fed() === 'more' ? step() : undefined) phase = next
      return fed()
    },
    /** Nothing more will come: only a body that has no other end is complete now. */
    end(): ReadProgress {
      phase = phase === 'until-close' || phase === 'complete' ? 'complete' : 'broken'
      return fed()
    },
    /** The newest `1xx` that came before the answer. */
    interim: (): Head | undefined => interim,
    /** Known before the answer is complete; an answer may stay incomplete. */
    head: (): Head | undefined => head,
    answer: (): Answer | undefined =>
      head && phase === 'complete'
        ? { ...head, body: parts.length === 1 ? (parts[0] ?? NOTHING) : Buffer.concat(parts) }
        : undefined,
  }
}

export type Reader = ReturnType<typeof createReader>

/** The streams of simulated NATS servers: what is stored, under which conditions, and what is read of it. Knows no messages. */
import { covers } from '../../../src/fleet/servers/subjects.ts'

export type HeaderList = readonly (readonly [string, string])[]

export interface StreamConfig {
  name: string
  subjects: readonly string[]
  num_replicas?: number
  max_age?: number
  max_msgs_per_subject?: number
  first_seq?: number
}

export interface Message {
  seq: number
  subject: string
  data: Uint8Array
  headers: HeaderList
  /** Epoch ms. */
  at: number
}

/** A message that was replaced stays for a while: a server that lags behind still has it. */
interface Kept extends Message {
  goneAt?: number
}

export interface Refusal {
  code: number
  err_code: number
  description: string
}

export type StoreResult = { seq: number; duplicate?: true } | Refusal

export const isRefusal = (result: object): result is Refusal => 'err_code' in result

export interface Stream {
  readonly config: Readonly<Record<string, unknown>> & StreamConfig
  readonly created: number
  store(subject: string, data: Uint8Array, headers: HeaderList): StoreResult
  /** As a server had it at that time; those of now unless told. */
  last(pattern: string, asOf?: number): Message | undefined
  at(seq: number, asOf?: number): Message | undefined
  /** In order, from a sequence on. */
  from(seq: number, pattern: string, asOf?: number): Message[]
  state(): { messages: number; bytes: number; first: number; last: number; subjects: ReadonlyMap<string, number> }
}

const NANOS = 1_000_000
const DUPLICATES_MS = 120_000
/** No server lags behind by more. */
const REPLACED_KEPT_MS = 10_000

const ID = 'Nats-Msg-Id'
const EXPECTED_STREAM = 'Nats-Expected-Stream'
const EXPECTED_LAST_OF_SUBJECT = 'Nats-Expected-Last-Subject-Sequence'

export const headerOf = (headers: HeaderList, name: string): string | undefined =>
  headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1]

const wrongLast = (last: number): Refusal => ({
  code: 400,
  err_code: 10071,
  description: `wrong last sequence: ${last}`,
})

const matcherOf = (pattern: string) =>
  /[*>]/.test(pattern) ? (subject: string) => covers(pattern, subject) : (subject: string) => subject === pattern

export const createStream = (config: Stream['config'], now: () => number): Stream => {
  const created = now()
  const maxAgeMs = (config.max_age ?? 0) / NANOS
  const perSubject = config.max_msgs_per_subject ?? 0
  const firstSeq = config.first_seq ?? 1
  let messages: Kept[] = []
  let next = firstSeq
  const ids = new Map<string, { seq: number; at: number }>()

  const isThere = ({ at, goneAt }: Kept, asOf: number) =>
    at <= asOf && (goneAt === undefined || goneAt > asOf) && (maxAgeMs === 0 || asOf - at < maxAgeMs)

  const there = (asOf = now()): Kept[] => messages.filter(message => isThere(message, asOf))

  const last = (pattern: string, asOf = now()): Kept | undefined => {
    const isOf = matcherOf(pattern)
    return messages.findLast(message => isOf(message.subject) && isThere(message, asOf))
  }

  const tidyUp = (subject: string) => {
    const at = now()
    if (perSubject > 0) {
      const same = there().filter(message => message.subject === subject)
      for (const message of same.slice(0, Math.max(0, same.length - perSubject))) message.goneAt = at
    }
    messages = messages.filter(message => isThere(message, at) || at - (message.goneAt ?? 0) < REPLACED_KEPT_MS)
  }

  return {
    config,
    created,
    last,
    at: (seq, asOf = now()) => messages.find(message => message.seq === seq && isThere(message, asOf)),
    from(seq, pattern, asOf = now()) {
      const isOf = matcherOf(pattern)
      return messages.filter(message => message.seq >= seq && isOf(message.subject) && isThere(message, asOf))
    },
    store(subject, data, headers) {
      const at = now()
      const expectedStream = headerOf(headers, EXPECTED_STREAM)
      if (expectedStream !== undefined && expectedStream !== config.name)
        return { code: 400, err_code: 10060, description: 'expected stream does not match' }
      const expected = headerOf(headers, EXPECTED_LAST_OF_SUBJECT)
      const newest = last(subject)?.seq ?? 0
      if (expected !== undefined && Number(expected) !== newest) return wrongLast(newest)
      const id = headerOf(headers, ID)
      const before = id === undefined ? undefined : ids.get(id)
      if (before && at - before.at < DUPLICATES_MS) return { seq: before.seq, duplicate: true }
      const seq = next++
      messages.push({ seq, subject, data: Uint8Array.from(data), headers, at })
      if (id !== undefined) ids.set(id, { seq, at })
      tidyUp(subject)
      return { seq }
    },
    state() {
      const kept = there()
      const subjects = new Map<string, number>()
      for (const { subject } of kept) subjects.set(subject, (subjects.get(subject) ?? 0) + 1)
      return {
        messages: kept.length,
        bytes: kept.reduce((sum, { data }) => sum + data.length, 0),
        // A stream that holds nothing begins with the next message.
        first: kept[0]?.seq ?? (next === 1 ? 0 : next),
        last: next - 1,
        subjects,
      }
    },
  }
}

/** One message of the log as it travels: steps of one host's journal, or a part of an outcome that is too large for them. */
import { createHash } from 'node:crypto'
import * as v from 'valibot'
import {
  type GapData,
  LOG_MESSAGE_ENTRIES_MAX,
  type LogEntry,
  type LogOutcome,
  logPosition,
} from '../../contracts/fleet-log.ts'
import { isNestedDeeper, parsedJson } from '../../contracts/json/json.ts'
import { count } from '../../contracts/json/scalars.ts'
import { StepProgress } from '../../contracts/records/actor.ts'
import type { JournalRecord } from '../../contracts/records/journal.ts'
import { toTransition } from '../../runtime/transitions.ts'

/** How far the mirror of a host is, once the message that says so is stored. */
export interface MirrorPosition {
  /** Names the journal: a new name when another one took its place. */
  journal: string
  /** The `seq` of the last record that was mirrored or skipped; 0 for none. */
  seq: number
  /** The digest of that record, to detect another journal with the same numbers; empty for none. */
  digest: string
}

/** An outcome, with input and result as JSON texts. */
export interface OutcomeParts {
  deviceId: string
  input: string
  result: string
}

/** A part of a large outcome; readers pass it by until an entry names it. */
export const PART_HEADER = 'Svc-Part'
const JOURNAL_HEADER = 'Svc-Journal'
const SEQ_HEADER = 'Svc-Seq'
const DIGEST_HEADER = 'Svc-Digest'

interface Headers {
  get(name: string): string
}

export const positionHeaders = ({ journal, seq, digest }: MirrorPosition): [string, string][] => [
  [JOURNAL_HEADER, journal],
  [SEQ_HEADER, String(seq)],
  [DIGEST_HEADER, digest],
]

/** Undefined for a message that no mirror has written. */
export const readPositionHeaders = (headers: Headers): MirrorPosition | undefined => {
  const journal = headers.get(JOURNAL_HEADER)
  const seq = headers.get(SEQ_HEADER)
  if (journal === '' || !/^\d{1,16}$/.test(seq)) return undefined
  return { journal, seq: Number(seq), digest: headers.get(DIGEST_HEADER) }
}

/** Hashes only fields that every later version of svc reads in the same way. */
export const digestOf = ({ seq, actor, n, machine, at, event, from, to }: JournalRecord): string =>
  createHash('sha256')
    .update(JSON.stringify([seq, actor, n, machine, at, event.type, from, to]))
    .digest('base64url')
    .slice(0, 22)

const Outcome = v.union([
  v.object({ deviceId: v.string(), parts: v.array(count), inputBytes: count }),
  v.looseObject({ deviceId: v.string(), input: v.unknown(), result: v.looseObject({ ok: v.boolean() }) }),
])

const Transition = v.object({
  seq: count,
  actor: v.string(),
  machine: v.string(),
  event: v.string(),
  from: v.string(),
  to: v.string(),
  at: count,
  progress: v.exactOptional(StepProgress),
  outcome: v.optional(Outcome),
})

const Gap = v.object({
  gap: v.variant('reason', [
    v.object({ reason: v.literal('records-missing'), from: count, to: count }),
    v.object({ reason: v.literal('journal-replaced') }),
  ]),
})

const Entry = v.union([Transition, Gap])
/** Whatever else a newer svc says of a record, it has the number of it. */
const Numbered = v.looseObject({ seq: count })

const Message = v.object({
  entries: v.pipe(v.array(v.unknown()), v.maxLength(LOG_MESSAGE_ENTRIES_MAX)),
})

type WireOutcome = v.InferOutput<typeof Outcome>

/** The texts as they are, which are JSON already. */
export const outcomeHere = ({ deviceId, input, result }: OutcomeParts): string =>
  `{"deviceId":${JSON.stringify(deviceId)},"input":${input},"result":${result}}`

export const outcomeApart = (deviceId: string, parts: readonly number[], inputBytes: number): string =>
  JSON.stringify({ deviceId, parts, inputBytes })

export const transitionText = (record: JournalRecord, outcome?: string): string => {
  const text = JSON.stringify(toTransition(record))
  return outcome === undefined ? text : `${text.slice(0, -1)},"outcome":${outcome}}`
}

export const gapText = (gap: Omit<GapData, 'host'>): string => JSON.stringify({ gap })

export const messageText = (entries: readonly string[]): string => `{"entries":[${entries.join(',')}]}`

/** An envelope of an operator, which has 200 levels at most, is some levels down in a message. */
const MESSAGE_LEVELS_MAX = 256

const toOutcome = (outcome: WireOutcome): LogOutcome => {
  const { deviceId } = outcome
  if ('parts' in outcome)
    return { deviceId, parts: outcome.parts as number[], inputBytes: outcome.inputBytes as number }
  return { deviceId, input: JSON.stringify(outcome.input ?? null), result: JSON.stringify(outcome.result) }
}

/** Stands in the place of what only a newer svc reads. */
export const unreadable = (host: string, entry?: unknown): GapData => {
  const numbered = v.safeParse(Numbered, entry)
  const place = numbered.success ? { from: numbered.output.seq, to: numbered.output.seq } : {}
  return { reason: 'records-unreadable', host, ...place }
}

/** Undefined for what is not a message of a mirror. An entry of an unknown form keeps back none of the others. */
export const readMessage = (host: string, sequence: number, text: string): LogEntry[] | undefined => {
  const value = parsedJson(text)
  // The texts of outcomes are written again, which recurses.
  if (isNestedDeeper(value, MESSAGE_LEVELS_MAX)) return undefined
  const read = v.safeParse(Message, value)
  if (!read.success) return undefined
  return read.output.entries.map((raw, index): LogEntry => {
    const position = logPosition(sequence, index)
    const readEntry = v.safeParse(Entry, raw)
    if (!readEntry.success) return { position, gap: unreadable(host, raw) }
    const entry = readEntry.output
    if ('gap' in entry) return { position, gap: { ...entry.gap, host } }
    const { outcome, ...transition } = entry
    return {
      position,
      transition: { ...transition, host },
      ...(outcome === undefined ? {} : { outcome: toOutcome(outcome) }),
    }
  })
}

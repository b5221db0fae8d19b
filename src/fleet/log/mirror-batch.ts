/** The next records of the journal as the entries of one message: bounded by bytes and by number. */
import { LOG_MESSAGE_ENTRIES_MAX } from '../../contracts/fleet-log.ts'
import type { JournalRecord } from '../../contracts/records/journal.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import { isLost } from '../../runtime/journal/loss.ts'
import { readableOr, recordsAfter } from '../../runtime/journal/reading.ts'
import {
  digestOf,
  gapText,
  type MirrorPosition,
  type OutcomeParts,
  outcomeApart,
  outcomeHere,
  transitionText,
} from './log-message.ts'

export interface Batch {
  entries: string[]
  /** The position of the mirror once these are stored. */
  position: MirrorPosition
  executionIds: Set<string>
}

export interface BatchOptions {
  journal: Journal
  /** Bounds the entries of one message. */
  bytesMax: number
  /** Set for a mirror that begins: records of an earlier time are passed over, for the log would no longer keep them. */
  beginsAt: number | undefined
  /** The event that a record causes on /events; undefined for none. */
  outcomeOf(record: JournalRecord): OutcomeParts | undefined
  /** Stores what is too large for an entry; resolves with the messages that hold it. */
  keepApart(text: Buffer): Promise<number[]>
}

/** Room for an entry whose outcome is kept apart, with the list of its parts; less where servers take small messages only. */
const ENTRY_BYTES = 8 * 1_024
/** How many records are passed over at once. */
const PASSED_MAX = 5_000

const executionIdOf = ({ event, outcome }: JournalRecord): string | undefined =>
  outcome?.executionId ?? (typeof event.executionId === 'string' ? event.executionId : undefined)

export const nextBatch = async (before: MirrorPosition, options: BatchOptions): Promise<Batch> => {
  const { journal, bytesMax, beginsAt, outcomeOf, keepApart } = options
  const batch: Batch = { entries: [], position: before, executionIds: new Set() }
  const { entries, executionIds } = batch
  let bytes = 0
  let passed = 0

  const add = (entry: string) => {
    entries.push(entry)
    bytes += Buffer.byteLength(entry) + 1
  }
  const entryBytes = Math.min(ENTRY_BYTES, bytesMax / 2)
  const hasRoom = () => entries.length < LOG_MESSAGE_ENTRIES_MAX - 1 && bytes < bytesMax - entryBytes

  /** Undefined when it is for the next message. */
  const entryOf = async (record: JournalRecord): Promise<string | undefined> => {
    // A record whose outcome cannot be read is mirrored without it: it must not keep back all that follow.
    const outcome = readableOr(undefined, () => outcomeOf(record))
    if (!outcome) return transitionText(record)
    const entry = transitionText(record, outcomeHere(outcome))
    const size = Buffer.byteLength(entry)
    if (size <= bytesMax - bytes) return entry
    if (size <= bytesMax / 2) return undefined
    const input = Buffer.from(outcome.input)
    const parts = await keepApart(Buffer.concat([input, Buffer.from(outcome.result)]))
    return transitionText(record, outcomeApart(outcome.deviceId, parts, input.length))
  }

  for (const record of recordsAfter(journal, before.seq, {})) {
    const { journal: name, seq } = batch.position
    const isFirst = beginsAt !== undefined && entries.length === 0
    if (isFirst && record.at < beginsAt) {
      passed += 1
      batch.position = { journal: name, seq: record.seq, digest: digestOf(record) }
      if (passed >= PASSED_MAX) break
      continue
    }
    if (!hasRoom()) break
    const entry = await entryOf(record)
    if (entry === undefined) break
    if (!isFirst && record.seq > seq + 1) {
      add(gapText({ reason: 'records-missing', from: seq + 1, to: record.seq - 1 }))
    }
    add(
      isLost(record) ? gapText({ reason: 'records-missing', from: Number(record.event.from), to: record.seq }) : entry,
    )
    const executionId = executionIdOf(record)
    if (executionId !== undefined) executionIds.add(executionId)
    batch.position = { journal: name, seq: record.seq, digest: digestOf(record) }
  }
  return batch
}

/** Mirrors the journal of this host into the log of the fleet: every record once and in order, whatever fails meanwhile. */
import { randomUUID } from 'node:crypto'
import type { JournalRecord } from '../../contracts/records/journal.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import { JournalError } from '../../runtime/journal/fault.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import { isLost } from '../../runtime/journal/loss.ts'
import { messageOf } from '../../runtime/message-of.ts'
import { readDirect } from '../direct-read.ts'
import type { FleetConnection } from '../servers/connection.ts'
import type { Names } from '../servers/names.ts'
import { createStorage, PutEnded, type Stored } from '../servers/put.ts'
import {
  digestOf,
  gapText,
  type MirrorPosition,
  messageText,
  type OutcomeParts,
  PART_HEADER,
  positionHeaders,
  readPositionHeaders,
} from './log-message.ts'
import { tellNews } from './log-news.ts'
import { isFromSender } from './message-origin.ts'
import { nextBatch } from './mirror-batch.ts'
import { createReceiptMirror } from './mirror-receipts.ts'

export interface MirrorOptions {
  connection: FleetConnection
  names: Names
  /** The id of this host. */
  host: string
  journal: Journal
  clock: Clock
  note: (text: string) => void
  /** The event that a record causes on the fleet's /events; undefined for none. */
  outcomeOf(record: JournalRecord): OutcomeParts | undefined
}

const BATCH_BYTES = 256 * 1_024
/** The stream keeps its messages this long. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1_000
const LOOK_MS = 1_000
const FAILED_MS = 1_000
/** Waits for a publish that is under way when the mirror is closed. */
const CLOSE_MS = 1_000

/** Somebody else wrote to the log of this host: another process before this one, or a publish that counted as failed. */
class Moved extends Error {
  readonly last: Stored | undefined
  constructor(last: Stored | undefined) {
    super('the log has moved on')
    this.last = last
  }
}

const newPosition = (): MirrorPosition => ({ journal: randomUUID(), seq: 0, digest: '' })

interface Place {
  position: MirrorPosition
  /** The last message of this host in the log. */
  sequence: number
  /** Nothing of this journal is in the log. */
  isBeginning: boolean
}

/** True when the position was mirrored from this journal. */
const isSameJournal = (journal: Journal, { seq, digest }: MirrorPosition): boolean => {
  if (seq === 0) return true
  if (journal.head() < seq) return false
  const [record] = journal.records({ after: seq - 1, limit: 1, passesDamage: true })
  // Retention may have taken it; the records after it are told of as usual.
  return record?.seq !== seq || isLost(record) || digestOf(record) === digest
}

export const startMirror = (options: MirrorOptions) => {
  const { connection, names, host, journal, clock, note, outcomeOf } = options
  const ended = new AbortController()
  const { signal } = ended
  const storage = createStorage({ connection, clock, signal, note })
  const mirrorReceipts = createReceiptMirror(storage, journal, names, host)
  const target = { stream: names.logStream, subject: names.log(host) }
  let place: Place | undefined
  let newest = 0

  const bytesMax = () => Math.min(BATCH_BYTES, Math.floor((connection.nc.info?.max_payload ?? BATCH_BYTES) * 0.75))

  const put = async (from: Place, data: Buffer | string, headers: [string, string][]): Promise<void> => {
    const done = await storage.put({ ...target, data, headers, expected: from.sequence })
    if (done.kind === 'moved') throw new Moved(done.last)
    from.sequence = done.seq
    newest = Math.max(newest, done.seq)
  }

  const beginAnew = async (at: Place): Promise<void> => {
    const position = newPosition()
    await put(at, messageText([gapText({ reason: 'journal-replaced' })]), positionHeaders(position))
    Object.assign(at, { position, isBeginning: true })
    note(`host ${host}: another journal took the place of the one that the fleet knew; its records follow`)
  }

  /** Behind the last message of this host that nobody else had the servers write. */
  const searched = async (last: number): Promise<MirrorPosition | undefined> => {
    if (place) return place.position
    let position: MirrorPosition | undefined
    for (let from = 1; from <= last && !signal.aborted; ) {
      const found = await readDirect(connection, clock, { ...target, from, messages: 64, bytes: BATCH_BYTES })
      for (const { headers } of found) {
        if (isFromSender(headers, 'direct')) position = readPositionHeaders(headers) ?? position
      }
      from = (found.at(-1)?.seq ?? last) + 1
    }
    return position
  }

  /** Finds the position of the mirror in the log; if the log has no message of this host, takes the one in memory. */
  const adopt = async (last: Stored | undefined): Promise<Place> => {
    const stored =
      last && (isFromSender(last.headers, 'live') ? readPositionHeaders(last.headers) : await searched(last.seq))
    const position = stored ?? place?.position ?? newPosition()
    const at = { position, sequence: last?.seq ?? 0, isBeginning: position.seq === 0 }
    newest = Math.max(newest, at.sequence)
    if (!isSameJournal(journal, position)) await beginAnew(at)
    return at
  }

  const keepApart =
    (at: Place) =>
    async (text: Buffer): Promise<number[]> => {
      const parts: number[] = []
      const size = bytesMax()
      for (let from = 0; from < text.length; from += size) {
        const headers: [string, string][] = [...positionHeaders(at.position), [PART_HEADER, String(parts.length)]]
        await put(at, text.subarray(from, from + size), headers)
        parts.push(at.sequence)
      }
      return parts
    }

  /** True when anything was done. */
  const step = async (at: Place): Promise<boolean> => {
    if (journal.head() < at.position.seq) await beginAnew(at)
    const { entries, position, executionIds } = await nextBatch(at.position, {
      journal,
      bytesMax: bytesMax(),
      beginsAt: at.isBeginning ? clock.now() - KEPT_MS : undefined,
      outcomeOf,
      keepApart: keepApart(at),
    })
    if (entries.length > 0) {
      // First: whoever reads of an execution in the log finds its receipt.
      await mirrorReceipts(executionIds)
      await put(at, messageText(entries), positionHeaders(position))
      tellNews({ nc: connection.nc, names }, host, at.sequence)
      at.isBeginning = false
    }
    const isNew = position.seq > at.position.seq
    at.position = position
    return isNew
  }

  /** Until there are records after that position, or a while has passed. */
  const changed = (after: number): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return resolve()
      try {
        const subscription = journal.subscribe(() => finish(), { after })
        const timer = clock.at(clock.now() + LOOK_MS, () => finish())
        const finish = () => {
          subscription.close()
          timer.cancel()
          signal.removeEventListener('abort', finish)
          resolve()
        }
        signal.addEventListener('abort', finish, { once: true })
      } catch (error) {
        reject(error)
      }
    })

  const run = async (): Promise<void> => {
    let noted: string | undefined
    /** The last message in the log, as far as it is known; undefined after a start. */
    let moved: Moved | undefined
    let isKnown = false
    while (!signal.aborted) {
      try {
        if (!place || !isKnown) {
          place = await adopt(moved ? moved.last : await storage.last(target.stream, target.subject))
          isKnown = true
        }
        if (!(await step(place))) await changed(place.position.seq)
        noted = undefined
      } catch (error) {
        if (error instanceof PutEnded) return
        isKnown = false
        moved = error instanceof Moved ? error : undefined
        if (moved) continue
        if (error instanceof JournalError && error.reason === 'closed') return
        const message = messageOf(error)
        if (message !== noted) note(`the journal is not mirrored: ${message}; it is tried again`)
        noted = message
        await pause(clock, FAILED_MS, signal)
      }
    }
  }
  const running = run()

  return {
    /** The newest position in the journal, and how far the log has it; the same while nothing is behind. */
    lag: (): { head: number; mirrored: number } => ({ head: journal.head(), mirrored: place?.position.seq ?? 0 }),
    /** The newest message that it has written, or found. */
    sequence: () => newest,
    /** Ends it wherever it is: the next one goes on from what is stored. */
    async close() {
      ended.abort()
      const over = new AbortController()
      await Promise.race([running, pause(clock, CLOSE_MS, over.signal)])
      over.abort()
    },
  }
}

export type Mirror = ReturnType<typeof startMirror>

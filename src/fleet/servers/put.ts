/** Stores a message behind the last one of its subject, once, whatever becomes of the answer. */
import { JetStreamApiError } from '@nats-io/jetstream'
import { headers as createHeaders, type MsgHdrs, nuid } from '@nats-io/transport-node'
import { type Clock, pause } from '../../runtime/clock.ts'
import { messageOf } from '../../runtime/message-of.ts'
import type { FleetConnection } from './connection.ts'

export interface Stored {
  seq: number
  headers: MsgHdrs
}

export interface Message {
  stream: string
  subject: string
  data: Uint8Array | string
  headers: readonly (readonly [string, string])[]
  /** The sequence of the last message of the subject, 0 for none. */
  expected: number
}

/** `moved`: another message came first, and nothing was stored by this call. */
export type Put = { kind: 'stored'; seq: number } | { kind: 'moved'; last: Stored | undefined }

/** The caller has ended: whether the message was stored is not known. */
export class PutEnded extends Error {}

export interface StorageOptions {
  connection: Pick<FleetConnection, 'js' | 'jsm'>
  clock: Clock
  signal: AbortSignal
  note: (text: string) => void
}

const ID_HEADER = 'Nats-Msg-Id'
const WRONG_LAST_SEQUENCE = new Set([10071, 10164])
const PAUSE_MS = { first: 100, most: 2_000 }
/** Between two lines that say that it still fails. */
const NOTE_EVERY_MS = 60_000

const isWrongLast = (error: unknown) => error instanceof JetStreamApiError && WRONG_LAST_SEQUENCE.has(error.code)

export const createStorage = ({ connection: { js, jsm }, clock, signal, note }: StorageOptions) => {
  let notedAt: number | undefined

  /** Says at once that something fails, and then now and then. */
  const failed = (what: string, error: unknown) => {
    const now = clock.elapsed()
    if (notedAt !== undefined && now - notedAt < NOTE_EVERY_MS) return
    notedAt = now
    note(`${what}: ${messageOf(error)}; it is tried again`)
  }

  const rest = async (ms: number): Promise<number> => {
    await pause(clock, ms, signal)
    if (signal.aborted) throw new PutEnded('ended')
    return Math.min(PAUSE_MS.most, ms * 2)
  }

  /** The last message of a subject, as its leader has it; tried until it is known. */
  const last = async (stream: string, subject: string): Promise<Stored | undefined> => {
    let wait = PAUSE_MS.first
    for (;;) {
      if (signal.aborted) throw new PutEnded('ended')
      try {
        const found = await jsm.streams.getMessage(stream, { last_by_subj: subject })
        return found ? { seq: found.seq, headers: found.header } : undefined
      } catch (error) {
        failed('the log of the fleet cannot be read', error)
        wait = await rest(wait)
      }
    }
  }

  /** Tried until it is known what became of it. */
  const put = async ({ stream, subject, data, headers, expected }: Message): Promise<Put> => {
    const msgID = nuid.next()
    let wait = PAUSE_MS.first
    for (;;) {
      if (signal.aborted) throw new PutEnded('ended')
      const all = createHeaders()
      for (const [name, value] of headers) all.set(name, value)
      try {
        const expect = { streamName: stream, lastSubjectSequence: expected }
        const { seq, duplicate } = await js.publish(subject, data, { msgID, headers: all, expect })
        // Some servers answer 0 for a repeated message that is not decided yet: that is no acknowledgement.
        if (seq > 0) return { kind: 'stored', seq }
        throw new Error(`the server answered sequence 0${duplicate ? ' for a repeated message' : ''}`)
      } catch (error) {
        if (!isWrongLast(error)) failed('the log of the fleet cannot be written', error)
      }
      // The message may be stored all the same, now or when a leader is found: only what is there decides.
      const found = await last(stream, subject)
      if (found?.headers.get(ID_HEADER) === msgID) return { kind: 'stored', seq: found.seq }
      if ((found?.seq ?? 0) > expected) return { kind: 'moved', last: found }
      // None is left where the stream has no more room for old ones.
      if (found === undefined && expected > 0) return { kind: 'moved', last: undefined }
      wait = await rest(wait)
    }
  }

  return { last, put }
}

export type Storage = ReturnType<typeof createStorage>

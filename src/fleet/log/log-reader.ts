/** Reads the log of a fleet from a message on: every message once and in order, whichever servers come and go. */
import { endOfMessage, type LogEntry, type LogOutcome } from '../../contracts/fleet-log.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import { messageOf } from '../../runtime/message-of.ts'
import { readDirect } from '../direct-read.ts'
import type { FleetConnection } from '../servers/connection.ts'
import type { Names } from '../servers/names.ts'
import { type OutcomeParts, PART_HEADER, readMessage, readPositionHeaders, unreadable } from './log-message.ts'
import { listenForNews } from './log-news.ts'
import { isFromSender } from './message-origin.ts'

export interface LogMessage {
  /** Its sequence in the log. */
  sequence: number
  entries: LogEntry[]
  bytes: number
}

export interface LogReaderOptions {
  connection: Pick<FleetConnection, 'nc' | 'jsm'>
  names: Names
  clock: Clock
  note: (text: string) => void
}

const PAGE = { messages: 64, bytes: 1_024 * 1_024 }
/** Between two looks for more of which no news came: while there was something lately, and otherwise. */
const LOOK_MS = { busy: 30, idle: 100 }
const BUSY_MS = 2_000
const RETRY_MS = { first: 200, most: 2_000 }

export const createLogReader = ({ connection, names, clock, note }: LogReaderOptions) => {
  const { jsm } = connection
  const stream = names.logStream
  const subject = names.log('*')
  const before = names.log('').length

  /** True when the log will never give this message; a server that lags behind may only not have it yet. */
  const isGone = async (sequence: number): Promise<boolean> => {
    const { state } = await jsm.streams.info(stream)
    if (state.first_seq > sequence) return true
    return state.last_seq >= sequence && (await jsm.streams.getMessage(stream, { seq: sequence })) === null
  }

  /** The next messages after one, none when there are none yet. Rejects when no server answers. */
  const read = async (after: number): Promise<LogMessage[]> => {
    const found = await readDirect(connection, clock, { stream, subject, from: after + 1, ...PAGE })
    const messages: LogMessage[] = []
    let last = after
    for (const { seq: sequence, subject: from, data, headers } of found) {
      if (sequence > last + 1) {
        if (!(await isGone(last + 1))) return messages
        const position = endOfMessage(sequence - 1)
        messages.push({ sequence: sequence - 1, entries: [{ position, gap: { reason: 'log-expired' } }], bytes: 0 })
      }
      last = sequence
      const isOutcome = headers.get(PART_HEADER) !== ''
      const isTold = !isOutcome && isFromSender(headers, 'direct')
      const host = from.slice(before)
      const read = (): LogEntry[] | undefined => {
        const messageEntries = readMessage(host, sequence, Buffer.from(data).toString())
        if (messageEntries || !readPositionHeaders(headers)) return messageEntries
        return [{ position: endOfMessage(sequence), gap: unreadable(host) }]
      }
      const entries = isOutcome ? [] : isTold ? read() : undefined
      if (!entries) note(`message ${sequence} in the log of the fleet is not one of svc; it is passed over`)
      messages.push({ sequence, entries: entries ?? [], bytes: isOutcome ? 0 : data.length })
    }
    return messages
  }

  /** Hands over one message after the other until the signal; waits for each to be taken. */
  const follow = async (after: number, take: (message: LogMessage) => void | Promise<void>, signal: AbortSignal) => {
    let last = after
    let busyUntil = 0
    let retryMs = RETRY_MS.first
    const next = async (): Promise<LogMessage[] | undefined> => {
      try {
        return await read(last)
      } catch (error) {
        if (retryMs === RETRY_MS.first && !signal.aborted) {
          note(`the log of the fleet cannot be read: ${messageOf(error)}; it is tried again`)
        }
        return undefined
      }
    }
    const news = listenForNews({ nc: connection.nc, names }, clock)
    signal.addEventListener('abort', news.close, { once: true })
    while (!signal.aborted) {
      const messages = await next()
      if (!messages) {
        await pause(clock, retryMs, signal)
        retryMs = Math.min(RETRY_MS.most, retryMs * 2)
        continue
      }
      retryMs = RETRY_MS.first
      for (const message of messages) {
        if (signal.aborted) return
        last = message.sequence
        await take(message)
      }
      const now = clock.elapsed()
      if (messages.length > 0) busyUntil = now + BUSY_MS
      else await news.more(last, now < busyUntil ? LOOK_MS.busy : LOOK_MS.idle, signal)
    }
  }

  const part = async (sequence: number): Promise<Buffer | undefined> => {
    const [found] = await readDirect(connection, clock, { stream, subject, from: sequence, messages: 1, bytes: 1 })
    if (found?.seq === sequence) return isFromSender(found.headers, 'direct') ? Buffer.from(found.data) : undefined
    if (await isGone(sequence)) return undefined
    throw new Error(`message ${sequence} is not there yet`)
  }

  return {
    /** The newest message, as the leader has it. Rejects when there is no leader to ask. */
    head: async () => (await jsm.streams.info(stream)).state.last_seq,
    read,
    follow,
    /** The texts of an outcome; undefined when the log no longer keeps them. */
    async outcome(outcome: LogOutcome): Promise<OutcomeParts | undefined> {
      const { deviceId } = outcome
      if (!('parts' in outcome)) return { deviceId, input: outcome.input, result: outcome.result }
      const parts: Buffer[] = []
      for (const sequence of outcome.parts) {
        const found = await part(sequence)
        if (!found) return undefined
        parts.push(found)
      }
      const text = Buffer.concat(parts)
      const { inputBytes } = outcome
      return { deviceId, input: text.subarray(0, inputBytes).toString(), result: text.subarray(inputBytes).toString() }
    },
  }
}

export type LogReader = ReturnType<typeof createLogReader>

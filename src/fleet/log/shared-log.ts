/** The log of the fleet for everybody in this process: one reader follows it, and pages of what was before are kept a while. */
import { endOfMessage, type LogEntry, type LogOutcome, messageOfPosition } from '../../contracts/fleet-log.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import { messageOf } from '../../runtime/message-of.ts'
import type { OutcomeParts } from './log-message.ts'
import type { LogMessage, LogReader } from './log-reader.ts'

export interface LogPage {
  entries: LogEntry[]
  /** Everything up to here is in the page, or in none. */
  upTo: number
}

export interface SharedLogOptions {
  reader: LogReader
  clock: Clock
  note: (text: string) => void
}

const CACHE_BYTES = 8 * 1_024 * 1_024
const PAGE_MESSAGES = 64
const LOOK_MS = 100
const RETRY_MS = 500
/** Another host may have read the log further than this one can see yet; this bounds the wait for the rest. */
const AHEAD_MS = 10_000

export const createSharedLog = ({ reader, clock, note }: SharedLogOptions) => {
  const listeners = new Set<(entries: readonly LogEntry[]) => void | Promise<void>>()
  const cache = new Map<number, LogMessage>()
  let cached = 0
  let following: AbortController | undefined
  let at = 0

  const keep = (message: LogMessage) => {
    if (cache.has(message.sequence)) return
    cache.set(message.sequence, message)
    cached += message.bytes
    for (const [sequence, { bytes }] of cache) {
      if (cached <= CACHE_BYTES) return
      cache.delete(sequence)
      cached -= bytes
    }
  }

  const take = async (message: LogMessage) => {
    keep(message)
    at = endOfMessage(message.sequence)
    for (const listener of [...listeners]) {
      try {
        await listener(message.entries)
      } catch (error) {
        note(`a step of the fleet was not told: ${messageOf(error)}`)
      }
    }
  }

  /**
   * Resolves once `position` is the newest there is, and not before `after`. Rejects when no server of the fleet says how
   * far the log is.
   */
  const ready = async (after = 0): Promise<void> => {
    const latest = clock.elapsed() + AHEAD_MS
    for (;;) {
      if (!following) {
        const head = endOfMessage(await reader.head())
        if (!following) at = Math.max(at, head)
      }
      if (at >= after) return
      if (clock.elapsed() >= latest) throw new Error('the log of the fleet does not reach as far as that position')
      await pause(clock, LOOK_MS)
    }
  }

  const cachedFrom = (sequence: number): LogMessage[] => {
    const run: LogMessage[] = []
    for (let next = sequence; run.length < PAGE_MESSAGES; next++) {
      const message = cache.get(next)
      if (!message) return run
      run.push(message)
    }
    return run
  }

  /** Again and again, until it does not fail. */
  const insisting = async <T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> => {
    for (let isNoted = false; !signal.aborted; isNoted = true) {
      try {
        return await ask()
      } catch (error) {
        if (!isNoted) note(`the log of the fleet cannot be read: ${messageOf(error)}; it is tried again`)
        await pause(clock, RETRY_MS, signal)
      }
    }
    return undefined
  }

  const messagesFrom = async (sequence: number, signal: AbortSignal): Promise<LogMessage[]> => {
    const run = cachedFrom(sequence)
    if (run.length > 0) return run
    const messages = (await insisting(() => reader.read(sequence - 1), signal)) ?? []
    for (const message of messages) keep(message)
    return messages
  }

  return {
    ready,
    /** New followers begin here. */
    position: () => at,
    /** Hands over what comes after `position`, in order; waits until it is taken. */
    follow(listener: (entries: readonly LogEntry[]) => void | Promise<void>) {
      listeners.add(listener)
      if (!following) {
        following = new AbortController()
        void reader.follow(messageOfPosition(at), take, following.signal)
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        following?.abort()
        following = undefined
      }
    },
    /** Waits for entries after a position; an aborted signal ends the wait with none. */
    async after(position: number, signal: AbortSignal): Promise<LogPage> {
      const message = messageOfPosition(position)
      const from = position === endOfMessage(message) ? message + 1 : message
      while (!signal.aborted) {
        const messages = await messagesFrom(from, signal)
        const last = messages.at(-1)
        if (last) {
          const entries = messages.flatMap(({ entries }) => entries).filter(entry => entry.position > position)
          return { entries, upTo: Math.max(position, endOfMessage(last.sequence)) }
        }
        await pause(clock, LOOK_MS, signal)
      }
      return { entries: [], upTo: position }
    },
    /** The texts of an outcome, asked for until there is an answer; undefined when they are gone, or the signal is aborted. */
    outcome: (outcome: LogOutcome, signal: AbortSignal): Promise<OutcomeParts | undefined> =>
      insisting(() => reader.outcome(outcome), signal),
  }
}

export type SharedLog = ReturnType<typeof createSharedLog>

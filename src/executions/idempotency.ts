/** Section on receipts, Idempotency-Key: the same key and payload run once, on the whole host, whatever dies in between. */
import { createHash } from 'node:crypto'
import { IDEMPOTENCY_KEEP_MS } from '../contracts/limits.ts'
import type { Clock } from '../runtime/clock.ts'
import { JournalError } from '../runtime/journal/fault.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import type { ProcessIdentity } from '../runtime/processes.ts'
import type { ExecuteRequest } from './execute.ts'

export type KeyState =
  /** This call has taken the key: it runs the execution of this id. */
  | { kind: 'taken' }
  /** Another call has it: what it ran, or is about to run. */
  | { kind: 'used'; executionId: string }
  /** Another payload has it. */
  | { kind: 'reused' }

export interface IdempotencyOptions {
  journal: Journal
  clock: Clock
  self: ProcessIdentity
  alive: (process: ProcessIdentity) => boolean
}

const VERSION = 1
const MACHINE = 'idempotency-key'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Keys in a fixed order, so that two ways to write the same payload are the same payload. */
const stable = (value: unknown): string =>
  JSON.stringify(value, (_, inner) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

export const payloadDigest = ({ execution, deviceId, operatorPackage }: ExecuteRequest): string =>
  sha256(stable({ execution, deviceId: deviceId?.trim() || null, operatorPackage }))

/** A key is a stream of the journal. Its positions have no gaps, so of two that take it at once one is refused. */
export const createKeys = ({ journal, clock, self, alive }: IdempotencyOptions) => {
  const actorOf = (key: string) => `${MACHINE}:${sha256(key)}`

  const append = (key: string, n: number, event: { type: string; [fact: string]: unknown }, to: string) => {
    const actor = actorOf(key)
    const at = clock.now()
    journal.append({
      actor,
      n,
      machine: MACHINE,
      version: VERSION,
      at,
      event: { ...event, at },
      from: '',
      to,
      tags: [],
    })
  }

  const present = (key: string) => {
    const last = journal.last(actorOf(key))
    const isKept = last !== undefined && clock.now() - last.at < IDEMPOTENCY_KEEP_MS
    const used = isKept && last.event.type === 'key.taken' ? last.event : undefined
    return { next: last === undefined ? 0 : last.n + 1, used }
  }

  /** Its taker died before the execution was accepted, so nothing ever ran under it. */
  const isAbandoned = (used: Record<string, unknown>): boolean =>
    journal.receipt(String(used.executionId)) === undefined && !alive(used.holder as ProcessIdentity)

  const take = (key: string, digest: string, executionId: string): KeyState => {
    const { next, used } = present(key)
    if (used && !isAbandoned(used)) {
      return used.payload === digest ? { kind: 'used', executionId: String(used.executionId) } : { kind: 'reused' }
    }
    try {
      append(key, next, { type: 'key.taken', payload: digest, executionId, holder: self }, 'taken')
      return { kind: 'taken' }
    } catch (error) {
      if (error instanceof JournalError && error.reason === 'behind') return take(key, digest, executionId)
      throw error
    }
  }

  return {
    take,
    /** The execution was refused before it was accepted: the key may be used again. */
    free(key: string, executionId: string) {
      const { next, used } = present(key)
      if (used?.executionId === executionId) append(key, next, { type: 'key.freed', executionId }, 'free')
    },
    /** Whether the call that took it still prepares its execution. */
    isTakenBy: (key: string, executionId: string) => {
      const { used } = present(key)
      return used?.executionId === executionId && !isAbandoned(used)
    },
  }
}

export type Keys = ReturnType<typeof createKeys>

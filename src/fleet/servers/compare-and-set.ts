/** One key of a bucket, read and written under its revision. Only a write that succeeds decides anything. */
import type { KV } from '@nats-io/kv'
import * as v from 'valibot'
import { FLEET_WRITE_MS } from '../../contracts/limits/fleet-limits.ts'

/** Undecided: it may have been written, or may be written later. Read it back before trying again. */
export type Written =
  | { kind: 'written'; revision: number }
  | { kind: 'conflict' }
  | { kind: 'undecided'; message: string }

const WRONG_LAST_SEQUENCE = 10071

const isConflict = (error: unknown) =>
  (error as { code?: unknown }).code === WRONG_LAST_SEQUENCE || /wrong last sequence/i.test(String(error))

export interface Cell<T> {
  /** Asks some server, whose answer may be out of date. Undefined when the key was never written or was deleted. */
  read(): Promise<{ value: T | undefined; revision: number }>
  /** Only if its newest revision is this one; 0 when there has been none. */
  write(value: T, revision: number): Promise<Written>
}

export const cellOf = <S extends v.GenericSchema>(kv: KV, key: string, schema: S): Cell<v.InferOutput<S>> => ({
  async read() {
    const entry = await kv.get(key)
    if (!entry) return { value: undefined, revision: 0 }
    if (entry.operation !== 'PUT') return { value: undefined, revision: entry.revision }
    let json: unknown
    try {
      json = entry.json()
    } catch {
      json = undefined
    }
    const parsed = v.safeParse(schema, json)
    return { value: parsed.success ? parsed.output : undefined, revision: entry.revision }
  },
  async write(value, revision) {
    try {
      const options = { previousSeq: revision, timeout: FLEET_WRITE_MS }
      const written = await kv.put(key, JSON.stringify(value), options)
      // Servers have been seen to acknowledge with 0 what was not stored.
      return written > 0
        ? { kind: 'written', revision: written }
        : { kind: 'undecided', message: 'acknowledged with 0' }
    } catch (error) {
      return isConflict(error) ? { kind: 'conflict' } : { kind: 'undecided', message: String(error) }
    }
  },
})

/** What a salvage could not reach through its tables, and carving finds in the pages that are left. */
import type { JournalRecord } from '../../contracts/journal.ts'
import { unpack } from './bodies.ts'
import { type Carved, carve } from './carve.ts'
import type { Connection } from './connection.ts'
import type { Checkpoint, StoredReceipt } from './journal.ts'
import { toRecord } from './records.ts'
import { unseal } from './seal.ts'

/** What was exported already. */
export interface Known {
  seqs: ReadonlySet<number>
  executions: ReadonlySet<string>
  actors: ReadonlySet<string>
}

export interface Remains {
  record(record: JournalRecord): void
  receipt(receipt: StoredReceipt, digest: string | null): void
  checkpoint(checkpoint: Checkpoint): void
}

/** Pages that are free now still hold older versions of a row: only the newest of each is one that was not replaced. */
interface Newest<T> {
  version: number
  value: T
}

const keepNewest = <T>(kept: Map<string, Newest<T>>, key: string, version: unknown, value: T) => {
  const before = kept.get(key)
  if (typeof version === 'number' && (!before || before.version <= version)) kept.set(key, { version, value })
}

/** It may only have looked like a row of ours. */
const attempt = (work: () => void) => {
  try {
    work()
  } catch {
    // Then it is nothing to export.
  }
}

export const findRemains = (connection: Connection, known: Known, found: Remains): void => {
  const seqs = new Set(known.seqs)
  const receipts = new Map<string, Newest<{ receipt: StoredReceipt; digest: string | null }>>()
  const checkpoints = new Map<string, Newest<Checkpoint>>()

  /** By the number of columns, as the schema has them; the checksums tell whether a row is what it looks like. */
  const take: Record<number, (carved: Carved) => void> = {
    3: ({ columns: [, n, fact] }) => {
      const checkpoint = unseal<Checkpoint>(fact)
      if (!known.actors.has(checkpoint.actor)) keepNewest(checkpoints, checkpoint.actor, n, checkpoint)
    },
    7: ({ rowid, columns }) => {
      if (seqs.has(rowid)) return
      const record = toRecord([rowid, columns[6]])
      seqs.add(rowid)
      found.record(record)
    },
    9: ({ columns }) => {
      const receipt = unseal<StoredReceipt>(columns[8])
      const digest = typeof columns[7] === 'string' ? columns[7] : null
      if (known.executions.has(receipt.executionId)) return
      keepNewest(receipts, receipt.executionId, columns[6], { receipt, digest })
    },
  }

  for (const carved of carve(connection)) attempt(() => take[carved.columns.length]?.(carved))
  for (const { value } of receipts.values()) found.receipt(value.receipt, value.digest)
  for (const { value } of checkpoints.values()) found.checkpoint(value)
}

export const findBodies = (
  connection: Connection,
  missing: ReadonlySet<string>,
  onBody: (digest: string, body: unknown) => void,
): void => {
  const left = new Set(missing)
  for (const { columns } of carve(connection)) {
    const [digest, json] = columns
    if (left.size === 0) return
    if (columns.length !== 2 || typeof digest !== 'string' || !Buffer.isBuffer(json) || !left.has(digest)) continue
    attempt(() => {
      const body = unpack({ digest, json })
      left.delete(digest)
      onBody(digest, body)
    })
  }
}

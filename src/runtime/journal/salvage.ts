/** Exports whatever can still be read of a damaged journal, as one JSON object per line. */
import { closeSync, existsSync, openSync, writeSync } from 'node:fs'
import type { JournalRecord } from '../../contracts/journal.ts'
import { STATE_FILE_MODE } from '../../contracts/limits.ts'
import { sqliteBodies } from './bodies.ts'
import type { Connection } from './connection.ts'
import { JournalError } from './fault.ts'
import { withNewFirstPage } from './first-page.ts'
import type { Checkpoint, StoredReceipt } from './journal.ts'
import { openForReading } from './open.ts'
import { toRecord } from './records.ts'
import { asJournalError } from './refusals.ts'
import { findBodies, findRemains } from './remains.ts'
import { highest, scan } from './scan.ts'
import { unseal } from './seal.ts'

export interface SalvageOptions {
  path: string
  /** The file to write; it must not exist yet. */
  to: string
}

export interface Salvaged {
  records: number
  receipts: number
  checkpoints: number
  /** Rows that could not be read, and bodies that a readable row names and that could not. */
  skipped: number
}

interface Damaged {
  connection: Connection
  remove(): void
}

const openDamaged = ({ path, to }: SalvageOptions): Damaged => {
  try {
    return { connection: openForReading(path), remove: () => {} }
  } catch (error) {
    if (!existsSync(path) || (error instanceof JournalError && error.reason === 'newer-schema')) throw error
    const copy = withNewFirstPage(path, to)
    try {
      return { connection: openForReading(copy.path), remove: copy.remove }
    } catch (again) {
      copy.remove()
      throw again
    }
  }
}

const exportAll = (connection: Connection, path: string, write: (line: unknown) => void): Salvaged => {
  const bodies = sqliteBodies(connection)
  const tops = highest(connection, path)
  const known = {
    seqs: new Set<number>(),
    executions: new Set<string>(),
    actors: new Set<string>(),
  }
  const bodiesLost = new Set<string>()

  const bodyOf = (digest: string | null): { body?: unknown; bodyLost?: string } => {
    if (digest === null) return {}
    try {
      const body = bodies.read(digest)
      if (body !== undefined) return { body }
    } catch {
      // Told below.
    }
    bodiesLost.add(digest)
    return { bodyLost: digest }
  }
  const writeRecord = (record: JournalRecord) => {
    write({ record, ...bodyOf(record.digest) })
    known.seqs.add(record.seq)
  }
  const writeReceipt = (receipt: StoredReceipt, digest: string | null) => {
    const { body, ...lost } = bodyOf(digest)
    write({ receipt: body === undefined ? receipt : { ...receipt, result: body }, ...lost })
    known.executions.add(receipt.executionId)
  }
  const writeCheckpoint = (checkpoint: Checkpoint) => {
    write({ checkpoint })
    known.actors.add(checkpoint.actor)
  }

  const lost = [
    scan({
      connection,
      rows: { table: 'records', key: 'seq', columns: 'seq, CAST(fact AS BLOB)' },
      top: tops.records,
      onRow: row => writeRecord(toRecord(row)),
    }),
    scan({
      connection,
      rows: { table: 'receipts', key: 'row', columns: 'CAST(fact AS BLOB), CAST(digest AS BLOB)' },
      top: tops.receipts,
      onRow: ([fact, digest]) => writeReceipt(unseal(fact), Buffer.isBuffer(digest) ? digest.toString() : null),
    }),
    scan({
      connection,
      rows: { table: 'checkpoints', key: 'rowid', columns: 'CAST(fact AS BLOB)' },
      top: tops.checkpoints,
      onRow: ([fact]) => writeCheckpoint(unseal(fact)),
    }),
  ].reduce((sum, count) => sum + count, 0)

  const reached = known.seqs.size + known.executions.size + known.actors.size
  if (lost > 0) {
    const found = { record: writeRecord, receipt: writeReceipt, checkpoint: writeCheckpoint }
    findRemains(connection, structuredClone(known), found)
  }
  if (bodiesLost.size > 0) {
    findBodies(connection, structuredClone(bodiesLost), (digest, body) => {
      write({ digest, body })
      bodiesLost.delete(digest)
    })
  }
  const [records, receipts, checkpoints] = [known.seqs.size, known.executions.size, known.actors.size]
  const carved = records + receipts + checkpoints - reached
  return { records, receipts, checkpoints, skipped: Math.max(0, lost - carved) + bodiesLost.size }
}

/**
 * Leaves the journal as it is. To be called in a process that has no journal open: closing any file of a database,
 * a copied one too, gives up the locks that this process holds on it.
 */
export const salvage = (options: SalvageOptions): Salvaged => {
  const { connection, remove } = openDamaged(options)
  try {
    const file = openSync(options.to, 'wx', STATE_FILE_MODE)
    let failure: unknown
    try {
      const salvaged = exportAll(connection, options.path, line => {
        try {
          if (!failure) writeSync(file, `${JSON.stringify(line)}\n`)
        } catch (error) {
          failure = error
        }
      })
      if (failure) throw failure
      return salvaged
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throw asJournalError(error)
  } finally {
    connection.close()
    remove()
  }
}

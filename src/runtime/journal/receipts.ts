/** Receipts in SQLite: the newest word on each execution, searched by device, command and skill run. */

import { LIST_LIMIT } from '../../contracts/limits.ts'
import type { Bodies, Packed } from './bodies.ts'
import type { Connection, Value } from './connection.ts'
import type { ReceiptQuery, StoredReceipt } from './journal.ts'
import { seal, unseal } from './seal.ts'

/** What is decided about an execution will not change again: only such receipts may be pruned. */
export const isSettled = ({ state }: StoredReceipt): boolean => state === 'settled' || state === 'interrupted'

export interface Receipts {
  /** Inside a write; `at` is the time of the record that goes with it. */
  keep(receipt: StoredReceipt, result: Packed | undefined, at: number): void
  read(executionId: string): StoredReceipt | undefined
  list(query: ReceiptQuery): StoredReceipt[]
  ids(query: ReceiptQuery): string[]
}

/** One row as a receipt again: its sealed fact, and the result that its digest names. */
export const toReceipt = (fact: unknown, digest: unknown, bodies: Pick<Bodies, 'read'>): StoredReceipt => {
  const bare = unseal<StoredReceipt>(fact)
  if (!Buffer.isBuffer(digest)) return bare
  return { ...bare, result: bodies.read(digest.toString()) as NonNullable<StoredReceipt['result']> }
}

const COLUMNS = 'CAST(fact AS BLOB), CAST(digest AS BLOB)'

export const sqliteReceipts = (connection: Connection, bodies: Bodies): Receipts => {
  const previous = connection.statement('SELECT CAST(digest AS BLOB) FROM receipts WHERE id = ?')
  const upsert = connection.statement(`
    INSERT INTO receipts (id, device, command, skill_run, settled, at, digest, fact) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET device = excluded.device, command = excluded.command,
      skill_run = excluded.skill_run, settled = excluded.settled, at = excluded.at, digest = excluded.digest,
      fact = excluded.fact`)
  const select = connection.statement(`SELECT ${COLUMNS} FROM receipts WHERE id = ?`)

  /** Newest first. */
  const chosen = (columns: string, { deviceId, commandId, skillRunId, limit = LIST_LIMIT.default }: ReceiptQuery) => {
    const wanted: [string, Value | undefined][] = [
      ['device', deviceId],
      ['command', commandId],
      ['skill_run', skillRunId],
    ]
    const given = wanted.filter((pair): pair is [string, Value] => pair[1] !== undefined)
    const where = given.length > 0 ? `WHERE ${given.map(([column]) => `${column} = ?`).join(' AND ')}` : ''
    return connection
      .statement(`SELECT ${columns} FROM receipts ${where} ORDER BY row DESC LIMIT ?`)
      .all(...given.map(([, value]) => value), limit)
  }

  return {
    keep: (receipt, result, at) => {
      const { result: _, ...bare } = receipt
      const digest = result?.digest ?? null
      const before = previous.get(receipt.executionId)?.[0]
      bodies.keep(result)
      upsert.run(
        receipt.executionId,
        receipt.deviceId,
        receipt.commandId,
        receipt.skillRunId ?? null,
        isSettled(receipt) ? 1 : 0,
        at,
        digest,
        seal(bare),
      )
      if (Buffer.isBuffer(before) && before.toString() !== digest) bodies.drop(before.toString())
    },
    read: executionId => {
      const row = select.get(executionId)
      return row && toReceipt(row[0], row[1], bodies)
    },
    list: query => chosen(COLUMNS, query).map(row => toReceipt(row[0], row[1], bodies)),
    ids: query => chosen('id', query).map(([id]) => String(id)),
  }
}

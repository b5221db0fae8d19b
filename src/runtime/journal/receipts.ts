/** Receipts in SQLite: the newest word on each execution, searched by device, command, task and skill run. */

import type { LearnedOfReceipt } from '../../../machines/definition.ts'
import { wasAccepted } from '../../contracts/executions/receipt.ts'
import { IDEMPOTENCY_KEEP_MS, LIST_LIMIT } from '../../contracts/limits/limits.ts'
import type { Connection, Value } from './connection.ts'
import { JournalError } from './fault.ts'
import type { ReceiptQuery, StoredReceipt } from './journal.ts'
import { type Bodies, isSmall, jsonOf, type PackedBody, seal, sealText, unseal } from './stored-json.ts'

/** True once the outcome of the execution cannot change again: only such receipts may be pruned. */
export const isSettled = ({ state }: StoredReceipt): boolean => state === 'settled' || state === 'interrupted'

/** The same execution, as it is told again, and not another one that was to run under the same id. One that waited is accepted later. */
const isAgain = (receipt: StoredReceipt, { executionId, deviceId, acceptedAt, state }: StoredReceipt): boolean =>
  executionId === receipt.executionId &&
  deviceId === receipt.deviceId &&
  (acceptedAt === receipt.acceptedAt || (state === 'waiting' && receipt.waitedMs !== undefined))

/**
 * The one rule of keys and ids, for every store: while a receipt has one, no other execution runs under it. Ids that nobody
 * has chosen need no look.
 */
export const refuseUsedKey = (
  receipt: StoredReceipt,
  byKey: StoredReceipt | undefined,
  byId: StoredReceipt | undefined,
): void => {
  if (byId && !isAgain(receipt, byId))
    throw new JournalError('key-used', `The id ${receipt.executionId} belongs to another execution`)
  if (!byKey || isAgain(receipt, byKey)) return
  if (receipt.acceptedAt - byKey.acceptedAt >= IDEMPOTENCY_KEEP_MS) return
  throw new JournalError('key-used', `The Idempotency-Key belongs to execution ${byKey.executionId}`)
}

/** The parts of the write that a receipt goes with. */
interface WrittenWith {
  result: PackedBody | undefined
  at: number
  /** The same write has earlier records, so the receipt may be a new one in any state. */
  mayBeNew?: boolean
}

export interface Receipts {
  /** Inside a write that keeps the result's body too; `at` is the time of the record that goes with it. */
  keep(receipt: StoredReceipt, written: WrittenWith): void
  /** Inside a write: what has become known of an execution after its end. */
  learn(learned: LearnedOfReceipt): void
  read(executionId: string): StoredReceipt | undefined
  byKey(key: string): StoredReceipt | undefined
  list(query: ReceiptQuery): StoredReceipt[]
  ids(query: ReceiptQuery): string[]
}

/** One row as a receipt again: its sealed fact, which has a small result in it, and a large one that its digest names. */
export const toReceipt = (fact: unknown, digest: unknown, bodies: Pick<Bodies, 'read'>): StoredReceipt => {
  const bare = unseal<StoredReceipt>(fact)
  if (!Buffer.isBuffer(digest)) return bare
  return { ...bare, result: bodies.read(digest.toString()) as NonNullable<StoredReceipt['result']> }
}

/**
 * A task has no column: its JSON is looked for in the sealed fact, behind the name of the field. Inside of a text, quotes
 * have a backslash before them, so that only fields match; those of the result have the same task.
 */
const HAS_TASK = `instr(fact, CAST('"taskId":' || ? AS BLOB)) > 0`

/** The run itself, or an attempt of it: `/` is the character behind the dot. */
const IS_OF_RUN = '(skill_run = ? OR (skill_run > ? AND skill_run < ?))'

const COLUMNS = 'CAST(fact AS BLOB), CAST(digest AS BLOB)'

export const sqliteReceipts = (connection: Connection, bodies: Bodies): Receipts => {
  const previous = connection.statement('SELECT CAST(digest AS BLOB) FROM receipts WHERE id = ?')
  const upsert = connection.statement(`
    INSERT INTO receipts (id, device, command, skill_run, settled, at, digest, fact, key)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET device = excluded.device, command = excluded.command,
      skill_run = excluded.skill_run, settled = excluded.settled, at = excluded.at, digest = excluded.digest,
      fact = excluded.fact`)
  // Leaves the indexed columns out: their values do not change any more.
  const update = connection.statement(
    'UPDATE receipts SET settled = ?, at = ?, digest = ?, fact = ? WHERE id = ? AND digest IS NULL',
  )
  const freeKey = connection.statement('UPDATE receipts SET key = NULL WHERE id = ? AND key IS NOT NULL')
  const select = connection.statement(`SELECT ${COLUMNS} FROM receipts WHERE id = ?`)
  const selectFact = connection.statement('SELECT CAST(fact AS BLOB) FROM receipts WHERE id = ?')
  const setFact = connection.statement('UPDATE receipts SET fact = ? WHERE id = ?')
  const selectByKey = connection.statement(`SELECT ${COLUMNS} FROM receipts WHERE key = ? ORDER BY row DESC LIMIT 1`)
  const receiptIn = (row: readonly unknown[] | undefined) => row && toReceipt(row[0], row[1], bodies)

  /** Newest first. */
  const chosen = (columns: string, query: ReceiptQuery) => {
    const { deviceId, commandId, skillRunId, taskId, limit = LIST_LIMIT.default } = query
    const wanted: [condition: string, values: Value[] | undefined][] = [
      ['device = ?', deviceId === undefined ? undefined : [deviceId]],
      ['command = ?', commandId === undefined ? undefined : [commandId]],
      [IS_OF_RUN, skillRunId === undefined ? undefined : [skillRunId, `${skillRunId}.`, `${skillRunId}/`]],
      [HAS_TASK, taskId === undefined ? undefined : [jsonOf(taskId)]],
    ]
    const filters = wanted.filter((pair): pair is [string, Value[]] => pair[1] !== undefined)
    const where = filters.map(([condition]) => condition).join(' AND ')
    const found = `SELECT row FROM receipts WHERE ${where} ORDER BY row DESC LIMIT ?`
    return connection
      .statement(
        where === ''
          ? `SELECT ${columns} FROM receipts ORDER BY row DESC LIMIT ?`
          : `SELECT ${columns} FROM receipts WHERE row IN (${found}) ORDER BY row DESC`,
      )
      .all(...filters.flatMap(([, values]) => values), limit)
  }

  return {
    keep: (receipt, { result, at, mayBeNew = false }) => {
      const { result: _, ...bare } = receipt
      const inline = result && isSmall(result) ? result.json : undefined
      const digest = inline ? null : (result?.digest ?? null)
      const key = receipt.idempotency?.key ?? null
      if (key !== null && !isSettled(receipt))
        refuseUsedKey(receipt, receiptIn(selectByKey.get(key)), receiptIn(select.get(receipt.executionId)))
      const settled = isSettled(receipt) ? 1 : 0
      const fact = inline ? sealText(`${jsonOf(bare).slice(0, -1)},"result":${inline}}`) : seal(bare)
      const { executionId, deviceId, commandId, skillRunId = null } = receipt
      if (settled && !wasAccepted(receipt)) freeKey.run(executionId)
      const isKnown = receipt.state !== 'accepted' && !mayBeNew
      if (isKnown && update.run(settled, at, digest, fact, executionId).changes > 0) return
      // Only a result can take the place of another one.
      const before = result && previous.get(executionId)?.[0]
      upsert.run(executionId, deviceId, commandId, skillRunId, settled, at, digest, fact, key)
      if (Buffer.isBuffer(before) && before.toString() !== digest) bodies.drop(before.toString())
    },
    learn: ({ executionId, evidence }) => {
      const row = selectFact.get(executionId)
      if (row) setFact.run(seal({ ...unseal<object>(row[0]), evidence }), executionId)
    },
    read: executionId => receiptIn(select.get(executionId)),
    byKey: key => receiptIn(selectByKey.get(key)),
    list: query => chosen(COLUMNS, query).map(row => toReceipt(row[0], row[1], bodies)),
    ids: query => chosen('CAST(id AS BLOB)', query).map(([id]) => String(id)),
  }
}

/** Collects what a repair saves: every readable receipt with its result, and every Idempotency-Key it can find. */
import { failure } from '../../contracts/failures.ts'
import { isSmall, pack, sqliteBodies } from './bodies.ts'
import type { Connection } from './connection.ts'
import { lastKey, scan } from './export.ts'
import type { StoredReceipt } from './journal.ts'
import { isSettled } from './receipts.ts'
import { jsonOf, seal, sealText, unseal } from './seal.ts'

export interface CarriedRow {
  receipt: StoredReceipt
  /** The Idempotency-Key by which the journal looks up the receipt. */
  key: string | null
}

export interface Carried {
  rows: CarriedRow[]
  /** Rows of which not even the key was left: an execution under such a key would run again. Null if nobody can count them. */
  lost: number | null
}

const LOST_WITH_IT = 'The journal was damaged before the outcome was on record, or its record was lost in the damage.'

/** Whoever asks again under its key is told that it may have run: nothing runs a second time. */
const interrupted = (receipt: StoredReceipt): StoredReceipt => ({
  ...receipt,
  state: 'interrupted',
  result: {
    ok: false,
    error: failure('EXECUTION_INTERRUPTED', LOST_WITH_IT, {
      details: { executionId: receipt.executionId, dispatched: true },
    }),
  },
})

const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}

const textOf = (column: unknown) => (Buffer.isBuffer(column) ? column.toString() : undefined)

/** Reads a journal that may be damaged anywhere, and never throws. `top` is above all rows. */
export const receiptsIn = (old: Connection, top: number): Carried => {
  const bodies = sqliteBodies(old)
  const rows = new Map<number, CarriedRow>()
  const hasKeys = attempt(() => old.statement('SELECT key FROM receipts LIMIT 0').all()) !== undefined

  const readRow = (fact: unknown, digest: unknown): StoredReceipt => {
    const receipt = unseal<StoredReceipt>(fact)
    const name = textOf(digest)
    const result = name === undefined ? receipt.result : (attempt(() => bodies.read(name)) as StoredReceipt['result'])
    return isSettled(receipt) && result ? { ...receipt, result } : interrupted(receipt)
  }

  const newest = lastKey(old, 'receipts', 'row', 'sqlite_autoindex_receipts_1')
  const told = attempt(() =>
    scan({
      connection: old,
      table: 'receipts',
      key: 'row',
      columns: 'row, CAST(fact AS BLOB), CAST(digest AS BLOB)',
      top: newest ?? top,
      onRow: ([row, fact, digest]) => {
        const receipt = readRow(fact, digest)
        rows.set(Number(row), { receipt, key: receipt.idempotency?.key ?? null })
      },
    }),
  )
  // The index of the keys may be whole where the rows are not.
  const byIndex = !hasKeys
    ? []
    : (attempt(() =>
        old
          .statement('SELECT row, CAST(key AS BLOB) FROM receipts INDEXED BY receipts_key WHERE key IS NOT NULL')
          .all(),
      ) ?? [])
  let found = 0
  for (const [row, column] of byIndex) {
    const key = textOf(column)
    if (key === undefined || rows.has(Number(row))) continue
    found += 1
    rows.set(Number(row), { receipt: keyOnly(Number(row), key), key })
  }
  // No index says how many rows there were.
  const isUncounted = !told || (newest === undefined && told.skipped > 0)
  return {
    rows: [...rows].sort(([a], [b]) => a - b).map(([, carried]) => carried),
    lost: isUncounted ? null : Math.max(0, told.skipped - found),
  }
}

/** In the place of a receipt of which only the key is known: it is taken, by an execution that nobody can tell of. */
const keyOnly = (row: number, key: string): StoredReceipt => {
  const unknown = { executionId: `lost-${row}`, commandId: '', taskId: '', deviceId: '' }
  return interrupted({ ...unknown, state: 'dispatched', acceptedAt: 0, idempotency: { key, payload: '' } })
}

const text = (value: string) => `CAST(x'${Buffer.from(value).toString('hex')}' AS TEXT)`
const blob = (value: Buffer) => `x'${value.toString('hex')}'`

/** Plain SQL, one statement a receipt: libsql closes a file at once only if no statement was prepared on it. */
export function* insertsOf({ rows }: Carried, at: number): Generator<string> {
  for (const { receipt, key } of rows) {
    // When a key was taken is not known without its receipt: it counts from now.
    const kept = receipt.acceptedAt === 0 ? { ...receipt, acceptedAt: at } : receipt
    const { result, ...bare } = kept
    const packed = pack(result)
    const isInline = packed !== undefined && isSmall(packed)
    const fact = isInline ? sealText(`${jsonOf(bare).slice(0, -1)},"result":${packed.json}}`) : seal(bare)
    const digest = packed && !isInline ? text(packed.digest) : 'NULL'
    if (packed && !isInline) {
      yield `INSERT OR IGNORE INTO bodies (digest, json) VALUES (${text(packed.digest)}, ${blob(packed.json)});`
    }
    const { executionId, deviceId, commandId, skillRunId, settledAt, acceptedAt } = kept
    const run = skillRunId === undefined ? 'NULL' : text(skillRunId)
    yield `INSERT OR IGNORE INTO receipts (id, device, command, skill_run, settled, at, digest, fact, key) VALUES (
      ${text(executionId)}, ${text(deviceId)}, ${text(commandId)}, ${run}, 1, ${settledAt ?? acceptedAt}, ${digest},
      ${blob(fact)}, ${key === null ? 'NULL' : text(key)});`
  }
}

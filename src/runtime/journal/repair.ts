/** Sets the files of a damaged journal aside and starts a new one, with all receipts and keys that can be read. */
import { lstatSync, renameSync, type Stats, statSync } from 'node:fs'
import { failure } from '../../contracts/failures/failures.ts'
import type { Clock } from '../clock.ts'
import { attempt } from '../or-undefined.ts'
import { type LeaseRow, leaseRows } from '../ownership/sqlite.ts'
import { refuseDamagedPages } from './check.ts'
import type { Connection } from './connection.ts'
import { createJournal } from './create.ts'
import { GIVE_UP, lastKey, lastSeq, readDamaged, rowsIn } from './damaged.ts'
import { asJournalError, type JournalError } from './fault.ts'
import type { StoredReceipt } from './journal.ts'
import { markPath, readMark } from './mark.ts'
import { isSettled, toReceipt } from './receipts.ts'
import { sqliteBodies, unseal } from './stored-json.ts'

interface ReplaceOptions {
  path: string
  clock: Clock
}

interface ReplacedJournal {
  /** The new paths of the files of the old journal. */
  aside: string[]
  /** The new journal continues above this position. */
  after: number
  /** Receipts that the new journal has, with their results and their keys. */
  receipts: number
  /** Rows of receipts of which not even the Idempotency-Key could be read. Null if nobody can say how many. */
  receiptsLost: number | null
}

/** The WAL before the database: a new database put in place meanwhile would be read through the old WAL. */
const filesOf = (path: string) => [`${path}-shm`, `${path}-wal`, path, markPath(path)]

const statOf = (stat: (file: string) => Stats, file: string): Stats | undefined => attempt(() => stat(file))

/** A directory, a device or a link that leads nowhere, where a file of the journal belongs. */
const isObstacle = (file: string) => statOf(lstatSync, file) !== undefined && !statOf(statSync, file)?.isFile()

/** True when a new journal is the remedy: other faults pass, or have to be fixed outside the journal. */
export const isRepairable = (path: string, { reason }: JournalError): boolean =>
  reason === 'corrupt' || reason === 'truncated' || filesOf(path).some(isObstacle)

const setAside = (files: readonly string[], at: number): string[] => {
  try {
    return files
      .filter(file => statOf(lstatSync, file) !== undefined)
      .map(file => {
        const aside = `${file}.damaged-${at}`
        renameSync(file, aside)
        return aside
      })
  } catch (error) {
    throw asJournalError(error)
  }
}

/** Renames anything beside the database that is not a file: without it the journal may turn out to be in order. */
export const setObstaclesAside = ({ path, clock }: ReplaceOptions): string[] =>
  setAside(
    filesOf(path).filter(file => file !== path && isObstacle(file)),
    clock.now(),
  )

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

/** In the place of a receipt of which only the key is known. When the key was taken is not known either: it counts from now. */
const keyOnly = (row: number, key: string, at: number): StoredReceipt => {
  const unknown = { executionId: `lost-${row}`, commandId: '', taskId: '', deviceId: '' }
  return interrupted({ ...unknown, state: 'dispatched', acceptedAt: at, idempotency: { key, payload: '' } })
}

/** Every readable receipt, oldest first, and every key that only the index of the keys still has. `top` is above all rows. */
const receiptsIn = (old: Connection, top: number, at: number) => {
  const bodies = sqliteBodies(old)
  const withResult = { read: (digest: string) => attempt(() => bodies.read(digest)) }
  const receipts = new Map<number, StoredReceipt>()
  const newest = lastKey(old, 'receipts')
  let unreadable = 0
  for (const row of rowsIn(old, 'receipts', 'row, CAST(fact AS BLOB), CAST(digest AS BLOB)', newest ?? top)) {
    const receipt = row && attempt(() => toReceipt(row[1], row[2], withResult))
    if (receipt) receipts.set(Number(row[0]), isSettled(receipt) && receipt.result ? receipt : interrupted(receipt))
    else unreadable += 1
  }
  const isUncounted = newest === undefined && unreadable > 0
  const keys = attempt(() =>
    old.statement('SELECT row, CAST(key AS BLOB) FROM receipts INDEXED BY receipts_key WHERE key IS NOT NULL').all(),
  )
  for (const [row, key] of keys ?? []) {
    if (!Buffer.isBuffer(key) || receipts.has(Number(row))) continue
    unreadable -= 1
    receipts.set(Number(row), keyOnly(Number(row), key.toString(), at))
  }
  const oldestFirst = [...receipts].sort(([a], [b]) => a - b).map(([, receipt]) => receipt)
  return { receipts: oldestFirst, lost: isUncounted ? null : Math.max(0, unreadable) }
}

/** No counting comes to more: the row is damaged. */
const FENCE_MAX = 2 ** 52
/** More grants than a log has that was lost. */
const GRANTS_LOST_MAX = 2 ** 20

const usableLease = ({ key, fence, fact }: LeaseRow): LeaseRow[] =>
  Number.isSafeInteger(fence) && fence > 0 && fence <= FENCE_MAX
    ? [{ key, fence, fact: fact && attempt(() => unseal(fact)) ? fact : null }]
    : []

const readableIn = (old: Connection, path: string, at: number) => {
  const marked = readMark(path)?.seq
  const newest = lastKey(old, 'records') ?? 0
  /** Positions are known exactly where all pages are whole and have all that the mark names. */
  const isWhole = attempt(() => [refuseDamagedPages(old)]) !== undefined && newest >= (marked ?? 0)
  const seq = isWhole ? newest : lastSeq(old, path)
  const { receipts, lost } = receiptsIn(old, seq || GIVE_UP, at)
  // The newest records came with receipts: where they are missing, so are those. Nor does an empty file say what it held.
  const isCounted = marked !== undefined && newest >= marked && (statOf(statSync, path)?.size ?? 0) > 0
  const leases = attempt(() => leaseRows(old).flatMap(usableLease)) ?? []
  return { seq, leases, receipts, lost: isCounted ? lost : null }
}

/** To be called when no other process uses the journal: one that does goes on writing to the files set aside. */
export const replaceJournal = ({ path, clock }: ReplaceOptions): ReplacedJournal => {
  const at = clock.now()
  const isThere = filesOf(path).some(file => statOf(lstatSync, file) !== undefined)
  const old = attempt(() => readDamaged(path, connection => readableIn(connection, path, at)))
  // No journal counts as fast as the clock: where nothing tells what was used, its milliseconds are above it.
  const after = old?.seq ?? readMark(path)?.seq ?? (isThere ? at : 0)
  const { leases = [], receipts = [], lost = after > 0 ? null : 0 } = old ?? {}
  const loss = after > 0 ? { from: 1, to: after, at, ...(lost === 0 ? {} : { keys: 'unknown' as const }) } : undefined
  // Nothing counts grants as the mark counts records: a log that was lost may have had newer ones, whose holders may live.
  const fencesAbove = isThere ? Math.max(at, ...leases.map(({ fence }) => fence + GRANTS_LOST_MAX)) : 0
  let aside: string[] = []
  createJournal(path, { at, loss, leases, fencesAbove, receipts }, () => {
    aside = setAside(filesOf(path), at)
  })
  return { aside, after, receipts: receipts.length, receiptsLost: lost }
}

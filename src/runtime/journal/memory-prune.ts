/** Retention of the journal in memory: the same rules, in the order in which the interface states them. */

import { IDEMPOTENCY_KEEP_MS } from '../../contracts/limits/limits.ts'
import type { JournalRecord } from '../../contracts/records/journal.ts'
import type { Checkpoint, PruneCounts, PruneResult, Retention, StoredReceipt } from './journal.ts'
import { isForgotten, RECEIPT_LEAST_MS } from './prune.ts'
import { isSettled } from './receipts.ts'
import { isSmall, type PackedBody } from './stored-json.ts'

export interface ReceiptRow {
  receipt: StoredReceipt
  digest: string | undefined
  at: number
}

export interface MemoryTables {
  records: JournalRecord[]
  newest: Map<string, JournalRecord>
  bodies: Map<string, PackedBody>
  checkpoints: Map<string, Checkpoint>
  receipts: Map<string, ReceiptRow>
}

/** Removed between two looks at the size. */
const WINDOW = 50

const sizeOf = (value: unknown) => JSON.stringify(value).length

export const createMemoryPrune = (kept: MemoryTables) => {
  const { newest, bodies, checkpoints, receipts } = kept

  const used = () => {
    let bytes = 0
    for (const record of kept.records) bytes += sizeOf(record)
    for (const { json } of bodies.values()) bytes += json.length
    for (const { receipt } of receipts.values()) bytes += sizeOf(receipt)
    for (const checkpoint of checkpoints.values()) bytes += sizeOf(checkpoint)
    return bytes
  }

  const dropUnnamed = (): number => {
    const named = new Set<string | null | undefined>(kept.records.map(({ digest }) => digest))
    for (const { digest } of receipts.values()) named.add(digest)
    let dropped = 0
    for (const [digest, packed] of [...bodies]) {
      if (!named.has(digest) && bodies.delete(digest) && !isSmall(packed)) dropped += 1
    }
    return dropped
  }

  const isCovered = ({ actor, n }: JournalRecord) =>
    n < (checkpoints.get(actor)?.n ?? 0) && n < (newest.get(actor)?.n ?? 0)

  const removeRecords = (isRemoved: (record: JournalRecord) => boolean): number => {
    const before = kept.records.length
    kept.records = kept.records.filter(record => !isRemoved(record))
    return before - kept.records.length
  }

  const forget = (before: number): number => {
    const head = kept.records.at(-1)?.seq ?? 0
    const forgotten = new Set<string>()
    for (const [actor, record] of newest) if (isForgotten(record, before, head)) forgotten.add(actor)
    for (const actor of forgotten) {
      newest.delete(actor)
      checkpoints.delete(actor)
    }
    return removeRecords(({ actor }) => forgotten.has(actor))
  }

  const removeReceipts = (before: number, keysBefore: number): number => {
    let removed = 0
    for (const [id, { receipt, at }] of [...receipts]) {
      const hasYoungKey = receipt.idempotency !== undefined && at >= keysBefore
      if (isSettled(receipt) && !hasYoungKey && at < before && receipts.delete(id)) removed += 1
    }
    return removed
  }

  const run = ({ maxAgeMs, maxBytes, now }: Retention): PruneResult => {
    const before = now - maxAgeMs
    const keysBefore = now - IDEMPOTENCY_KEEP_MS
    const bytes = used()
    const pruned: PruneCounts = { records: 0, bodies: 0, receipts: 0, bytes: 0 }
    pruned.records += forget(before)
    pruned.records += removeRecords(record => record.at < before && isCovered(record))
    pruned.receipts += removeReceipts(before, keysBefore)
    pruned.bodies += dropUnnamed()
    const removeForSize = (olderThan: number) => removeReceipts(Math.min(olderThan, now - RECEIPT_LEAST_MS), keysBefore)
    const covered = kept.records.filter(isCovered)
    while (covered.length > 0 && used() > maxBytes) {
      const oldest = new Set(covered.splice(0, WINDOW))
      pruned.records += removeRecords(record => oldest.has(record))
      pruned.receipts += removeForSize(Math.max(...[...oldest].map(({ at }) => at)) + 1)
      pruned.bodies += dropUnnamed()
    }
    if (used() > maxBytes) {
      pruned.receipts += removeForSize(Number.MAX_SAFE_INTEGER)
      pruned.bodies += dropUnnamed()
    }
    const left = used()
    return { ...pruned, bytes: Math.max(0, bytes - left), fileBytes: left }
  }

  return { run, dropUnnamed }
}

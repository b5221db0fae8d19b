/** What the journal in memory holds, as JSON would give it back. */
import type { JournalRecord } from '../../contracts/journal.ts'
import type { Packed } from './bodies.ts'
import type { Checkpoint, StoredReceipt } from './journal.ts'

export interface KeptReceipt {
  receipt: StoredReceipt
  digest: string | undefined
  at: number
}

export interface Kept {
  records: JournalRecord[]
  newest: Map<string, JournalRecord>
  bodies: Map<string, Packed>
  checkpoints: Map<string, Checkpoint>
  receipts: Map<string, KeptReceipt>
}

/** The journal of a device that version 1 of its machine recorded, of which retention has removed the beginning. */
import { CATALOGUE } from '../../../machines/catalogue.ts'
import { foldRecords } from '../../../src/runtime/fold.ts'
import type { Checkpoint, Journal } from '../../../src/runtime/journal/journal.ts'
import { recordDevice } from './device-history.ts'

const BEGAN = 1_700_000_000_000
const EXECUTIONS = 40
/** Executions are a second apart. */
const KEPT_MS = 20_000

/** The checkpoint is after the first records that are left. */
export const recordUpgradedDevice = async (journal: Journal, serial: string): Promise<Checkpoint> => {
  await recordDevice(journal, serial, EXECUTIONS, BEGAN)
  const actor = `device:${serial}`
  const covered = journal.records({ actor }).slice(0, 70)
  const { snapshot, n, seq } = foldRecords(CATALOGUE.device, covered)
  if (!snapshot) throw new Error('the records lead nowhere')
  const persisted = JSON.parse(JSON.stringify(CATALOGUE.device.logic.getPersistedSnapshot(snapshot)))
  // Contexts of version 1 had no queue.
  delete persisted.context.queue
  const checkpoint = { actor, n, seq, version: 1, snapshot: persisted }
  await journal.saveCheckpoint(checkpoint)
  await journal.prune({ maxAgeMs: KEPT_MS, maxBytes: Number.MAX_SAFE_INTEGER, now: BEGAN + EXECUTIONS * 1_000 })
  return checkpoint
}

/** The journal on disk, shared by every process of the user. */
import type { JournalRecord } from '../../contracts/journal.ts'
import type { Clock } from '../clock.ts'
import type { LeaseRequest, Liveness } from '../lease/lease.ts'
import { sqliteLeases } from '../lease/sqlite.ts'
import { pack, sqliteBodies } from './bodies.ts'
import { sqliteCheckpoints } from './checkpoints.ts'
import { openDisk } from './disk.ts'
import { JournalError } from './fault.ts'
import type { AppendOptions, Begun, Journal, NewRecord } from './journal.ts'
import { settleLoss } from './loss.ts'
import { type Marker, openMarker } from './mark.ts'
import { openForReading, openForWriting } from './open.ts'
import { createPrune } from './prune.ts'
import { createPump } from './pump.ts'
import { sqliteReceipts } from './receipts.ts'
import { sqliteRecords, toFact } from './records.ts'
import { seal } from './seal.ts'
import { watchJournal } from './watch.ts'

export interface JournalOptions {
  path: string
  alive: Liveness
  clock: Clock
  /** SQLite refuses to grow the file beyond this many pages: reason `full`. */
  maxPages?: number
  /** Nothing is created, checked or written: what can be read of a damaged or newer journal can be read. */
  readOnly?: boolean
}

const unwritten: Marker = { write: () => {}, close: () => {} }

/** Throws JournalError, like every method of the journal. */
export const openJournal = (options: JournalOptions): Journal => {
  const { path, alive, clock, maxPages, readOnly = false } = options
  const connection = readOnly ? openForReading(path) : openForWriting({ path, clock, maxPages })
  const records = sqliteRecords(connection)
  const bodies = sqliteBodies(connection)
  const receipts = sqliteReceipts(connection, bodies)
  const checkpoints = sqliteCheckpoints(connection)
  const leases = sqliteLeases(connection, alive)
  const prune = createPrune({ connection, records, bodies })
  const disk = openDisk(path)
  let marker = unwritten
  if (!readOnly) {
    try {
      marker = openMarker(path)
      settleLoss({ path, connection, records, clock })
    } catch (error) {
      marker.close()
      connection.close()
      throw error
    }
  }
  const pump = createPump({
    read: (after, limit) => records.list({ after, limit }),
    attend: () => watchJournal({ path, clock, changed: () => pump.wake() }),
  })

  const refuseFenced = ({ key, fence }: NonNullable<AppendOptions['lease']>) => {
    const newest = leases.newestFence(key)
    if (newest === fence) return
    throw new JournalError('fenced', `the newest grant of ${key} is ${newest ?? 'none'}, not ${fence}`)
  }

  /** Everything that takes time is done before the transaction begins. */
  const prepared = (record: NewRecord, receipt: AppendOptions['receipt']) => {
    const body = pack(record.body)
    const result = receipt && receipt.result === record.body ? body : pack(receipt?.result)
    const fact = toFact(record, body?.digest ?? null)
    const sealed = seal(fact)
    return {
      write: (): JournalRecord => {
        const seq = records.insert(fact, sealed)
        bodies.keep(body)
        if (receipt) receipts.keep(receipt, result, record.at)
        return { seq, ...fact }
      },
    }
  }

  const tell = ({ seq }: JournalRecord) => {
    marker.write(seq)
    pump.wake()
  }

  const append = (record: NewRecord, { lease, release, receipt }: AppendOptions = {}): JournalRecord => {
    const { write } = prepared(record, receipt)
    const written = connection.write(() => {
      if (lease) refuseFenced(lease)
      if (lease && release) leases.free(lease)
      return write()
    })
    tell(written)
    return written
  }

  const begin = (request: LeaseRequest, record: NewRecord, { receipt }: Pick<AppendOptions, 'receipt'> = {}): Begun => {
    const { write } = prepared(record, receipt)
    const refused = leases.refusal(request.key)
    if (refused) return { granted: false, lease: refused.lease }
    const begun = connection.write((): Begun => {
      const { granted, lease } = leases.take(request)
      return granted ? { granted, lease, record: write() } : { granted, lease }
    })
    if (begun.granted) tell(begun.record)
    return begun
  }

  return {
    append,
    begin,
    synced: disk.reach,
    records: (query = {}) => records.list(query),
    last: records.last,
    actors: (query = {}) => records.actors(query),
    body: bodies.read,
    head: records.head,
    checkpoint: checkpoints.read,
    saveCheckpoint: checkpoints.save,
    receipt: receipts.read,
    receipts: (query = {}) => receipts.list(query),
    receiptIds: (query = {}) => receipts.ids(query),
    subscribe: (listener, options = {}) => {
      const head = records.head()
      return pump.add(listener, options.after ?? head)
    },
    prune,
    leases,
    close: () => {
      pump.close()
      disk.close()
      marker.close()
      connection.close()
    },
  }
}

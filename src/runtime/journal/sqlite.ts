/** The journal on disk, shared by every process of the user. */
import type { JournalRecord } from '../../contracts/journal.ts'
import type { Clock } from '../clock.ts'
import { type LeaseRequest, type Liveness, underKeyOf } from '../lease/lease.ts'
import { insertLeases, leaseRows, sqliteLeases } from '../lease/sqlite.ts'
import { pack, sqliteBodies, unpack } from './bodies.ts'
import { sqliteCheckpoints } from './checkpoints.ts'
import { type Disk, openDisk } from './disk.ts'
import { JournalError } from './fault.ts'
import type { AppendOptions, BeginOptions, Begun, Journal, NewRecord } from './journal.ts'
import { settleLoss } from './loss.ts'
import { type Marker, openMarker } from './mark.ts'
import { beginSession, openForReading, openForWriting } from './open.ts'
import { createPrune } from './prune.ts'
import { createPump } from './pump.ts'
import { sqliteReceipts } from './receipts.ts'
import { sqliteRecords, toFact } from './records.ts'
import { BRING_IN } from './schema.ts'
import { seal } from './seal.ts'
import { fileIdentity } from './vanished.ts'
import { watchJournal } from './watch.ts'
import { createWriter } from './writer.ts'

export interface JournalOptions {
  path: string
  alive: Liveness
  clock: Clock
  /** SQLite refuses to grow the file beyond this many pages: reason `full`. */
  maxPages?: number
  /** Nothing is created, checked or written: what can be read of a damaged or newer journal can be read. */
  readOnly?: boolean
  /** Somebody else brings the WAL into the file (`upkeep.ts`), so that no commit of this process waits for the disk. */
  isKept?: boolean
}

/** What belongs to the file that is open, and not to the one that was there before. */
interface OpenFile {
  identity: string | undefined
  marker: Marker
  disk: Disk
}

const unwritten: Marker = { write: () => {}, close: () => {} }
/** The position of what a write has recorded, 0 if that was nothing. */
const seqOf = (result: unknown): number => {
  if (typeof result !== 'object' || result === null) return 0
  if ('record' in result) return seqOf(result.record)
  return 'seq' in result ? Number(result.seq) : 0
}

/** 256 MB: only where whoever keeps the journal cannot keep up, or is gone, a commit brings the WAL in itself. */
const KEPT_WAL_PAGES = 65_536

/** How often a process that writes nothing looks whether its file is still there. */
const LOOK_MS = 1_000

/** Throws JournalError, like every method of the journal. */
export const openJournal = (options: JournalOptions): Journal => {
  const { path, alive, clock, maxPages, readOnly = false, isKept = false } = options
  const connection = readOnly ? openForReading(path) : openForWriting({ path, clock, maxPages })
  const records = sqliteRecords(connection)
  const bodies = sqliteBodies(connection)
  const receipts = sqliteReceipts(connection, bodies)
  const checkpoints = sqliteCheckpoints(connection)
  const leases = sqliteLeases(connection, alive)

  const openFile = (): OpenFile => {
    if (readOnly) return { identity: undefined, marker: unwritten, disk: openDisk(path) }
    const marker = openMarker(path)
    try {
      settleLoss({ path, connection, records, clock })
      connection.opened()
      if (isKept) connection.exec(`PRAGMA wal_autocheckpoint = ${KEPT_WAL_PAGES}`)
      return { identity: fileIdentity(path), marker, disk: openDisk(path) }
    } catch (error) {
      marker.close()
      throw error
    }
  }

  let file: OpenFile
  try {
    file = openFile()
  } catch (error) {
    connection.close()
    throw error
  }

  const pump = createPump({
    read: (after, limit) => records.list({ after, limit }),
    startWatching: () => watchJournal({ path, clock, changed: () => pump.wake() }),
  })

  /** Goes on with the file that is at the path now, or with a new one: what this process held there it still holds. */
  const reopen = () => {
    const before = { head: records.head(), leases: leaseRows(connection) }
    openForWriting({ path, clock, maxPages, before, busyMs: 0 }).close()
    const { marker, disk } = file
    connection.replace(path)
    beginSession(connection, maxPages)
    connection.opened()
    connection.write(() => insertLeases(connection, before.leases))
    file = openFile()
    marker.close()
    disk.close()
    pump.wake()
  }

  /** Records in a file that nobody finds again would be no records: a request that follows them must not leave. */
  const refuseVanished = () => {
    if (readOnly || fileIdentity(path) === file.identity) return
    reopen()
    throw new JournalError('vanished', 'the journal file was removed or replaced; a new one is in use now')
  }

  const writer = createWriter({
    connection,
    clock,
    check: refuseVanished,
    onCommit: results => {
      const newest = results.reduce<number>((most, result) => Math.max(most, seqOf(result)), 0)
      if (newest === 0) return
      file.marker.write(newest)
      pump.wake()
    },
  })
  const prune = createPrune({ connection, records, bodies, write: writer.write })

  /** The next process that opens the file would have to read it. */
  const bringInAtLast = () => {
    try {
      connection.exec(BRING_IN)
    } catch {
      // Nothing is lost that stays in the WAL.
    }
  }

  const look = () =>
    clock.at(
      clock.now() + LOOK_MS,
      () => {
        try {
          refuseVanished()
        } catch {
          // The next write says so, and tries again.
        }
        looking = look()
      },
      { idle: true },
    )
  let looking = readOnly ? undefined : look()

  const refuseFenced = ({ key, fence }: NonNullable<AppendOptions['lease']>) => {
    const newest = leases.newestFence(key)
    if (newest === fence) return
    throw new JournalError('fenced', `the newest grant of ${key} is ${newest ?? 'none'}, not ${fence}`)
  }

  /** Everything that takes time is done before the transaction begins. */
  const prepared = (record: NewRecord, { first, receipt }: Pick<AppendOptions, 'first' | 'receipt'>) => {
    const writeFirst = first && prepared(first, {})
    const body = pack(record.body)
    const result = receipt && receipt.result === record.body ? body : pack(receipt?.result)
    const fact = toFact(record, body?.digest ?? null)
    const sealed = seal(fact)
    return (): JournalRecord => {
      writeFirst?.()
      const seq = records.insert(fact, sealed, { body })
      bodies.keep(body)
      if (result !== body) bodies.keep(result)
      if (receipt) receipts.keep(receipt, result, record.at)
      return { seq, ...fact }
    }
  }

  const append = async (record: NewRecord, options: AppendOptions = {}): Promise<JournalRecord> => {
    const { lease, release } = options
    const write = prepared(record, options)
    return writer.write(() => {
      if (lease && !(release && leases.free(lease))) refuseFenced(lease)
      return write()
    })
  }

  const begin = async (request: LeaseRequest, record: NewRecord, options: BeginOptions = {}): Promise<Begun> => {
    const write = prepared(record, options)
    return writer.write((): Begun => {
      const { granted, lease } = leases.take(
        options.settles ? underKeyOf(record.actor, leases.list(), request) : request,
      )
      if (!granted) return { granted, lease }
      if (options.settles) leases.free(lease)
      return { granted, lease, record: write() }
    })
  }

  return {
    append,
    begin,
    synced: () => file.disk.reach(),
    records: (query = {}) => records.list(query),
    last: records.last,
    actors: (query = {}) => records.actors(query),
    body: ({ seq, digest }) => {
      if (digest === null) return undefined
      const json = records.body(seq)
      return json ? unpack({ digest, json }) : bodies.read(digest)
    },
    head: records.head,
    checkpoint: checkpoints.read,
    saveCheckpoint: async checkpoint => {
      const sealed = seal(checkpoint)
      await writer.write(() => checkpoints.save(checkpoint, sealed))
    },
    receipt: receipts.read,
    receiptByKey: receipts.byKey,
    receipts: (query = {}) => receipts.list(query),
    receiptIds: (query = {}) => receipts.ids(query),
    subscribe: (listener, subscription = {}) => {
      const head = records.head()
      return pump.add(listener, subscription.after ?? head)
    },
    prune,
    leases: {
      // Asked once before the write as well: waiting for a live holder must not keep the others from writing.
      acquire: async request => leases.refusal(request) ?? writer.write(() => leases.take(request)),
      release: grant => writer.write(() => leases.free(grant)),
      read: leases.read,
      list: leases.list,
    },
    close: () => {
      looking?.cancel()
      pump.close()
      writer.close()
      if (isKept) bringInAtLast()
      file.disk.close()
      file.marker.close()
      connection.close()
    },
  }
}

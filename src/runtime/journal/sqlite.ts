/** The journal on disk, shared by every process of the user. */
import type { JournalRecord } from '../../contracts/records/journal.ts'
import { NO_TROUBLES, type Troubles } from '../background-failures.ts'
import type { Clock } from '../clock.ts'
import { type Liveness, type OwnershipRequest, withKeyOfActor } from '../ownership/ownership.ts'
import { sqliteLeases } from '../ownership/sqlite.ts'
import type { Connection } from './connection.ts'
import { isDamage, isOfCaller, JournalError, UNWRITABLE } from './fault.ts'
import { type JournalFiles, systemJournalFiles } from './files.ts'
import type { AppendOptions, BeginOptions, BeginResult, Checkpoint, Journal, NewRecord } from './journal.ts'
import { tellUnknownKeys } from './loss.ts'
import { openForReading, openForWriting } from './open.ts'
import { keepFileOpen, type OpenFile } from './open-file.ts'
import { createPrune } from './prune.ts'
import { sqliteReceipts } from './receipts.ts'
import { sqliteRecords, toFact } from './records.ts'
import { pack, seal, sqliteBodies, unpack, unseal } from './stored-json.ts'
import { createSubscriptions } from './subscriptions.ts'
import { createWriter } from './writer.ts'

const sqliteCheckpoints = (connection: Connection) => {
  const select = connection.statement('SELECT CAST(fact AS BLOB) FROM checkpoints WHERE actor = ?')
  const upsert = connection.statement(`
    INSERT INTO checkpoints (actor, n, fact) VALUES (?, ?, ?)
    ON CONFLICT (actor) DO UPDATE SET n = excluded.n, fact = excluded.fact WHERE excluded.n >= checkpoints.n`)
  return {
    read: (actor: string): Checkpoint | undefined => {
      const row = select.get(actor)
      return row && unseal<Checkpoint>(row[0])
    },
    /** Inside a write. A process that fell behind may come with an older one: the newer stays. */
    save: ({ actor, n }: Checkpoint, sealed: Buffer): void => void upsert.run(actor, n, sealed),
  }
}

export interface JournalOptions {
  path: string
  alive: Liveness
  clock: Clock
  /** SQLite refuses to grow the file beyond this many pages: reason `full`. */
  maxPages?: number
  /** Nothing is created, checked or written: what can be read of a damaged or newer journal can be read. */
  readOnly?: boolean
  /** Somebody else brings the WAL into the file (`upkeep.ts`), so that no commit of this process waits for the disk. */
  hasUpkeep?: boolean
  /** Hears of records that cannot be read or written and of listeners that throw. */
  troubles?: Pick<Troubles, 'tell' | 'over'>
  files?: JournalFiles
}

/** The position of what a write has recorded, 0 if that was nothing. */
const seqOf = (result: unknown): number => {
  if (typeof result !== 'object' || result === null) return 0
  if ('record' in result) return seqOf(result.record)
  return 'seq' in result ? Number(result.seq) : 0
}

/** Throws JournalError, like every method of the journal. */
export const openJournal = (options: JournalOptions): Journal => {
  const { path, alive, clock, maxPages, readOnly = false, hasUpkeep = false } = options
  const { troubles = NO_TROUBLES, files = systemJournalFiles } = options
  const connection = readOnly ? openForReading(path) : openForWriting({ path, clock, maxPages })
  const records = sqliteRecords(connection, error => troubles.tell('the journal has a damaged record', error))
  const bodies = sqliteBodies(connection)
  const receipts = sqliteReceipts(connection, bodies)
  const checkpoints = sqliteCheckpoints(connection)
  const leases = sqliteLeases(connection, alive, clock)

  const subscriptions = createSubscriptions({
    read: (after, limit) => records.list({ after, limit, passesDamage: true }),
    troubles,
    clock,
    startWatching: () => files.watch({ path, clock, changed: () => subscriptions.wake() }),
  })

  let unknownKeys = () => {}
  /** A command would say it with each of its runs. */
  const tellLoss = () => {
    unknownKeys()
    if (hasUpkeep) unknownKeys = tellUnknownKeys({ records, clock, troubles })
  }

  let file: OpenFile
  try {
    const onReplaced = () => {
      subscriptions.wake()
      tellLoss()
    }
    file = keepFileOpen({ ...options, files, connection, records, onReplaced })
    tellLoss()
  } catch (error) {
    connection.close()
    throw error
  }

  const writer = createWriter({
    connection,
    clock,
    check: file.refuseVanished,
    guard: file.refuseNewer,
    onRefused: error => {
      if (!isOfCaller(error)) troubles.tell(UNWRITABLE, error)
    },
    onCommit: results => {
      troubles.over(UNWRITABLE)
      const newest = results.reduce<number>((most, result) => Math.max(most, seqOf(result)), 0)
      if (newest === 0) return
      file.mark(newest)
      subscriptions.wake()
    },
  })
  const prune = createPrune({ connection, records, bodies, write: writer.write })

  const reported = <T>(what: string, read: () => T): T => {
    try {
      return read()
    } catch (error) {
      if (isDamage(error)) troubles.tell(`the journal has a damaged ${what}`, error)
      throw error
    }
  }

  const refuseFenced = ({ key, fence }: NonNullable<AppendOptions['lease']>) => {
    const newest = leases.newestFence(key)
    if (newest === fence) return
    throw new JournalError('fenced', `The newest grant of ${key} is ${newest ?? 'none'}, not ${fence}`)
  }

  /** Everything that takes time is done before the transaction begins. */
  const prepared = (
    record: NewRecord,
    { earlier = [], receipt, learned }: Pick<AppendOptions, 'earlier' | 'receipt' | 'learned'>,
  ): (() => JournalRecord) => {
    const writesBefore = earlier.map(each => prepared(each, {}))
    const body = pack(record.body)
    const result = receipt && receipt.result === record.body ? body : pack(receipt?.result)
    const fact = toFact(record, body?.digest ?? null)
    const sealed = seal(fact)
    return (): JournalRecord => {
      for (const write of writesBefore) write()
      const seq = records.insert(fact, sealed, { body })
      bodies.keep(body)
      if (result !== body) bodies.keep(result)
      if (receipt) receipts.keep(receipt, { result, at: record.at, mayBeNew: earlier.length > 0 })
      if (learned) receipts.learn(learned)
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

  const begin = async (
    request: OwnershipRequest,
    record: NewRecord,
    options: BeginOptions = {},
  ): Promise<BeginResult> => {
    const write = prepared(record, options)
    return writer.write((): BeginResult => {
      const { granted, lease } = leases.take(
        options.settles ? withKeyOfActor(record.actor, leases.list(), request) : request,
      )
      if (!granted) return { granted, lease }
      if (options.settles) leases.free(lease)
      return { granted, lease, record: write() }
    })
  }

  return {
    append,
    begin,
    synced: file.synced,
    flush: writer.flush,
    records: (query = {}) => records.list(query),
    last: records.last,
    actors: (query = {}) => records.actors(query),
    withTag: records.withTag,
    body: ({ seq, digest }) =>
      reported('body', () => {
        if (digest === null) return undefined
        const json = records.body(seq)
        return json ? unpack({ digest, json }) : bodies.read(digest)
      }),
    head: records.head,
    checkpoint: checkpoints.read,
    saveCheckpoint: async checkpoint => {
      const sealed = seal(checkpoint)
      await writer.write(() => checkpoints.save(checkpoint, sealed))
    },
    receipt: id => reported('receipt', () => receipts.read(id)),
    receiptByKey: receipts.byKey,
    receipts: (query = {}) => receipts.list(query),
    receiptIds: (query = {}) => receipts.ids(query),
    subscribe: (listener, subscription = {}) => {
      const head = records.head()
      return subscriptions.add(listener, subscription.after ?? head)
    },
    prune,
    finishWal: file.finishWal,
    leases: {
      // Asked once before the write as well: waiting for a live holder must not keep the others from writing.
      acquire: async request => leases.refusal(request) ?? writer.write(() => leases.take(request)),
      release: grant => writer.write(() => leases.free(grant)),
      renew: grants => writer.write(() => leases.renew(grants)),
      read: leases.read,
      owner: leases.owner,
      list: leases.list,
    },
    close: () => {
      unknownKeys()
      subscriptions.close()
      writer.close()
      file.close()
      connection.close()
    },
  }
}

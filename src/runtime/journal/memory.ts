/** The reference implementation of the journal: what it does is what a journal does. One process, no disk. */

import { HISTORY_LIMIT, LIST_LIMIT } from '../../contracts/limits/limits.ts'
import type { JournalRecord } from '../../contracts/records/journal.ts'
import { NO_TROUBLES, type Troubles } from '../background-failures.ts'
import type { Clock } from '../clock.ts'
import { type Liveness, memoryLeases, type OwnershipRequest, withKeyOfActor } from '../ownership/ownership.ts'
import { asJournalError, JournalError } from './fault.ts'
import type {
  AppendOptions,
  BeginOptions,
  BeginResult,
  Journal,
  NewRecord,
  ReceiptQuery,
  StoredReceipt,
} from './journal.ts'
import { createMemoryPrune, type MemoryTables, type ReceiptRow } from './memory-prune.ts'
import { isSettled, refuseUsedKey } from './receipts.ts'
import { refuseWrongPosition, toFact } from './records.ts'
import { type PackedBody, pack, unpack } from './stored-json.ts'
import { createSubscriptions } from './subscriptions.ts'

const copy = <T>(value: T): T => (value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T))

const isOfRun = ({ skillRunId }: StoredReceipt, run: string): boolean =>
  skillRunId !== undefined && (skillRunId === run || skillRunId.startsWith(`${run}.`))

export const memoryJournal = ({
  alive,
  clock,
  troubles = NO_TROUBLES,
}: {
  alive: Liveness
  clock: Clock
  troubles?: Pick<Troubles, 'tell' | 'over'>
}): Journal => {
  const kept: MemoryTables = {
    records: [],
    newest: new Map(),
    bodies: new Map(),
    checkpoints: new Map(),
    receipts: new Map(),
  }
  const { newest, bodies, checkpoints, receipts } = kept
  const leases = memoryLeases(alive, clock)
  let closed = false

  /** Every answer is a copy, and every failure a JournalError, as with a store on disk. */
  const later =
    <A extends unknown[], T>(work: (...values: A) => T) =>
    async (...values: A): Promise<T> =>
      open(work)(...values)
  const open =
    <A extends unknown[], T>(work: (...values: A) => T) =>
    (...values: A): T => {
      if (closed) throw new JournalError('closed', 'The journal is closed')
      try {
        return copy(work(...values))
      } catch (error) {
        throw asJournalError(error)
      }
    }

  const head = () => kept.records.at(-1)?.seq ?? 0

  const list: Journal['records'] = ({
    actor,
    machine,
    listener,
    after = 0,
    fromN = 0,
    limit = HISTORY_LIMIT.default,
  } = {}) =>
    kept.records
      .filter(
        record =>
          record.seq > after &&
          (actor === undefined || (record.actor === actor && record.n >= fromN)) &&
          (machine === undefined || record.machine === machine) &&
          (listener === undefined || record.outcome?.listener === listener),
      )
      .slice(0, limit)

  const body = (digest: string) => {
    const packed = bodies.get(digest)
    return packed && unpack(packed)
  }

  const toReceipt = ({ receipt, digest }: ReceiptRow): StoredReceipt =>
    digest === undefined ? receipt : { ...receipt, result: body(digest) as NonNullable<StoredReceipt['result']> }

  const chosen = ({ deviceId, commandId, taskId, skillRunId, limit = LIST_LIMIT.default }: ReceiptQuery = {}) =>
    [...receipts.values()]
      .filter(({ receipt }) => deviceId === undefined || receipt.deviceId === deviceId)
      .filter(({ receipt }) => commandId === undefined || receipt.commandId === commandId)
      .filter(({ receipt }) => taskId === undefined || receipt.taskId === taskId)
      .filter(({ receipt }) => skillRunId === undefined || isOfRun(receipt, skillRunId))
      .reverse()
      .slice(0, limit)

  const keepBody = (packed: PackedBody | undefined) => {
    if (packed && !bodies.has(packed.digest)) bodies.set(packed.digest, packed)
    return packed?.digest
  }

  const subscriptions = createSubscriptions({ read: (after, limit) => copy(list({ after, limit })), troubles, clock })
  const prune = createMemoryPrune(kept)

  const byKey = (key: string) => [...receipts.values()].findLast(({ receipt }) => receipt.idempotency?.key === key)

  const append = (record: NewRecord, options: AppendOptions = {}): JournalRecord => {
    const { earlier = [], lease, release, receipt, learned } = options
    const packed = pack(record.body)
    const result = pack(receipt?.result)
    if (lease && leases.newestFence(lease.key) !== lease.fence) {
      throw new JournalError('fenced', `${lease.key} was granted to a newer owner`)
    }
    const place = earlier[0] ?? record
    refuseWrongPosition(place.actor, place.n, (newest.get(place.actor)?.n ?? -1) + 1)
    const key = receipt && !isSettled(receipt) ? receipt.idempotency?.key : undefined
    if (receipt && key !== undefined) {
      refuseUsedKey(receipt, byKey(key)?.receipt, receipts.get(receipt.executionId)?.receipt)
    }
    for (const each of earlier) append(each)
    const written = copy({ seq: head() + 1, ...toFact(record, packed?.digest ?? null) })
    keepBody(packed)
    kept.records.push(written)
    newest.set(record.actor, written)
    if (receipt) {
      const { result: _, ...bare } = copy(receipt)
      const hadResult = receipts.get(receipt.executionId)?.digest !== undefined
      receipts.set(receipt.executionId, { receipt: bare, digest: keepBody(result), at: record.at })
      if (hadResult) prune.dropUnnamed()
    }
    const known = learned && receipts.get(learned.executionId)
    if (known)
      receipts.set(learned.executionId, { ...known, receipt: { ...known.receipt, evidence: copy(learned.evidence) } })
    if (lease && release) leases.release(lease)
    subscriptions.wake()
    return written
  }

  const begin = (
    request: OwnershipRequest,
    record: NewRecord,
    { earlier, receipt, learned, settles }: BeginOptions = {},
  ): BeginResult => {
    const { granted, lease } = leases.acquire(settles ? withKeyOfActor(record.actor, leases.list(), request) : request)
    if (!granted) return { granted, lease }
    try {
      const written = append(record, { earlier, receipt, learned })
      if (settles) leases.release(lease)
      return { granted, lease, record: written }
    } catch (error) {
      leases.release(lease)
      throw error
    }
  }

  return {
    append: later(append),
    begin: later(begin),
    synced: async () => {
      if (closed) throw new JournalError('closed', 'The journal is closed')
    },
    flush() {},
    records: open(list),
    last: open(actor => newest.get(actor)),
    actors: open(({ machine, tag, limit = Number.POSITIVE_INFINITY } = {}) =>
      [...newest.values()]
        .filter(record => machine === undefined || record.machine === machine)
        .filter(record => tag === undefined || record.tags.includes(tag))
        .sort((a, b) => b.seq - a.seq)
        .slice(0, limit),
    ),
    withTag: open(tag =>
      [...newest.values()].flatMap(({ actor, machine, tags }) => (tags.includes(tag) ? [{ actor, machine }] : [])),
    ),
    body: open(({ digest }) => (digest === null ? undefined : body(digest))),
    head: open(head),
    checkpoint: open(actor => checkpoints.get(actor)),
    saveCheckpoint: later(checkpoint => {
      if (checkpoint.n >= (checkpoints.get(checkpoint.actor)?.n ?? 0)) {
        checkpoints.set(checkpoint.actor, copy(checkpoint))
      }
    }),
    receipt: open(executionId => {
      const found = receipts.get(executionId)
      return found && toReceipt(found)
    }),
    receiptByKey: open(key => {
      const found = byKey(key)
      return found && toReceipt(found)
    }),
    receipts: open(query => chosen(query).map(toReceipt)),
    receiptIds: open(query => chosen(query).map(({ receipt }) => receipt.executionId)),
    finishWal: () => {},
    subscribe: (listener, options = {}) => {
      if (closed) throw new JournalError('closed', 'The journal is closed')
      return subscriptions.add(listener, options.after ?? head())
    },
    prune: later(prune.run),
    leases: {
      acquire: later(leases.acquire),
      release: later(leases.release),
      renew: later(leases.renew),
      read: open(leases.read),
      owner: open(leases.owner),
      list: open(leases.list),
    },
    close: () => {
      closed = true
      subscriptions.close()
    },
  }
}

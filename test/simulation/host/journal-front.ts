/** The journal as one process of a simulated host sees it: writes reach the disk later, and the process may die on the way. */

import { NO_TROUBLES } from '../../../src/runtime/background-failures.ts'
import { JournalError } from '../../../src/runtime/journal/fault.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { createSubscriptions } from '../../../src/runtime/journal/subscriptions.ts'
import type { Owner, Scheduler } from '../scheduler.ts'
import type { SharedStore, WriteName } from './disk.ts'

const WRITE_MS = { min: 0, max: 3 }
const TOLD_MS = { min: 0, max: 2 }
const SYNC_MS = { min: 1, max: 8 }
const WAKE_MS = { min: 0, max: 5 }

export const journalFront = (scheduler: Scheduler, owner: Owner, disk: SharedStore): Journal => {
  let isClosed = false
  const between = ({ min, max }: { min: number; max: number }) => owner.random.int(min, max)
  const soon = (call: () => void) => void scheduler.post(owner, 0, 'turn', call)
  const read = (after: number, limit: number) => disk.store().records({ after, limit, passesDamage: true })
  const subscriptions = createSubscriptions({ read, troubles: NO_TROUBLES, clock: { soon } })
  /** Writes keep their order on the way to the disk and back. */
  const lanes = { there: [] as (() => void)[], back: [] as (() => void)[] }
  const inOrder = (lane: (() => void)[], of: Owner, ms: number, what: string, run: () => void) => {
    lane.push(run)
    scheduler.post(of, ms, what, () => lane.shift()?.())
  }
  const refuse = () => Promise.reject(new JournalError('closed', 'The journal is closed'))

  const write = <T>(name: WriteName, values: unknown[]): Promise<T> => {
    if (isClosed) return refuse()
    if (!scheduler.cross(owner, `writes ${name}`)) return new Promise(() => {})
    return new Promise<T>((resolve, reject) => {
      inOrder(lanes.there, disk.owner, between(WRITE_MS) + disk.extraMs, `of ${owner.name}: ${name}`, () => {
        // A write of a process that is gone by now may have left it, or not; here it has not.
        if (owner.isDead) return
        const settled = disk.write(name, values as never[])
        const tell = (finish: () => void) => () =>
          inOrder(lanes.back, owner, between(TOLD_MS), `told ${name}`, () => {
            if (scheduler.cross(owner, `wrote ${name}`)) finish()
          })
        settled.then(
          value => tell(() => resolve(value as T))(),
          error => tell(() => reject(error))(),
        )
      })
    })
  }

  const synced = (): Promise<void> => {
    if (isClosed) return refuse()
    if (!scheduler.cross(owner, 'syncs')) return new Promise(() => {})
    return new Promise((resolve, reject) => {
      scheduler.post(disk.owner, between(SYNC_MS) + disk.extraMs, `of ${owner.name}: sync`, () => {
        if (owner.isDead) return
        const failure = disk.failsToSync ? new JournalError('failed', 'The disk would not take it') : undefined
        if (failure) scheduler.felt('sync that failed')
        if (!failure) disk.sync()
        scheduler.post(owner, 0, 'told sync', () => {
          if (!scheduler.cross(owner, 'synced')) return
          if (failure) reject(failure)
          else resolve()
        })
      })
    })
  }

  const leave = disk.onWritten(() => {
    if (!owner.isDead) scheduler.post(owner, between(WAKE_MS), 'hears of records', subscriptions.wake)
  })
  const opened = <A extends unknown[], T>(ask: (...values: A) => T) => {
    return (...values: A): T => {
      if (isClosed) throw new JournalError('closed', 'The journal is closed')
      return ask(...values)
    }
  }

  return {
    append: (...values) => write('append', values),
    begin: (...values) => write('begin', values),
    saveCheckpoint: (...values) => write('saveCheckpoint', values),
    prune: (...values) => write('prune', values),
    synced,
    flush() {},
    records: opened(query => disk.store().records(query)),
    last: opened(actor => disk.store().last(actor)),
    actors: opened(query => disk.store().actors(query)),
    withTag: opened(tag => disk.store().withTag(tag)),
    body: opened(record => disk.store().body(record)),
    head: opened(() => disk.store().head()),
    checkpoint: opened(actor => disk.store().checkpoint(actor)),
    receipt: opened(executionId => disk.store().receipt(executionId)),
    receiptByKey: opened(key => disk.store().receiptByKey(key)),
    receipts: opened(query => disk.store().receipts(query)),
    receiptIds: opened(query => disk.store().receiptIds(query)),
    subscribe: opened((listener, options = {}) => subscriptions.add(listener, options.after ?? disk.store().head())),
    leases: {
      acquire: (...values) => write('acquire', values),
      release: (...values) => write('release', values),
      renew: (...values) => write('renew', values),
      read: opened(key => disk.store().leases.read(key)),
      owner: opened(key => disk.store().leases.owner(key)),
      list: opened(() => disk.store().leases.list()),
    },
    finishWal() {},
    close() {
      isClosed = true
      leave()
      subscriptions.close()
    },
  }
}

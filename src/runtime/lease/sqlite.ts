/** Leases of the whole host: a row per key, kept after release so that its fence never starts again. */
import type { Lease } from '../../contracts/journal.ts'
import type { Connection } from '../journal/connection.ts'
import { seal, unseal } from '../journal/seal.ts'
import type { Claim, LeaseRequest, Liveness } from './lease.ts'
import type { FencedLeases } from './memory.ts'

const ROW = 'CAST(key AS BLOB), CAST(fence AS INTEGER), CAST(fact AS BLOB)'

export interface LeaseRow {
  key: string
  fence: number
  /** Null when nobody holds the key. */
  fact: Buffer | null
}

/** Every key ever granted, as it is stored. */
export const leaseRows = (connection: Connection): LeaseRow[] =>
  connection
    .statement(`SELECT ${ROW} FROM leases ORDER BY key`)
    .all()
    .map(([key, fence, fact]) => ({
      key: String(key),
      fence: Number(fence),
      fact: Buffer.isBuffer(fact) ? fact : null,
    }))

const toLease = (row: readonly unknown[]): Lease => ({
  key: String(row[0]),
  fence: Number(row[1]),
  ...unseal<Pick<Lease, 'holder' | 'since' | 'note'>>(row[2]),
})

/** Also what a journal does with leases inside a write of its own. */
export interface SqliteLeases extends FencedLeases {
  refusal(key: string): Claim | undefined
  take(request: LeaseRequest): Claim
  free(grant: { key: string; fence: number }): boolean
}

export const sqliteLeases = (connection: Connection, alive: Liveness): SqliteLeases => {
  const held = connection.statement(`SELECT ${ROW} FROM leases WHERE key = ? AND fact IS NOT NULL`)
  const all = connection.statement(`SELECT ${ROW} FROM leases WHERE fact IS NOT NULL ORDER BY key`)
  const fence = connection.statement('SELECT CAST(fence AS INTEGER) FROM leases WHERE key = ?')
  const grant = connection.statement(`
    INSERT INTO leases (key, fence, fact) VALUES (?, 1, ?)
    ON CONFLICT (key) DO UPDATE SET fence = fence + 1, fact = excluded.fact`)
  const free = connection.statement('UPDATE leases SET fact = NULL WHERE key = ? AND fence = ? AND fact IS NOT NULL')

  const read = (key: string) => {
    const row = held.get(key)
    return row && toLease(row)
  }
  const newestFence = (key: string) => {
    const row = fence.get(key)
    return row && Number(row[0])
  }
  const refusal = (key: string): Claim | undefined => {
    const lease = read(key)
    return lease && alive(lease.holder) ? { granted: false, lease } : undefined
  }

  const take = ({ key, holder, since, note }: LeaseRequest): Claim => {
    const refused = refusal(key)
    if (refused) return refused
    grant.run(key, seal({ holder, since, note }))
    return { granted: true, lease: { key, fence: newestFence(key) ?? 1, holder, since, note } }
  }
  const freeGrant = ({ key, fence }: { key: string; fence: number }) => free.run(key, fence).changes > 0

  return {
    // Asked once before the write as well: waiting for a live holder must not keep the others from writing.
    acquire: request => refusal(request.key) ?? connection.write(() => take(request)),
    release: grant => connection.write(() => freeGrant(grant)),
    refusal,
    take,
    free: freeGrant,
    read,
    list: () => all.all().map(toLease),
    newestFence,
  }
}

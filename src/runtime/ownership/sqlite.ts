/** Leases of the whole host: a row per key, kept after release so that its fence never starts again. */
import type { Ownership } from '../../contracts/records/journal.ts'
import type { Clock } from '../clock.ts'
import type { Connection } from '../journal/connection.ts'
import { seal, unseal } from '../journal/stored-json.ts'
import { isOwned, type Liveness, type OwnershipGrant, type OwnershipRequest } from './ownership.ts'

const ROW = 'CAST(key AS BLOB), CAST(fence AS INTEGER), CAST(fact AS BLOB)'

/** Not a key but a row beside them: fences of keys that were never granted here begin above its fence. */
export const LEAST_FENCE = ''

export interface LeaseRow {
  key: string
  fence: number
  /** Null when nobody holds the key. */
  fact: Buffer | null
}

/** Every key ever granted, as it is stored, and LEAST_FENCE. */
export const leaseRows = (connection: Connection): LeaseRow[] =>
  connection
    .statement(`SELECT ${ROW} FROM leases ORDER BY key`)
    .all()
    .map(([key, fence, fact]) => ({
      key: String(key),
      fence: Number(fence),
      fact: Buffer.isBuffer(fact) ? fact : null,
    }))

const toLease = (row: readonly unknown[]): Ownership => ({
  key: String(row[0]),
  fence: Number(row[1]),
  ...unseal<Pick<Ownership, 'holder' | 'since' | 'note'>>(row[2]),
})

/** The lease operations of a journal; `take` and `free` are called inside a write. */
interface SqliteLeases {
  refusal(request: OwnershipRequest): OwnershipGrant | undefined
  take(request: OwnershipRequest): OwnershipGrant
  free(grant: { key: string; fence: number }): boolean
  renew(grants: readonly Pick<Ownership, 'key' | 'fence'>[]): void
  read(key: string): Ownership | undefined
  owner(key: string): Ownership | undefined
  list(): Ownership[]
  newestFence(key: string): number | undefined
}

export const sqliteLeases = (connection: Connection, alive: Liveness, { now }: Pick<Clock, 'now'>): SqliteLeases => {
  const held = connection.statement(`SELECT ${ROW} FROM leases WHERE key = ? AND fact IS NOT NULL`)
  const renewedAt = connection.statement('SELECT CAST(renewed AS INTEGER) FROM leases WHERE key = ?')
  const all = connection.statement(`SELECT ${ROW} FROM leases WHERE fact IS NOT NULL ORDER BY key`)
  const fence = connection.statement('SELECT CAST(fence AS INTEGER) FROM leases WHERE key = ?')
  const grant = connection.statement(`
    INSERT INTO leases (key, fence, fact)
      VALUES (?, 1 + coalesce((SELECT fence FROM leases WHERE key = '${LEAST_FENCE}'), 0), ?)
    ON CONFLICT (key) DO UPDATE SET fence = fence + 1, fact = excluded.fact, renewed = NULL
      WHERE ?3 OR fact IS NULL
    RETURNING CAST(fence AS INTEGER)`)
  const free = connection.statement('UPDATE leases SET fact = NULL WHERE key = ? AND fence = ? AND fact IS NOT NULL')

  const renew = connection.statement('UPDATE leases SET renewed = ? WHERE key = ? AND fence = ? AND fact IS NOT NULL')

  const read = (key: string) => {
    const row = held.get(key)
    return row && toLease(row)
  }
  const newestFence = (key: string) => {
    const row = fence.get(key)
    return row && Number(row[0])
  }
  /** A grant that was never renewed is as old as it is. */
  const owner = (key: string): Ownership | undefined => {
    const lease = read(key)
    if (!lease) return undefined
    const renewed = Number(renewedAt.get(key)?.[0] ?? lease.since)
    return isOwned(alive, { ...lease, renewedAt: renewed }, now()) ? lease : undefined
  }
  const standing = ({ unless }: OwnershipRequest): OwnershipGrant | undefined => {
    const lease = unless?.(owner)
    return lease && { granted: false, lease }
  }
  const present = ({ key, replaces }: OwnershipRequest): OwnershipGrant | undefined => {
    const lease = owner(key)
    return lease && !replaces?.(lease) ? { granted: false, lease } : undefined
  }

  return {
    refusal: request => standing(request) ?? present(request),
    take: request => {
      const refused = standing(request)
      if (refused) return refused
      const { key, holder, since, note } = request
      const fact = seal({ holder, since, note })
      let row = grant.get(key, fact, 0)
      if (!row) {
        const held = present(request)
        if (held) return held
        row = grant.get(key, fact, 1)
      }
      return { granted: true, lease: { key, fence: Number(row?.[0]), holder, since, note } }
    },
    free: ({ key, fence }) => free.run(key, fence).changes > 0,
    renew: grants => {
      for (const { key, fence } of grants) renew.run(now(), key, fence)
    },
    read,
    owner,
    list: () => all.all().map(toLease),
    newestFence,
  }
}

/** Puts the leases of another file beside those that are there. Whether a holder renews its lease shows again from now on. */
export const insertLeases = (connection: Connection, rows: readonly LeaseRow[], now: number): void => {
  const insert = connection.statement(
    'INSERT OR IGNORE INTO leases (key, fence, fact, renewed) VALUES (CAST(? AS TEXT), ?, ?, ?)',
  )
  for (const { key, fence, fact } of rows) insert.run(key, fence, fact, now)
}

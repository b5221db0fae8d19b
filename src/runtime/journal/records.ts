/** Records in SQLite: one append and every way of reading them back. */

import { HISTORY_LIMIT } from '../../contracts/limits/limits.ts'
import type { JournalRecord } from '../../contracts/records/journal.ts'
import { once } from '../once.ts'
import type { Connection, Value } from './connection.ts'
import { isDamage, JournalError } from './fault.ts'
import type { ActorName, ActorQuery, NewRecord, RecordQuery } from './journal.ts'
import { isLost, lossRecord } from './loss.ts'
import { isSmall, type PackedBody, unseal } from './stored-json.ts'

type Fact = Omit<JournalRecord, 'seq'>

export const toRecord = (row: readonly unknown[]): JournalRecord => ({
  seq: Number(row[0]),
  ...unseal<Fact>(row[1]),
})

export const toFact = (record: NewRecord, digest: string | null): Fact => ({
  actor: record.actor,
  n: record.n,
  machine: record.machine,
  version: record.version,
  at: record.at,
  event: record.event,
  digest,
  from: record.from,
  to: record.to,
  tags: [...record.tags],
  ...(record.outcome === undefined ? {} : { outcome: record.outcome }),
})

/** The one rule of positions, for every store: no gap, and nobody overwrites what another process wrote. */
export const refuseWrongPosition = (actor: string, n: number, next: number): void => {
  if (n !== next) throw new JournalError('behind', `${actor} continues at ${next}, not at ${n}`)
}

const afterNewest = (n: unknown): number => (typeof n === 'number' ? n + 1 : 0)

const ROW = 'seq, CAST(fact AS BLOB)'

/** A journal of an older schema is read as it is where nothing may be written. */
export const hasInlineBodies = (connection: Connection): boolean =>
  connection.number("SELECT count(*) FROM pragma_table_info('records') WHERE name = 'body'") > 0

export interface Records {
  /** Inside a write; refuses a wrong position. A given `seq` skips the ones before it. */
  insert(fact: Fact, sealed: Buffer, options?: { seq?: number; body?: PackedBody | undefined }): number
  /** The text of a small body. */
  body(seq: number): Buffer | undefined
  next(actor: string): number
  list(query: RecordQuery): JournalRecord[]
  last(actor: string): JournalRecord | undefined
  actors(query: ActorQuery): JournalRecord[]
  withTag(tag: string): ActorName[]
  head(): number
}

/** So many positions are looked at one by one where SQLite cannot read a range. */
const STEPS_MAX = 5_000

export const sqliteRecords = (connection: Connection, onDamage: (error: unknown) => void = () => {}): Records => {
  const insert = connection.statement(
    'INSERT INTO records (seq, actor, n, machine, at, digest, fact, listener, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  // Also whether the actor's row will stay the same: then its page is not written, as for most appends.
  const place = connection.statement(`
    SELECT (SELECT CAST(n AS INTEGER) FROM records WHERE actor = ?1 ORDER BY n DESC LIMIT 1),
      EXISTS (SELECT 1 FROM actors WHERE actor = ?1 AND machine = ?2 AND tags = ?3)`)
  const touch = connection.statement('INSERT OR REPLACE INTO actors (actor, machine, tags) VALUES (?, ?, ?)')
  const last = connection.statement(`SELECT ${ROW} FROM records WHERE actor = ? ORDER BY n DESC LIMIT 1`)
  const head = connection.statement('SELECT max(seq) FROM records')
  const small = connection.statement('SELECT CAST(body AS BLOB) FROM records WHERE seq = ?')
  const hasBodies = once(() => hasInlineBodies(connection))

  const select = (
    { actor, machine, listener, fromN = 0 }: RecordQuery,
    position: string,
    seq: number,
    limit: number,
  ) => {
    const conditions = [position]
    const values: Value[] = [seq]
    const where = (condition: string, ...bound: Value[]) => {
      conditions.push(condition)
      values.push(...bound)
    }
    if (actor !== undefined) where('actor = ? AND n >= ?', actor, fromN)
    if (machine !== undefined) where('machine = ?', machine)
    if (listener !== undefined) where('listener = ?', listener)
    const order = actor === undefined ? 'seq' : 'n'
    return connection
      .statement(`SELECT ${ROW} FROM records WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ?`)
      .all(...values, limit)
  }

  const lost = (from: number, to: number): JournalRecord => ({ seq: to, ...lossRecord({ from, to, at: 0 }, 0) })

  const readable = (seq: number, read: () => JournalRecord): JournalRecord => {
    try {
      return read()
    } catch (error) {
      if (!isDamage(error)) throw error
      onDamage(error)
      return lost(seq, seq)
    }
  }

  /** Retention may have taken any number of positions. */
  const firstAfter = (after: number): number => {
    try {
      return Number(connection.statement('SELECT min(seq) FROM records WHERE seq > ?').get(after)?.[0] ?? after + 1)
    } catch (error) {
      if (!isDamage(error)) throw error
      return after + 1
    }
  }

  /** A page that SQLite cannot read spoils each range that touches it, and no position beside it. */
  const oneByOne = (query: RecordQuery, after: number, limit: number): JournalRecord[] => {
    const found: JournalRecord[] = []
    const from = firstAfter(after)
    const top = Math.min(Number(head.get()?.[0] ?? 0), from + STEPS_MAX)
    for (let seq = from; seq <= top && found.length < limit; seq++) {
      const record = readable(seq, () => {
        const [row] = select(query, 'seq = ?', seq, 1)
        return row ? toRecord(row) : lost(seq, seq - 1)
      })
      const before = found.at(-1)
      if (record.seq < seq) continue
      if (isLost(record) && before && isLost(before)) found[found.length - 1] = lost(Number(before.event.from), seq)
      else found.push(record)
    }
    return found
  }

  const lastOf = (actor: string): JournalRecord | undefined => {
    const row = last.get(actor)
    return row && toRecord(row)
  }

  const whereActors = ({ machine, tag }: ActorQuery): { where: string; values: Value[] } => {
    const conditions: string[] = []
    const values: Value[] = []
    if (machine !== undefined) {
      conditions.push('machine = ?')
      values.push(machine)
    }
    if (tag !== undefined) {
      // Tags are a JSON array: a quoted string in it cannot be part of another one.
      conditions.push('instr(tags, ?) > 0')
      values.push(JSON.stringify(tag))
    }
    return { where: conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '', values }
  }
  const names = (query: ActorQuery): ActorName[] => {
    const { where, values } = whereActors(query)
    return connection
      .statement(`SELECT CAST(actor AS BLOB), CAST(machine AS BLOB) FROM actors ${where}`)
      .all(...values)
      .map(([actor, machine]) => ({ actor: String(actor), machine: String(machine) }))
  }
  const newest = (query: ActorQuery) => {
    const { where, values } = whereActors(query)
    return connection
      .statement(`
        WITH newest (last) AS (
          SELECT (SELECT seq FROM records WHERE records.actor = actors.actor ORDER BY n DESC LIMIT 1)
          FROM actors ${where} ORDER BY 1 DESC LIMIT ?)
        SELECT ${ROW} FROM newest CROSS JOIN records ON seq = last ORDER BY seq DESC`)
      .all(...values, query.limit ?? -1)
  }
  const listed = (read: () => JournalRecord | undefined): JournalRecord[] => {
    try {
      const record = read()
      return record ? [record] : []
    } catch (error) {
      if (!isDamage(error)) throw error
      onDamage(error)
      return []
    }
  }

  return {
    insert: (fact, sealed, { seq, body } = {}) => {
      const { actor, n, machine, at, outcome } = fact
      const small = body && isSmall(body) ? body.json : null
      const digest = small ? null : fact.digest
      const tags = JSON.stringify(fact.tags)
      const [newest, isSame] = place.get(actor, machine, tags) ?? []
      refuseWrongPosition(actor, n, afterNewest(newest))
      const listener = outcome?.listener ?? null
      const { rowid } = insert.run(seq ?? null, actor, n, machine, at, digest, sealed, listener, small)
      if (!isSame) touch.run(actor, machine, tags)
      return rowid
    },
    body: seq => {
      const json = hasBodies() ? small.get(seq)?.[0] : undefined
      return Buffer.isBuffer(json) ? json : undefined
    },
    next: actor => afterNewest(place.get(actor, '', '')?.[0]),
    list: ({ passesDamage = false, ...query }) => {
      const { after = 0, limit = HISTORY_LIMIT.default } = query
      if (!passesDamage) return select(query, 'seq > ?', after, limit).map(toRecord)
      try {
        return select(query, 'seq > ?', after, limit).map(row => readable(Number(row[0]), () => toRecord(row)))
      } catch (error) {
        if (!isDamage(error)) throw error
        return oneByOne(query, after, limit)
      }
    },
    last: lastOf,
    actors: query => {
      try {
        return newest(query).flatMap(row => listed(() => toRecord(row)))
      } catch (error) {
        if (!isDamage(error)) throw error
        return names(query)
          .flatMap(({ actor }) => listed(() => lastOf(actor)))
          .sort((a, b) => b.seq - a.seq)
          .slice(0, query.limit)
      }
    },
    withTag: tag => names({ tag }),
    head: () => Number(head.get()?.[0] ?? 0),
  }
}

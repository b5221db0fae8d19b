/** Large JSON kept once, under the digest of its text, for as long as a record or a receipt names it; small JSON goes with them. */
import { hash } from 'node:crypto'
import { BODY_INLINE_BYTES } from '../../contracts/limits.ts'
import type { Connection } from './connection.ts'
import { JournalError } from './fault.ts'
import { textOf } from './seal.ts'

export interface PackedBody {
  digest: string
  json: Buffer
}

/** Kept in the row of the record or receipt itself. */
export const isSmall = ({ json }: PackedBody): boolean => json.length <= BODY_INLINE_BYTES

const digestOf = (json: Buffer) => hash('sha256', json, 'hex')

/** Done before a transaction begins, so that nobody waits for it. */
export const pack = (value: unknown): PackedBody | undefined => {
  if (value === undefined) return undefined
  const json = Buffer.from(textOf(value))
  return { digest: digestOf(json), json }
}

export const unpack = ({ digest, json }: PackedBody): unknown => {
  if (digestOf(json) !== digest) throw new JournalError('corrupt', `The body ${digest} does not match its digest`)
  return JSON.parse(json.toString())
}

export interface Bodies {
  /** Inside a write; leaves small ones to the rows that have them. */
  keep(body: PackedBody | undefined): void
  read(digest: string): unknown
  /** Removes the body if nothing names it any more, and says whether it did. */
  drop(digest: string): boolean
}

export const sqliteBodies = (connection: Connection): Bodies => {
  const insert = connection.statement('INSERT OR IGNORE INTO bodies (digest, json) VALUES (?, ?)')
  const select = connection.statement('SELECT CAST(json AS BLOB) FROM bodies WHERE digest = ?')
  const remove = connection.statement(`
    DELETE FROM bodies WHERE digest = ?1
      AND NOT EXISTS (SELECT 1 FROM records WHERE digest = ?1)
      AND NOT EXISTS (SELECT 1 FROM receipts WHERE digest = ?1)`)
  return {
    keep: body => {
      if (body && !isSmall(body)) insert.run(body.digest, body.json)
    },
    read: digest => {
      const json = select.get(digest)?.[0]
      return Buffer.isBuffer(json) ? unpack({ digest, json }) : undefined
    },
    drop: digest => remove.run(digest).changes > 0,
  }
}

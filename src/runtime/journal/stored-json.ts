/**
 * JSON as the journal stores it: in a row with a checksum in front, or, when it is large, once under the digest of its
 * text for as long as a record or a receipt names it.
 */
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { BODY_INLINE_BYTES } from '../../contracts/limits/limits.ts'
import type { Connection } from './connection.ts'
import { JournalError } from './fault.ts'

const CHECKSUM_BYTES = 4

export const jsonOf = (value: unknown): string => {
  try {
    return JSON.stringify(value)
  } catch (error) {
    throw new JournalError('failed', `The record cannot be written as JSON: ${String(error)}`, { cause: error })
  }
}

const texts = new WeakMap<object, string>()

/** The same, made once for as long as the value lives: for what is large, recorded and answered, and never changed. */
export const textOf = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return jsonOf(value)
  const known = texts.get(value)
  if (known !== undefined) return known
  const json = jsonOf(value)
  texts.set(value, json)
  return json
}

export const seal = (value: unknown): Buffer => sealText(jsonOf(value))

/** Seals a value that is JSON already. */
export const sealText = (json: string): Buffer => {
  const sealed = Buffer.allocUnsafe(CHECKSUM_BYTES + Buffer.byteLength(json))
  sealed.write(json, CHECKSUM_BYTES)
  sealed.writeUInt32BE(crc32(sealed.subarray(CHECKSUM_BYTES)))
  return sealed
}

/** The caller names the type that was sealed: a matching checksum says that these are the very bytes. */
export const unseal = <T>(sealed: unknown): T => {
  if (!Buffer.isBuffer(sealed) || sealed.length < CHECKSUM_BYTES) {
    throw new JournalError('corrupt', 'A row of the journal has lost its content')
  }
  const json = sealed.subarray(CHECKSUM_BYTES)
  if (crc32(json) !== sealed.readUInt32BE()) {
    throw new JournalError('corrupt', 'A row of the journal does not match its checksum')
  }
  return JSON.parse(json.toString()) as T
}

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

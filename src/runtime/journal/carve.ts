/** Rows read straight from the pages of a database file: what is left when the way through a table is lost. */
import type { Connection } from './connection.ts'

export interface Carved {
  rowid: number
  columns: readonly (string | number | null | Buffer)[]
}

/** A page of table rows begins with this byte (https://www.sqlite.org/fileformat.html#b_tree_pages). */
const TABLE_LEAF = 0x0d
const HEADER_BYTES = 8
/** Of a row that does not fit, so much stays on its page at least. */
const minLocal = (usable: number) => Math.floor(((usable - 12) * 32) / 255) - 23

interface Cursor {
  at: number
}

/** The format's own integers: up to nine bytes, seven bits in each but the last. */
const varint = (bytes: Buffer, cursor: Cursor): number => {
  let value = 0
  for (let index = 0; index < 9; index++) {
    const byte = bytes.readUInt8(cursor.at)
    cursor.at += 1
    if (index === 8) return value * 256 + byte
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) break
  }
  return value
}

const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8]

const column = (bytes: Buffer, cursor: Cursor, type: number): string | number | null | Buffer => {
  if (type === 0) return null
  if (type === 8 || type === 9) return type - 8
  const size = type < 7 ? (INTEGER_BYTES[type] ?? 0) : type === 7 ? 8 : Math.floor((type - 12) / 2)
  const start = cursor.at
  if (start + size > bytes.length) throw new RangeError('a column ends outside its row')
  cursor.at += size
  if (type === 7) return bytes.readDoubleBE(start)
  if (type === 6) return Number(bytes.readBigInt64BE(start))
  if (type < 7) return bytes.readIntBE(start, size)
  const content = bytes.subarray(start, start + size)
  return type % 2 === 0 ? content : content.toString()
}

const columnsOf = (payload: Buffer): Carved['columns'] => {
  const header: Cursor = { at: 0 }
  const content: Cursor = { at: varint(payload, header) }
  const end = content.at
  const columns: (string | number | null | Buffer)[] = []
  while (header.at < end) columns.push(column(payload, content, varint(payload, header)))
  return columns
}

type PageOf = (number: number) => Buffer

const payloadOf = (page: Buffer, cursor: Cursor, size: number, pageOf: PageOf): Buffer => {
  const usable = page.length
  const fits = usable - 35
  const least = minLocal(usable)
  const kept = least + ((size - least) % (usable - 4))
  const local = size <= fits ? size : kept <= fits ? kept : least
  const parts = [page.subarray(cursor.at, cursor.at + local)]
  let next = size > local ? page.readUInt32BE(cursor.at + local) : 0
  for (let left = size - local; left > 0; left -= usable - 4) {
    const overflow = pageOf(next)
    parts.push(overflow.subarray(4, 4 + Math.min(left, usable - 4)))
    next = overflow.readUInt32BE(0)
  }
  return Buffer.concat(parts)
}

function* cellsOf(page: Buffer, pageOf: PageOf): Generator<Carved> {
  const cells = page.readUInt16BE(3)
  for (let index = 0; index < cells && HEADER_BYTES + 2 * index + 2 <= page.length; index++) {
    try {
      const cursor: Cursor = { at: page.readUInt16BE(HEADER_BYTES + 2 * index) }
      const size = varint(page, cursor)
      const rowid = varint(page, cursor)
      yield { rowid, columns: columnsOf(payloadOf(page, cursor, size, pageOf)) }
    } catch {
      // Not a row, or no longer.
    }
  }
}

/** Every row of every table, also of pages that are free now: the caller must know its own by their checksums. */
export function* carve(connection: Connection): Generator<Carved> {
  const select = connection.statement('SELECT data FROM sqlite_dbpage WHERE pgno = ?')
  const pages = connection.number('PRAGMA page_count')
  const pageOf = (number: number): Buffer => {
    const data = number > 0 && number <= pages ? select.get(number)?.[0] : undefined
    if (!Buffer.isBuffer(data)) throw new RangeError(`there is no page ${number}`)
    return data
  }
  for (let number = 2; number <= pages; number++) {
    let page: Buffer
    try {
      page = pageOf(number)
    } catch {
      continue
    }
    if (page[0] === TABLE_LEAF) yield* cellsOf(page, pageOf)
  }
}

/** Ways in which the files of a journal come to harm. */
import { closeSync, openSync, readSync, statSync, truncateSync, writeSync } from 'node:fs'
import Database from 'libsql'

export const PAGE_BYTES = 4_096

export const pagesOf = (path: string): number => statSync(path).size / PAGE_BYTES

/** The first byte of a page says what it is: 13 holds rows, 5 leads to them, 10 and 2 do the same for an index. */
export const kindOf = (path: string, page: number): number => {
  const file = openSync(path, 'r')
  const bytes = Buffer.alloc(1)
  readSync(file, bytes, 0, 1, page * PAGE_BYTES)
  closeSync(file)
  return bytes.readUInt8(0)
}

/** Pages are counted from 0. */
export const overwrite = (path: string, page: number, content: Buffer, offset = 0): void => {
  const file = openSync(path, 'r+')
  writeSync(file, content, 0, content.length, page * PAGE_BYTES + offset)
  closeSync(file)
}

export const cutTo = (path: string, share: number): void => truncateSync(path, Math.floor(statSync(path).size * share))

/** Plain SQL from outside; nothing is prepared, so the file is closed at once. */
export const tamper = (path: string, sql: string): void => {
  const database = new Database(path)
  database.exec(sql)
  database.close()
}

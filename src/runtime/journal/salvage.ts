/** A copy of files that SQLite refuses to open: with a new header, which brings back all that is behind it and in the log. */
import { randomBytes } from 'node:crypto'
import { closeSync, copyFileSync, existsSync, fstatSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { createJournal } from './create.ts'
import { openDamaged } from './open.ts'

/** The page size with which SQLite makes the files of a journal; nothing sets another one. */
const PAGE_BYTES = 4_096
const MAGIC = 'SQLite format 3\0'
const SCHEMA_FORMAT = 4
const TEXT_IS_UTF_8 = 1

/** https://www.sqlite.org/fileformat.html, section 1.3. Only what SQLite asks for before it reads the first table. */
const headerOf = (pages: number): Buffer => {
  const header = Buffer.alloc(100)
  header.write(MAGIC, 'latin1')
  header.writeUInt16BE(PAGE_BYTES, 16)
  // Both versions are those of a file with a write-ahead log.
  header.writeUInt8(2, 18)
  header.writeUInt8(2, 19)
  header.writeUInt8(64, 21)
  header.writeUInt8(32, 22)
  header.writeUInt8(32, 23)
  header.writeUInt32BE(1, 24)
  header.writeUInt32BE(pages, 28)
  header.writeUInt32BE(1, 40)
  header.writeUInt32BE(SCHEMA_FORMAT, 44)
  // The file has automatic vacuum; SQLite asks for the largest root only when it makes one.
  header.writeUInt32BE(1, 52)
  header.writeUInt32BE(TEXT_IS_UTF_8, 56)
  header.writeUInt32BE(1, 64)
  header.writeUInt32BE(1, 92)
  return header
}

const editing = (path: string, edit: (file: number) => void) => {
  const file = openSync(path, 'r+')
  try {
    edit(file)
  } finally {
    closeSync(file)
  }
}

const rebuildHeader = (file: number) => {
  const header = headerOf(Math.ceil(fstatSync(file).size / PAGE_BYTES))
  writeSync(file, header, 0, header.length, 0)
}

const remove = (copy: string) => {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${copy}${suffix}`, { force: true })
}

const salvaged = (path: string, copy: string): boolean => {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found && !found.isFile()) return false
    if (!found?.size && !statSync(`${path}-wal`, { throwIfNoEntry: false })?.size) return false
    // The log has the pages that were written since; the schema is in a file of its own making.
    if (!found?.size) createJournal(copy)
    else {
      copyFileSync(path, copy)
      editing(copy, rebuildHeader)
    }
    if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`)
    return isOpenable(copy)
  } catch {
    return false
  }
}

const isOpenable = (path: string): boolean => {
  try {
    openDamaged(path).close()
    return true
  } catch {
    return false
  }
}

/**
 * Leaves the files as they are. Where they cannot be opened, `read` gets the path of a copy, which ends with it, if there is
 * room for one on the disk.
 */
export const fromReadable = <T>(path: string, read: (readable: string) => T): T => {
  if (isOpenable(path)) return read(path)
  const copy = `${path}.${randomBytes(6).toString('hex')}.salvage`
  try {
    return read(salvaged(path, copy) ? copy : path)
  } finally {
    remove(copy)
  }
}

/** A working copy of a damaged journal with a new first page, which is the same in every journal of this schema. */
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { createJournal } from './create.ts'
import { asJournalError } from './refusals.ts'

const PAGE_BYTES = 4_096

/** Offsets in the header of a database file (https://www.sqlite.org/fileformat.html#the_database_header). */
const CHANGE_COUNTER = 24
const PAGE_COUNT = 28
const FREELIST = 32
const FREELIST_BYTES = 8
const VALID_FOR = 92

const firstPage = (directory: string, pages: number): Buffer => {
  const model = join(directory, 'model.db')
  createJournal(model)
  const page = readFileSync(model).subarray(0, PAGE_BYTES)
  page.writeUInt32BE(pages, PAGE_COUNT)
  page.fill(0, FREELIST, FREELIST + FREELIST_BYTES)
  page.copy(page, VALID_FOR, CHANGE_COUNTER, CHANGE_COUNTER + 4)
  return page
}

const directoryBeside = (file: string): string => {
  try {
    return mkdtempSync(join(dirname(file), '.salvage-'))
  } catch (error) {
    throw asJournalError(error)
  }
}

export interface WorkingCopy {
  path: string
  remove(): void
}

/** Made in the directory of `beside`: what is damaged is not touched, and may lie where nothing can be written. */
export const withNewFirstPage = (path: string, beside: string): WorkingCopy => {
  const directory = directoryBeside(beside)
  const remove = () => rmSync(directory, { recursive: true, force: true })
  const copy = join(directory, 'journal.db')
  try {
    copyFileSync(path, copy)
    if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`)
    const file = openSync(copy, 'r+')
    try {
      writeSync(file, firstPage(directory, Math.ceil(statSync(copy).size / PAGE_BYTES)), 0, PAGE_BYTES, 0)
    } finally {
      closeSync(file)
    }
    return { path: copy, remove }
  } catch (error) {
    remove()
    throw asJournalError(error)
  }
}

/** A journal file that was cut to nothing: SQLite removes its write-ahead log as soon as it opens it, even for reading. */
import { statSync } from 'node:fs'
import { JournalError } from './fault.ts'

const sizeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.size

/** To be called before SQLite opens the file. Throws JournalError. */
export const refuseEmptied = (path: string): void => {
  // The log first: whoever makes the journal meanwhile makes the file before it.
  const hasWal = (sizeOf(`${path}-wal`) ?? 0) > 0
  if (!hasWal || sizeOf(path) !== 0) return
  throw new JournalError('truncated', 'the journal file is empty, but its write-ahead log is not')
}

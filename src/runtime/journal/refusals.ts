/** Turns whatever SQLite, libsql or the file system throws into a JournalError with its reason. */
import { JournalError, type JournalFault } from './fault.ts'

/** Primary result codes of SQLite (https://www.sqlite.org/rescode.html); extended ones keep them in the low byte. */
const BY_RESULT: Readonly<Record<number, JournalFault>> = {
  5: 'busy',
  6: 'busy',
  // Out of memory: rows are small, so it is a damaged length that asks for so much.
  7: 'corrupt',
  8: 'read-only',
  11: 'corrupt',
  13: 'full',
  14: 'not-openable',
  15: 'busy',
  26: 'corrupt',
}

/** Extended ones that say more than their primary one. */
const BY_EXTENDED_RESULT: Readonly<Record<number, JournalFault>> = {
  // A file is shorter than what it is read for.
  522: 'corrupt',
  // The index of the WAL does not fit on the disk.
  4874: 'full',
}

const BY_ERRNO: Readonly<Record<string, JournalFault>> = {
  EACCES: 'read-only',
  EDQUOT: 'full',
  ENOSPC: 'full',
  EPERM: 'read-only',
  EROFS: 'read-only',
  EISDIR: 'not-openable',
  ELOOP: 'not-openable',
  ENOENT: 'not-openable',
  ENOTDIR: 'not-openable',
}

/** libsql reports a failed open without a code, with the result code at the end of its message. */
const OPEN_FAILED = /unable to open .*: (\d+)"?\)?$/i

const reasonOf = (error: { code?: unknown; rawCode?: unknown; message: string }): JournalFault => {
  if (typeof error.rawCode === 'number') {
    return BY_EXTENDED_RESULT[error.rawCode] ?? BY_RESULT[error.rawCode & 0xff] ?? 'failed'
  }
  const result = OPEN_FAILED.exec(error.message)?.[1]
  if (result) return BY_RESULT[Number(result)] ?? 'failed'
  return BY_ERRNO[String(error.code)] ?? 'failed'
}

export const asJournalError = (thrown: unknown): JournalError => {
  if (thrown instanceof JournalError) return thrown
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  return new JournalError(reasonOf(error), error.message, { cause: thrown })
}

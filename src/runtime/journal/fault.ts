/** The one way a journal fails: JOURNAL_UNAVAILABLE with a reason that a caller can act on, whatever SQLite, libsql or the file system has thrown. */

export type JournalFault =
  | 'full'
  | 'read-only'
  | 'corrupt'
  | 'truncated'
  | 'newer-schema'
  | 'newer-events'
  | 'not-openable'
  | 'busy'
  | 'behind'
  | 'fenced'
  | 'unheld'
  | 'key-used'
  | 'vanished'
  | 'closed'
  | 'unhandled'
  | 'failed'

const HINTS: Record<JournalFault, string> = {
  full: 'Free space on the disk that holds ~/.svc, or lower the retention, then try again.',
  'read-only': 'Make the journal directory writable for this user.',
  corrupt: 'Run svc journal repair: it exports what is readable and starts a new journal.',
  truncated: 'Run svc journal repair: it exports what is readable and starts a new journal.',
  'newer-schema': 'A newer svc wrote this journal: use that version, and restart the servers and daemons of this one.',
  'newer-events': 'A newer svc wrote to this actor: use that version, and restart the servers and daemons of this one.',
  'not-openable': 'Check that the journal directory exists and belongs to this user.',
  busy: 'Another process holds the journal for writing: try again.',
  behind: 'Another process wrote to this actor: read it again.',
  fenced: 'Another process owns this actor now: send the event to it.',
  unheld: 'See `GET /leases` for the reservations that are held.',
  'key-used': 'Ask for the receipt of the execution that has the key.',
  vanished: 'The journal file was removed or replaced while it was in use: try again.',
  closed: 'This journal was closed: open it again.',
  unhandled: 'Read the state of the actor: it does not accept this event now.',
  failed: 'Run svc doctor: it checks the journal and its disk.',
}

/** Thrown, because only an observer that throws keeps an event from taking effect. */
export class JournalError extends Error {
  readonly code = 'JOURNAL_UNAVAILABLE'
  readonly reason: JournalFault
  readonly hint: string

  constructor(reason: JournalFault, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'JournalError'
    this.reason = reason
    this.hint = HINTS[reason]
  }
}

/** The name of the trouble in /health while nothing can be recorded. */
export const UNWRITABLE = 'the journal cannot be written by this process'

/** Refused because of what was asked for: the journal itself is in order. */
const OF_CALLER: ReadonlySet<JournalFault> = new Set(['behind', 'fenced', 'unheld', 'key-used', 'unhandled', 'closed'])
export const isOfCaller = ({ reason }: JournalError): boolean => OF_CALLER.has(reason)

/** A row whose content cannot be read. Any other failure concerns the whole file. */
export const isDamage = (error: unknown): error is JournalError =>
  error instanceof JournalError && error.reason === 'corrupt'

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

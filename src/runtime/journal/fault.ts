/** The one way a journal fails: JOURNAL_UNAVAILABLE with a reason that a caller can act on. */

export type JournalFault =
  | 'full'
  | 'read-only'
  | 'corrupt'
  | 'truncated'
  | 'newer-schema'
  | 'not-openable'
  | 'busy'
  | 'behind'
  | 'fenced'
  | 'closed'
  | 'unhandled'
  | 'failed'

const HINTS: Record<JournalFault, string> = {
  full: 'free space on the disk that holds ~/.svc, or lower the retention, then try again',
  'read-only': 'make the journal directory writable for this user',
  corrupt: 'export what is readable and start a new journal',
  truncated: 'records that were written are gone; export what is readable and start a new journal',
  'newer-schema': 'a newer svc wrote this journal; use that version',
  'not-openable': 'check that the journal directory exists and belongs to this user',
  busy: 'another process holds the journal for writing; try again',
  behind: 'another process wrote to this actor; read it again',
  fenced: 'another process owns this actor now',
  closed: 'this journal was closed; open it again',
  unhandled: 'the actor cannot take this event in its present state',
  failed: 'see the message of the store',
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

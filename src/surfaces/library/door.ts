/** The way to a server: where the next request goes, and what may be said there. */
import type { Place } from '../../runtime/http-exchange.ts'
import type { SvcError } from './svc-error.ts'

export interface Door {
  /** For messages. */
  readonly name: string
  /** Only the socket of this user's own daemon believes an execution id that a caller chose. */
  readonly mayChooseIds: boolean
  /** Paths mean the same files to the server as to this process. */
  readonly sharesFiles: boolean
  /** Rejects with a `SvcError` where there is no server. */
  place(): Promise<Place>
  /** The place of a server that runs; starts none. */
  running(): Promise<Place | undefined>
  /** The place is no good any more; false where there can be no other. */
  forget(): boolean
  unreachable(why: string): SvcError
}

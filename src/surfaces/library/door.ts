/**
 * The way to a server: where the next request goes, and what may be said there; and that to `svc serve` at an
 * address.
 */

import type { Place } from '../../runtime/http-exchange.ts'
import { isVisible, misuse } from './options.ts'
import { SvcError } from './svc-error.ts'

const HINT = 'Start it with svc serve, or give connect the url of a server that runs.'

const refusedUrl = (text: string): SvcError =>
  new SvcError({
    code: 'USAGE',
    message: `The url ${JSON.stringify(text)} is not the address of a server: expected http://host:port or https://host:port.`,
    hint: HINT,
    dispatched: false,
  })

export const serverDoor = (text: string, token: string | undefined, sharesFiles = false): Door => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) throw refusedUrl(text)
  if (token !== undefined && !isVisible(token))
    throw misuse('The token must be ASCII characters without blanks or line breaks.')
  const place: Place = { url, headers: token ? { authorization: `Bearer ${token}` } : {} }
  return {
    name: url.origin,
    mayChooseIds: false,
    sharesFiles,
    place: async () => place,
    running: async () => place,
    forget: () => false,
    unreachable: why =>
      new SvcError({
        code: 'SERVER_UNREACHABLE',
        message: `No server answers at ${url.origin}: ${why}.`,
        hint: HINT,
        dispatched: false,
        retriable: true,
      }),
  }
}

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

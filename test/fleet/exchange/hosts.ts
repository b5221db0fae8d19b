/** What the tests of the exchange ask, and of whom. */

import { createExchange, type Exchange } from '../../../src/fleet/exchange/exchange.ts'
import type { Exchanged, FleetRequest } from '../../../src/fleet/exchange/request.ts'
import type { Wire } from '../../../src/fleet/exchange/wire.ts'
import type { FleetConnection } from '../../../src/fleet/servers/connection.ts'
import type { HttpAnswer } from '../../../src/service/http-transport.ts'
import { clock, names } from './server.ts'

export const encode = (text: string) => new TextEncoder().encode(text)
export const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

let requests = 0
export const requestOf = (given: Partial<FleetRequest> = {}): FleetRequest => ({
  id: `r${requests++}`,
  instance: 'i1',
  method: 'POST',
  path: '/execute?x=1',
  headers: { 'content-type': 'application/json' },
  body: encode('{}'),
  withinMs: 10_000,
  ...given,
})

export const ok = (body: string | Uint8Array = 'done'): HttpAnswer => ({
  status: 200,
  headers: {},
  body: typeof body === 'string' ? encode(body) : body,
})

export const alive = { isAlive: () => true }

/** The body of an answer, or what there is in its place. */
export const said = (exchanged: Exchanged): string =>
  exchanged.kind === 'done' ? decode(exchanged.answer.body) : exchanged.kind

/** Bytes of which each place can be told from the others. */
export const bytesOf = (length: number, seed = 1): Buffer => {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length; at += 4)
    bytes.writeUInt32LE((Math.imul(at + seed, 2_654_435_761) >>> 0) % 2 ** 32, Math.min(at, Math.max(0, length - 4)))
  return bytes
}

/** No connection is asked for anything but its wire. */
const NO_CONNECTION = {} as FleetConnection

export const hostOn = (wire: Wire, self: string): Exchange =>
  createExchange({ connection: NO_CONNECTION, wire, names, self, clock })

/** GET /executions in a fleet: the newest receipts of all hosts that answer. */
import type { IncomingMessage } from 'node:http'
import type { Receipt } from '../../contracts/receipt.ts'
import type { FleetFront } from '../../fleet/front.ts'
import { forward } from './forward.ts'

export interface AllReceiptsOptions {
  fleet: FleetFront
  incoming: IncomingMessage
  isPrivate: boolean
  deviceId: string | undefined
  limit: number
  /** Those of this host, newest first. */
  own: Iterable<Receipt>
}

const LIST_MS = 10_000
const HOSTS_AT_ONCE = 8

/** Which host is asked for the receipts of `S@H`, and under which serial. */
const targetOf = (fleet: FleetFront, deviceId: string | undefined): { host?: string; serial?: string } => {
  const at = deviceId?.lastIndexOf('@') ?? -1
  const host = at < 0 ? undefined : deviceId?.slice(at + 1)
  if (deviceId === undefined || host === undefined || !fleet.knows(host)) return {}
  return { host, serial: deviceId.slice(0, at) }
}

/** The serial under which this host knows the device, and whether it is asked at all. */
export const ownShare = (
  fleet: FleetFront,
  deviceId: string | undefined,
): { isAsked: boolean; deviceId: string | undefined } => {
  const { host, serial } = targetOf(fleet, deviceId)
  return { isAsked: host === undefined || host === fleet.host, deviceId: serial ?? deviceId }
}

const newestFirst = (a: Receipt, b: Receipt) => b.acceptedAt - a.acceptedAt || (a.executionId < b.executionId ? 1 : -1)

const readReceipts = (body: Uint8Array): Receipt[] => {
  const answer = JSON.parse(Buffer.from(body).toString()) as { executions?: Receipt[] }
  return Array.isArray(answer.executions) ? answer.executions : []
}

export const allReceipts = async (
  options: AllReceiptsOptions,
): Promise<{ receipts: Receipt[]; unreached: string[] }> => {
  const { fleet, incoming, isPrivate, deviceId, limit } = options
  const { host: only, serial } = targetOf(fleet, deviceId)
  const url = new URL(incoming.url ?? '/executions', 'http://localhost')
  if (serial !== undefined) url.searchParams.set('deviceId', serial)
  const asked = only === undefined ? fleet.others() : only === fleet.host ? [] : [only]
  const unreached: string[] = []
  let receipts: Receipt[] = []
  const add = (more: Iterable<Receipt>) => {
    receipts = [...receipts, ...more].sort(newestFirst).slice(0, limit)
  }
  const own: Receipt[] = []
  for (const receipt of options.own) {
    own.push(receipt)
    if (own.length === limit) break
  }
  add(own)
  const queue = [...asked]
  const worker = async () => {
    for (let host = queue.shift(); host !== undefined; host = queue.shift()) {
      const out = { method: 'GET', path: `${url.pathname}${url.search}`, withinMs: LIST_MS }
      const outcome = await forward(host, out, { fleet, incoming, isPrivate })
      if (outcome.kind === 'answered' && outcome.response.status === 200) add(readReceipts(outcome.body))
      else unreached.push(host)
    }
  }
  await Promise.all(Array.from({ length: HOSTS_AT_ONCE }, worker))
  return { receipts, unreached: unreached.sort() }
}

/** The newest receipts of all hosts of a fleet that answer. */
import { LIST_LIMIT } from '../../contracts/limits.ts'
import type { Receipt } from '../../contracts/receipt.ts'
import type { FleetFront } from '../../fleet/front.ts'
import type { ReceiptQuery } from '../../runtime/journal/journal.ts'
import { type ForwardOptions, forward } from './forward.ts'

export interface AllReceiptsOptions extends ForwardOptions {
  /** Those of this host, newest first. */
  own(query: ReceiptQuery): Promise<Iterable<Receipt>>
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

const newestFirst = (a: Receipt, b: Receipt) => b.acceptedAt - a.acceptedAt || (a.executionId < b.executionId ? 1 : -1)

const readReceipts = (body: Uint8Array): Receipt[] => {
  const answer = JSON.parse(Buffer.from(body).toString()) as { executions?: Receipt[] }
  return Array.isArray(answer.executions) ? answer.executions : []
}

const taken = (receipts: Iterable<Receipt>, limit: number): Receipt[] => {
  const first: Receipt[] = []
  for (const receipt of receipts) {
    if (first.length === limit) break
    first.push(receipt)
  }
  return first
}

export const allReceipts = async (
  asked: ReceiptQuery,
  { own, ...options }: AllReceiptsOptions,
): Promise<{ receipts: Receipt[]; unreached: string[] }> => {
  const { fleet } = options
  const { host: only, serial } = targetOf(fleet, asked.deviceId)
  const { limit = LIST_LIMIT.default } = asked
  const query = { ...asked, limit, ...(serial === undefined ? {} : { deviceId: serial }) }
  const parameters = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))
  const out = { method: 'GET', path: `/executions?${parameters}`, withinMs: LIST_MS }
  const unreached: string[] = []
  let receipts: Receipt[] = []
  const add = (more: readonly Receipt[]) => {
    receipts = [...receipts, ...more].sort(newestFirst).slice(0, limit)
  }
  if (only === undefined || only === fleet.host) add(taken(await own(query), limit))
  const queue = only === undefined ? fleet.others() : only === fleet.host ? [] : [only]
  const worker = async () => {
    for (let host = queue.shift(); host !== undefined; host = queue.shift()) {
      const outcome = await forward(host, out, options)
      if (outcome.kind === 'answered' && outcome.response.status === 200) add(readReceipts(outcome.body))
      else unreached.push(host)
    }
  }
  await Promise.all(Array.from({ length: HOSTS_AT_ONCE }, worker))
  return { receipts, unreached: unreached.sort() }
}

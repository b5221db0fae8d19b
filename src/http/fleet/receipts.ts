/** The newest receipts of all hosts of a fleet that answer. */

import type { Unanswered } from '../../contracts/fleet.ts'
import { LIST_LIMIT } from '../../contracts/limits.ts'
import type { Receipt } from '../../contracts/receipt.ts'
import type { FleetFront } from '../../fleet/front.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { ReceiptQuery } from '../../runtime/journal/journal.ts'
import { type ForwardOptions, forward } from './forward.ts'

export interface AllReceiptsOptions extends ForwardOptions {
  clock: Clock
  /** The receipts of this host, newest first. */
  own(query: ReceiptQuery): Promise<Iterable<Receipt>>
}

/** Bounds the listing over all hosts together. */
const LIST_MS = 10_000
const HOSTS_AT_ONCE = 8

/** Finds the host and the serial to ask for the receipts of `S@H`. */
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

const codeIn = (body: Uint8Array): string => {
  try {
    const { error } = JSON.parse(Buffer.from(body).toString()) as { error?: { code?: unknown } }
    return typeof error?.code === 'string' ? error.code : 'INTERNAL_ERROR'
  } catch {
    return 'INTERNAL_ERROR'
  }
}

/** Hosts that need not be asked, since nobody hears them, or this one is cut off. */
export const unheard = (fleet: FleetFront): Unanswered[] =>
  fleet.isUp()
    ? fleet.silent().map(host => ({ host, code: 'FLEET_HOST_GONE' }))
    : [...fleet.others(), ...fleet.silent()].map(host => ({ host, code: 'FLEET_UNREACHABLE' }))

export const byHost = (a: Unanswered, b: Unanswered): number => (a.host < b.host ? -1 : 1)

export const allReceipts = async (
  asked: ReceiptQuery,
  { own, clock, ...options }: AllReceiptsOptions,
): Promise<{ receipts: Receipt[]; unanswered: Unanswered[] }> => {
  const { fleet } = options
  const { host: only, serial } = targetOf(fleet, asked.deviceId)
  const { limit = LIST_LIMIT.default } = asked
  const query = { ...asked, limit, ...(serial === undefined ? {} : { deviceId: serial }) }
  const parameters = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))
  const until = clock.elapsed() + LIST_MS
  const isMeant = (host: string) => only === undefined || only === host
  const unanswered = unheard(fleet).filter(({ host }) => isMeant(host))
  let receipts: Receipt[] = []
  const add = (more: readonly Receipt[]) => {
    receipts = [...receipts, ...more].sort(newestFirst).slice(0, limit)
  }
  const ask = async (host: string): Promise<void> => {
    const withinMs = Math.floor(until - clock.elapsed())
    if (withinMs <= 0) return void unanswered.push({ host, code: 'FLEET_HOST_GONE' })
    const outcome = await forward(host, { method: 'GET', path: `/executions?${parameters}`, withinMs }, options)
    if (outcome.kind === 'refused') return void unanswered.push({ host, code: outcome.error.code })
    if (outcome.response.status !== 200) return void unanswered.push({ host, code: codeIn(outcome.body) })
    add(readReceipts(outcome.body))
  }
  const queue = fleet.isUp() ? fleet.others().filter(isMeant) : []
  const worker = async () => {
    for (let host = queue.shift(); host !== undefined; host = queue.shift()) await ask(host)
  }
  const asking = Promise.all(Array.from({ length: HOSTS_AT_ONCE }, worker))
  if (isMeant(fleet.host)) add(taken(await own(query), limit))
  await asking
  return { receipts, unanswered: unanswered.sort(byHost) }
}

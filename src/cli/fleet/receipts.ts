/** The receipts of a fleet: listed over all hosts, found and cancelled wherever they are. */
import type { FleetStatus, Unanswered } from '../../contracts/fleet.ts'
import type { Receipt } from '../../contracts/receipt.ts'
import type { FleetClient } from '../../fleet/client.ts'
import type { Call, CommandResult } from '../command.ts'
import { unreached } from './execute.ts'
import { askFleet, hostIn, jsonOf, LIST_WITHIN_MS, warnOfUnanswered } from './request.ts'
import { inFleet, interruptedEarly, NOBODY_ANSWERS, unreachableError } from './session.ts'

export interface ListQuery {
  deviceId?: string
  commandId?: string
  skillRunId?: string
  limit: number
}

type Listed = { ok: true; executions: Receipt[]; unanswered?: Unanswered[] } | { ok: false; output: unknown }

const failedWith = (output: unknown): CommandResult => ({ ok: false, output })

/** Hosts that nobody hears: what they have is not known. */
const goneIn = async (client: FleetClient, call: Call): Promise<string[]> => {
  const said = jsonOf(await askFleet(client, { method: 'GET', path: '/fleet' }, call))
  if (!said.ok) return []
  const { hosts } = said.json as unknown as FleetStatus
  return hosts.filter(({ state }) => state === 'gone').map(({ host }) => host)
}

const listOf = async (client: FleetClient, query: ListQuery, call: Call): Promise<Listed | undefined> => {
  const named = hostIn(client, query.deviceId)?.host
  const parameters = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))
  const path = `/executions?${parameters}`
  const asked = await askFleet(client, { method: 'GET', path, first: named, withinMs: LIST_WITHIN_MS }, call)
  if (asked.kind === 'untaken') return undefined
  const said = jsonOf(asked)
  if (!said.ok) return { ok: false, output: said.error }
  const { executions, unanswered } = said.json
  return { ok: true, executions: executions as Receipt[], ...warnOfUnanswered(unanswered, call) }
}

/** Undefined when the fleet cannot be reached and the device is connected to this machine. */
export const listInFleet = async (query: ListQuery, call: Call): Promise<CommandResult | undefined> => {
  const done = await inFleet(call, client => listOf(client, query, call))
  if (done.kind === 'interrupted') return failedWith(interruptedEarly())
  const listed = done.kind === 'done' ? done.value : undefined
  if (!listed) return unreached(done.kind === 'unreachable' ? done.why : NOBODY_ANSWERS, query.deviceId, call)
  if (!listed.ok) return failedWith(listed.output)
  const { ok: _, executions, ...rest } = listed
  return { ok: true, output: { executions, count: executions.length, ...rest } }
}

/** Reads the receipt that the fleet keeps, for when no host can be asked. */
const kept = async (client: FleetClient, executionId: string): Promise<Receipt | undefined> => {
  try {
    return await client.mirrored(executionId)
  } catch {
    return undefined
  }
}

export type ReceiptFound =
  | { kind: 'found'; execution: unknown }
  | { kind: 'unknown'; gone: readonly string[] }
  | { kind: 'failed'; output: unknown }

const findOne = async (
  client: FleetClient,
  method: 'GET' | 'DELETE',
  executionId: string,
  call: Call,
): Promise<ReceiptFound> => {
  const asked = await askFleet(
    client,
    { method, path: `/executions/${encodeURIComponent(executionId)}`, executionId },
    call,
  )
  if (asked.kind === 'untaken' && method === 'GET') {
    const execution = await kept(client, executionId)
    if (execution) return { kind: 'found', execution }
  }
  const said = jsonOf(asked)
  if (said.ok) return { kind: 'found', execution: { ...(said.json.execution as Receipt), host: said.host } }
  if (said.error.code !== 'EXECUTION_NOT_FOUND') return { kind: 'failed', output: said.error }
  return { kind: 'unknown', gone: await goneIn(client, call) }
}

/** `GET` shows it, `DELETE` cancels it. */
export const receiptInFleet = async (
  method: 'GET' | 'DELETE',
  executionId: string,
  call: Call,
): Promise<ReceiptFound> => {
  const done = await inFleet(call, client => findOne(client, method, executionId, call))
  if (done.kind === 'interrupted') return { kind: 'failed', output: interruptedEarly() }
  return done.kind === 'done' ? done.value : { kind: 'failed', output: unreachableError(done.why) }
}

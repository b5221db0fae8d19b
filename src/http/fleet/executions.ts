/** Executions for callers that come by no route of their own (MCP): on whichever host of the fleet the device is. */
import { CALLER_HEADER, CONFIRMED_HEADER } from '../../contracts/daemon-headers.ts'
import type { ExecutionResult } from '../../contracts/execution-result.ts'
import { EXECUTION_ID_HEADER } from '../../contracts/literals.ts'
import { SKILL_RUN_HEADER } from '../../contracts/skill-run-id.ts'
import type { Executed, ExecuteRequest } from '../../executions/execute.ts'
import type { Cancelled, Executions } from '../../executions/service.ts'
import type { FleetFront, FleetRow } from '../../fleet/front.ts'
import { withinOf } from '../../fleet/patience.ts'
import type { StoredReceipt } from '../../runtime/journal/journal.ts'
import type { HttpDeps } from '../deps.ts'
import { type Asking, forward } from './forward.ts'
import { fetchPictures } from './pictures.ts'

const LOOK_MS = 10_000

const askingFor = ({ caller, confirmed, skillRunId }: Partial<ExecuteRequest>): Asking => ({
  headers: {
    ...(caller === undefined ? {} : { [CALLER_HEADER]: caller }),
    ...(confirmed === undefined ? {} : { [CONFIRMED_HEADER]: confirmed.map(encodeURIComponent).join(',') }),
    ...(skillRunId === undefined ? {} : { [SKILL_RUN_HEADER.toLowerCase()]: skillRunId }),
  },
})

const bodyOf = ({ execution, operatorPackage, view }: ExecuteRequest, deviceId: string) => ({
  execution,
  deviceId,
  ...(operatorPackage === undefined ? {} : { operatorPackage }),
  ...view,
})

const readJson = <T>(body: Uint8Array): T => JSON.parse(Buffer.from(body).toString()) as T

export const fleetExecutions = (deps: HttpDeps, fleet: FleetFront): Executions => {
  const { executions } = deps

  const elsewhere = async (row: FleetRow, request: ExecuteRequest): Promise<Executed> => {
    const incoming = askingFor(request)
    const chosen = fleet.newExecutionId()
    const path = '/execute'
    const body = bodyOf(request, row.serial)
    const out = {
      method: 'POST',
      path,
      body,
      withinMs: withinOf(path, body),
      executionId: chosen,
      epoch: row.epoch,
    }
    request.onRequested?.({ executionId: chosen, deviceId: row.serial })
    // Who asks is this process: what it says of its caller is believed there.
    const outcome = await forward(row.host, out, { fleet, incoming, isPrivate: true })
    if (outcome.kind === 'refused')
      return { executionId: chosen, deviceId: row.serial, result: { ok: false, error: outcome.error } }
    const where = { host: row.host, folder: request.screenshots.newFilesIn, fleet, incoming, isPrivate: true }
    const response = await fetchPictures(outcome, { body: {}, paths: new Map() }, where)
    const executionId = response.headers.get(EXECUTION_ID_HEADER) ?? undefined
    const result = (await response.json()) as ExecutionResult
    return { ...(executionId === undefined ? {} : { executionId }), deviceId: row.serial, result }
  }

  /** Another host that has the execution, and its receipt. */
  const found = async (executionId: string): Promise<{ host: string; receipt: StoredReceipt } | undefined> => {
    const mirrored = await fleet.mirrored(executionId).catch(() => undefined)
    const path = `/executions/${encodeURIComponent(executionId)}`
    for (const host of mirrored?.host === undefined ? fleet.others() : [mirrored.host]) {
      const outcome = await forward(
        host,
        { method: 'GET', path, withinMs: LOOK_MS },
        { fleet, incoming: askingFor({}), isPrivate: true },
      )
      if (outcome.kind !== 'answered' || outcome.response.status !== 200) continue
      return { host, receipt: readJson<{ execution: StoredReceipt }>(outcome.body).execution }
    }
    return mirrored?.host === undefined ? undefined : { host: mirrored.host, receipt: mirrored }
  }

  const cancelElsewhere = async (executionId: string): Promise<Cancelled> => {
    const known = await found(executionId)
    if (!known) return { kind: 'unknown' }
    const path = `/executions/${encodeURIComponent(executionId)}`
    const out = { method: 'DELETE', path, withinMs: LOOK_MS }
    const outcome = await forward(known.host, out, { fleet, incoming: askingFor({}), isPrivate: true })
    if (outcome.kind !== 'answered' || outcome.response.status !== 200) {
      return { kind: 'elsewhere', receipt: known.receipt, pid: undefined }
    }
    const { execution: receipt } = readJson<{ execution: StoredReceipt }>(outcome.body)
    const isCancelled = receipt.result?.ok === false && receipt.result.error.code === 'EXECUTION_CANCELLED'
    return { kind: isCancelled ? 'cancelled' : 'settled', receipt }
  }

  return {
    ...executions,
    async execute(request) {
      const placed = fleet.place(request.deviceId)
      if (!placed.ok) return fleet.isUp() ? { result: placed } : executions.execute(request)
      const [row] = placed.candidates
      if (row.host !== fleet.host) return elsewhere(row, request)
      return executions.execute({ ...request, deviceId: row.serial })
    },
    receipt: async executionId => (await executions.receipt(executionId)) ?? (await found(executionId))?.receipt,
    async cancel(executionId) {
      const cancelled = await executions.cancel(executionId)
      return cancelled.kind === 'unknown' ? cancelElsewhere(executionId) : cancelled
    },
  }
}

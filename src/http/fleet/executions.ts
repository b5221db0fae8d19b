/** Executions for callers that come by no route of their own (MCP): on whichever host of the fleet the device is. */
import type { ExecutionResult } from '../../contracts/execution-result.ts'
import { unansweredField } from '../../contracts/fleet.ts'
import { EXECUTION_ID_HEADER } from '../../contracts/headers.ts'
import type { RequestContext } from '../../contracts/request-context.ts'
import { cancelledEarly } from '../../executions/cancelled.ts'
import type { Executed, ExecuteRequest, Forwarded } from '../../executions/execute.ts'
import type { Cancelled, Executions } from '../../executions/service.ts'
import type { Progress } from '../../fleet/exchange/request.ts'
import type { FleetFront, FleetRow } from '../../fleet/front.ts'
import { withinOf } from '../../fleet/patience.ts'
import { mayGoElsewhere } from '../../fleet/refusals.ts'
import type { StoredReceipt } from '../../runtime/journal/journal.ts'
import type { HttpDeps } from '../deps.ts'
import { onFirstFree } from './candidates.ts'
import { forward } from './forward.ts'
import { locate, receiptRoute } from './locate.ts'
import { fetchPictures } from './pictures.ts'
import { placeDevice } from './place-device.ts'
import { allReceipts } from './receipts.ts'

const ASK_MS = 10_000
const NOT_FOUND = 404

/** The context that another host is sent for a caller of this process. */
export const contextOf = ({ caller = 'http', confirmed, skillRunId }: Partial<ExecuteRequest>): RequestContext => ({
  caller,
  confirmed,
  skillRunId,
})

const bodyOf = ({ execution, operatorPackage, view }: ExecuteRequest, deviceId: string) => ({
  execution,
  deviceId,
  ...(operatorPackage === undefined ? {} : { operatorPackage }),
  ...view,
})

const receiptIn = (body: Uint8Array): StoredReceipt =>
  (JSON.parse(Buffer.from(body).toString()) as { execution: StoredReceipt }).execution

export const fleetExecutions = (deps: HttpDeps, fleet: FleetFront): Executions => {
  const { executions, clock } = deps
  const elsewhere = async (row: FleetRow, request: ExecuteRequest): Promise<Executed> => {
    const context = contextOf(request)
    const chosen = fleet.newExecutionId()
    const told = (state: Forwarded['state']) => request.onForwarded?.({ executionId: chosen, host: row.host, state })
    const path = '/execute'
    const body = bodyOf(request, row.serial)
    const out = {
      method: 'POST',
      path,
      body,
      withinMs: withinOf(path, body),
      executionId: chosen,
      epoch: row.epoch,
      signal: request.cancel,
      onProgress: ({ dispatched }: Progress) => told(dispatched ? 'dispatched' : 'accepted'),
    }
    told('asked')
    const outcome = await forward(row.host, out, { fleet, context })
    if (outcome.kind === 'refused') {
      const isCancelled = request.cancel?.aborted === true && outcome.error.details?.dispatched === false
      const error = isCancelled ? cancelledEarly() : outcome.error
      return { executionId: chosen, deviceId: row.serial, result: { ok: false, error } }
    }
    const where = { host: row.host, folder: request.screenshots.newFilesIn, fleet, context }
    const response = await fetchPictures(outcome, { body: {}, paths: new Map() }, where)
    const executionId = response.headers.get(EXECUTION_ID_HEADER) ?? undefined
    const result = (await response.json()) as ExecutionResult
    return { ...(executionId === undefined ? {} : { executionId }), deviceId: row.serial, result }
  }

  const asking = { fleet, context: contextOf({}) }

  const ask = (method: 'GET' | 'DELETE', host: string, executionId: string) =>
    forward(host, { method, path: receiptRoute(executionId), withinMs: ASK_MS }, asking)

  const receiptElsewhere = async (executionId: string): Promise<StoredReceipt | undefined> => {
    const located = await locate(executionId, asking)
    if (!located) return undefined
    const outcome = await ask('GET', located.host, executionId)
    return outcome.kind === 'answered' && outcome.response.status === 200 ? receiptIn(outcome.body) : located.mirrored
  }

  /** Rejects when the host does not do it. */
  const cancelAt = async (host: string, executionId: string): Promise<Cancelled> => {
    const outcome = await ask('DELETE', host, executionId)
    if (outcome.kind === 'refused') throw new Error(outcome.error.message)
    const { status } = outcome.response
    if (status === NOT_FOUND) return { kind: 'unknown' }
    if (status !== 200) throw new Error(`host ${host} answered with status ${status}`)
    const receipt = receiptIn(outcome.body)
    const isCancelled = receipt.result?.ok === false && receipt.result.error.code === 'EXECUTION_CANCELLED'
    return { kind: isCancelled ? 'cancelled' : 'settled', receipt }
  }

  return {
    ...executions,
    async execute(request) {
      const placing = await placeDevice(request.deviceId, { fleet, listDevices: deps.listDevices })
      if (placing.kind === 'refused') return { result: { ok: false, error: placing.error } }
      if (placing.kind === 'here')
        return executions.execute({ ...request, deviceId: placing.serial ?? request.deviceId })
      return onFirstFree(placing.candidates, {
        sending: fleet.sending,
        run: row =>
          row.host === fleet.host ? executions.execute({ ...request, deviceId: row.serial }) : elsewhere(row, request),
        mayGoOn: ({ result, executionId }) => !result.ok && mayGoElsewhere(result.error, executionId),
      })
    },
    async receipts(query) {
      const { receipts, unanswered } = await allReceipts(query, { ...asking, clock, own: executions.receipts })
      return Object.assign(receipts, unansweredField(unanswered))
    },
    receipt: async executionId => (await executions.receipt(executionId)) ?? receiptElsewhere(executionId),
    async cancel(executionId) {
      const isHere = deps.journal.receipt(executionId) !== undefined || executions.isHere(executionId)
      const located = isHere ? undefined : await locate(executionId, asking)
      return located ? cancelAt(located.host, executionId) : executions.cancel(executionId)
    },
  }
}

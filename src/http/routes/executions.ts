/** The receipts of accepted executions: listed, looked up, cancelled while they run, and resumed once they are over. */

import type { IncomingMessage } from 'node:http'
import type { ErrorObject } from '../../contracts/error.ts'
import { failure } from '../../contracts/failures.ts'
import type { Unanswered } from '../../contracts/fleet.ts'
import { ExecutionsQuery, ResumeBody } from '../../contracts/http.ts'
import type { Receipt, ReceiptResponse } from '../../contracts/receipt.ts'
import { type RequestContext, readContext } from '../../contracts/request-context.ts'
import type { Cancelled } from '../../executions/service.ts'
import type { FleetFront } from '../../fleet/front.ts'
import type { ReceiptQuery, StoredReceipt } from '../../runtime/journal/journal.ts'
import { answer, refuse } from '../answer.ts'
import { answerPieces } from '../answer-pieces.ts'
import { isFromFleet } from '../fleet/gate-request.ts'
import { allReceipts } from '../fleet/receipts.ts'
import { readBody } from '../json-body.ts'
import type { RouteContext, RouteModule } from '../module.ts'
import { namedDevice, perform } from '../perform.ts'
import { readQuery } from '../query.ts'
import { withoutKey } from './snapshot.ts'

type Shown = (receipt: StoredReceipt) => Receipt

/** Hides the internal fields of a receipt; in a fleet, adds the host that has it. */
const shownBy =
  (host: string | undefined): Shown =>
  ({ skillRunId: _, idempotency: __, ...receipt }) =>
    host === undefined ? receipt : { ...receipt, host }

const one = (receipt: Receipt): Response => {
  const response: ReceiptResponse = { ok: true, execution: receipt }
  return answer(response)
}

/** A ReceiptsResponse as JSON, receipt by receipt. */
function* listPieces(receipts: Iterable<Receipt>, unanswered: readonly Unanswered[]): Generator<string> {
  let count = 0
  yield '{"ok":true,"executions":['
  for (const receipt of receipts) {
    yield `${count === 0 ? '' : ','}${JSON.stringify(receipt)}`
    count += 1
  }
  const unheard = unanswered.length === 0 ? '' : `,"unanswered":${JSON.stringify(unanswered)}`
  yield `],"count":${count}${unheard}}`
}

const notFound = (executionId: string): Response =>
  refuse(failure('EXECUTION_NOT_FOUND', 'No receipt has this execution id.', { details: { executionId } }))

const heldElsewhere = ({ receipt, pid }: Cancelled & { kind: 'elsewhere' }): ErrorObject => {
  const { executionId, commandId, deviceId, acceptedAt } = receipt
  return failure(
    'EXECUTION_CONFLICT_IN_FLIGHT',
    'The process that runs this execution has not answered the request to cancel it.',
    {
      details: { deviceId, holder: { pid, executionId, commandId, since: acceptedAt } },
    },
  )
}

const cancelAnswer = (cancelled: Cancelled, executionId: string, shown: Shown): Response => {
  if (cancelled.kind === 'unknown') return notFound(executionId)
  return cancelled.kind === 'elsewhere' ? refuse(heldElsewhere(cancelled)) : one(shown(cancelled.receipt))
}

function* each(receipts: Iterable<StoredReceipt>, shown: Shown): Generator<Receipt> {
  for (const receipt of receipts) yield shown(receipt)
}

/** A blank deviceId counts as not given, here too. */
const withoutBlankDevice = ({ deviceId, ...rest }: ReceiptQuery): ReceiptQuery =>
  deviceId === undefined || deviceId.trim() === '' ? rest : { deviceId, ...rest }

const PATH = '/executions/:executionId'
const RESUME = `${PATH}/resume`

const resume = async (executionId: string, incoming: IncomingMessage, context: RouteContext): Promise<Response> => {
  const { deps } = context
  const read = await readBody(incoming, ResumeBody, { ...deps, mayBeAbsent: true })
  if (!read.ok) return refuse(read.error)
  const asked = readContext(incoming.headers, deps)
  if (!asked.ok) return refuse(asked.error)
  const resumption = await deps.executions.resumption(executionId, read.body.fromStep)
  if (!resumption.ok) return refuse(resumption.error)
  const { execution, resumes, screenshots, ...receipt } = resumption.request
  return perform(context, {
    execution,
    input: execution,
    deviceId: namedDevice(read.body.deviceId) ?? receipt.deviceId,
    operatorPackage: read.body.operatorPackage ?? receipt.operatorPackage ?? null,
    resumed: { resumes, screenshots },
    context: withoutKey(asked.context),
  })
}

export const executionRoutes: RouteModule = {
  mount(app, context) {
    const { executions, clock, fleet } = context.deps
    const shown = shownBy(fleet?.host)

    const listOf = async (query: ReceiptQuery) => each(await executions.receipts(withoutBlankDevice(query)), shown)

    const listOfFleet = (asked: RequestContext, query: ReceiptQuery, front: FleetFront) =>
      allReceipts(withoutBlankDevice(query), { fleet: front, context: asked, clock, own: listOf })

    app.get('/executions', async c => {
      const read = readQuery(c.env.incoming.url ?? '', ExecutionsQuery)
      if (!read.ok) return refuse(read.error)
      const asked = readContext(c.env.incoming.headers, context.deps)
      if (!asked.ok) return refuse(asked.error)
      const all = fleet && !isFromFleet(asked.context) ? fleet : undefined
      if (!all) return answerPieces(listPieces(await listOf(read.query), []), clock)
      const { receipts, unanswered } = await listOfFleet(asked.context, read.query, all)
      return answerPieces(listPieces(receipts, unanswered), clock)
    })
    app.get(PATH, async c => {
      const executionId = c.req.param('executionId')
      const receipt = await executions.receipt(executionId)
      return receipt ? one(shown(receipt)) : notFound(executionId)
    })
    app.delete(PATH, async c => {
      const executionId = c.req.param('executionId')
      return cancelAnswer(await executions.cancel(executionId), executionId, shown)
    })
    app.post(RESUME, c => resume(c.req.param('executionId'), c.env.incoming, context))
  },
}

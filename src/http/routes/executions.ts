/** The receipts of accepted executions: listed, looked up, cancelled while they run, and resumed once they are over. */
import type { IncomingMessage } from 'node:http'
import { ANSWER_WITHIN_HEADER } from '../../contracts/daemon-headers.ts'
import type { ErrorObject } from '../../contracts/error.ts'
import { failure } from '../../contracts/failures.ts'
import { ExecutionsQuery, ResumeBody } from '../../contracts/http.ts'
import type { Receipt, ReceiptResponse } from '../../contracts/receipt.ts'
import type { Unanswered } from '../../contracts/unanswered.ts'
import type { Cancelled } from '../../executions/service.ts'
import type { FleetFront } from '../../fleet/front.ts'
import type { ReceiptQuery, StoredReceipt } from '../../runtime/journal/journal.ts'
import { answer, refuse } from '../answer.ts'
import { answerPieces } from '../answer-pieces.ts'
import { isFromFleet } from '../fleet/gate-request.ts'
import { allReceipts } from '../fleet/receipts.ts'
import { readBody } from '../json-body.ts'
import type { RouteContext, RouteModule } from '../module.ts'
import { namedDevice, perform, readFrom, readSkillRun } from '../perform.ts'
import { readQuery } from '../query.ts'

type Shown = (receipt: StoredReceipt) => Receipt

/** What callers see of a receipt; in a fleet, with the host that has it. */
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
  const skillRun = readSkillRun(incoming)
  if (!skillRun.ok) return refuse(skillRun.error)
  const resumption = await deps.executions.resumption(executionId, read.body.fromStep)
  if (!resumption.ok) return refuse(resumption.error)
  const { execution, resumes, screenshots, ...receipt } = resumption.request
  const within = incoming.headers[ANSWER_WITHIN_HEADER]
  return perform(context, {
    execution,
    input: execution,
    deviceId: namedDevice(read.body.deviceId) ?? receipt.deviceId,
    operatorPackage: read.body.operatorPackage ?? receipt.operatorPackage ?? null,
    skillRunId: skillRun.skillRunId,
    resumed: { resumes, screenshots },
    answerWithin: typeof within === 'string' ? within : undefined,
    from: readFrom(incoming, deps),
  })
}

export const executionRoutes: RouteModule = {
  mount(app, context) {
    const { executions, clock, fleet, isPrivate } = context.deps
    const shown = shownBy(fleet?.host)

    const listOf = async (query: ReceiptQuery) => each(await executions.receipts(withoutBlankDevice(query)), shown)

    const listOfFleet = async (incoming: IncomingMessage, query: ReceiptQuery, front: FleetFront) => {
      const options = { fleet: front, incoming, isPrivate, clock, own: listOf }
      return allReceipts(withoutBlankDevice(query), options)
    }

    app.get('/executions', async c => {
      const read = readQuery(c.env.incoming.url ?? '', ExecutionsQuery)
      if (!read.ok) return refuse(read.error)
      const all = fleet && !isFromFleet(c.env.incoming, context.deps) ? fleet : undefined
      if (!all) return answerPieces(listPieces(await listOf(read.query), []), clock)
      const { receipts, unanswered } = await listOfFleet(c.env.incoming, read.query, all)
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

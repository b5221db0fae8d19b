/** The receipts of accepted executions: listed, looked up, and cancelled while they run. */
import type { ErrorObject } from '../../contracts/error.ts'
import { failure } from '../../contracts/failures.ts'
import { ExecutionsQuery } from '../../contracts/http.ts'
import type { Receipt, ReceiptResponse } from '../../contracts/receipt.ts'
import type { Cancelled } from '../../executions/service.ts'
import type { ReceiptQuery, StoredReceipt } from '../../runtime/journal/journal.ts'
import { answer, refuse } from '../answer.ts'
import { answerPieces } from '../answer-pieces.ts'
import type { RouteModule } from '../module.ts'
import { readQuery } from '../query.ts'

const shown = ({ skillRunId: _, idempotency: __, ...receipt }: StoredReceipt): Receipt => receipt

const one = (receipt: StoredReceipt): Response => {
  const response: ReceiptResponse = { ok: true, execution: shown(receipt) }
  return answer(response)
}

/** A ReceiptsResponse as JSON, receipt by receipt. */
function* listPieces(receipts: Iterable<StoredReceipt>): Generator<string> {
  let count = 0
  yield '{"ok":true,"executions":['
  for (const receipt of receipts) {
    yield `${count === 0 ? '' : ','}${JSON.stringify(shown(receipt))}`
    count += 1
  }
  yield `],"count":${count}}`
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

const cancelAnswer = (cancelled: Cancelled, executionId: string): Response => {
  if (cancelled.kind === 'unknown') return notFound(executionId)
  return cancelled.kind === 'elsewhere' ? refuse(heldElsewhere(cancelled)) : one(cancelled.receipt)
}

/** A blank deviceId counts as not given, here too. */
const withoutBlankDevice = ({ deviceId, ...rest }: ReceiptQuery): ReceiptQuery =>
  deviceId === undefined || deviceId.trim() === '' ? rest : { deviceId, ...rest }

const PATH = '/executions/:executionId'

export const executionRoutes: RouteModule = {
  tag: 'Executions',
  operations: [
    {
      method: 'get',
      path: '/executions',
      summary: 'The receipts of accepted executions, newest first.',
      query: 'ExecutionsQuery',
      answers: 'ReceiptsResponse',
      failures: ['INVALID_QUERY', 'JOURNAL_UNAVAILABLE'],
    },
    {
      method: 'get',
      path: PATH,
      summary: 'The receipt of one execution.',
      answers: 'ReceiptResponse',
      failures: ['EXECUTION_NOT_FOUND', 'JOURNAL_UNAVAILABLE'],
    },
    {
      method: 'delete',
      path: PATH,
      summary: 'Stops waiting for an execution; for one that has already ended, returns its receipt.',
      answers: 'ReceiptResponse',
      failures: ['EXECUTION_NOT_FOUND', 'EXECUTION_CONFLICT_IN_FLIGHT', 'JOURNAL_UNAVAILABLE'],
    },
  ],
  mount(app, { deps: { executions, clock } }) {
    app.get('/executions', async c => {
      const read = readQuery(c.env.incoming.url ?? '', ExecutionsQuery)
      if (!read.ok) return refuse(read.error)
      return answerPieces(listPieces(await executions.receipts(withoutBlankDevice(read.query))), clock)
    })
    app.get(PATH, async c => {
      const executionId = c.req.param('executionId')
      const receipt = await executions.receipt(executionId)
      return receipt ? one(receipt) : notFound(executionId)
    })
    app.delete(PATH, async c => {
      const executionId = c.req.param('executionId')
      return cancelAnswer(await executions.cancel(executionId), executionId)
    })
  },
}

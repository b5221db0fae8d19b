/** Executions without devices: what is asked is kept, what is answered is the test's to say. */
import type { ExecutionResult } from '../../src/contracts/execution-result.ts'
import type { Executed, ExecuteRequest } from '../../src/executions/execute.ts'
import type { Cancelled, ExecutedOnce, Executions } from '../../src/executions/service.ts'
import type { ReceiptQuery, StoredReceipt } from '../../src/runtime/journal/journal.ts'

export interface FakeExecutions extends Executions {
  requests: ExecuteRequest[]
  keys: string[]
  queries: ReceiptQuery[]
  answer: (request: ExecuteRequest) => Executed | Promise<Executed>
  answerOnce: ((key: string, request: ExecuteRequest) => ExecutedOnce | Promise<ExecutedOnce>) | undefined
  answerCancel: (executionId: string) => Cancelled
  kept: StoredReceipt[]
}

export const successOf = (request: ExecuteRequest, text = '<hierarchy rotation="0"/>'): ExecutionResult => {
  const { commandId, taskId, actions } = request.execution
  return {
    ok: true,
    deviceId: request.deviceId ?? 'd1',
    terminalSource: 'svc_result',
    envelope: {
      commandId,
      taskId,
      status: 'success',
      stepResults: actions.map(({ id, type }) => ({ id, actionType: type, success: true, data: { text } })),
      error: null,
    },
  }
}

export const refusedWith = (code: string, more: Partial<Executed> = {}): Executed => ({
  result: { ok: false, error: { code, message: `It is ${code}.`, retriable: false } },
  ...more,
})

export const fakeExecutions = (): FakeExecutions => {
  let ran = 0
  const fake: FakeExecutions = {
    requests: [],
    keys: [],
    queries: [],
    kept: [],
    answer: request => {
      ran += 1
      const executionId = request.executionId ?? `e${ran}`
      return { executionId, deviceId: request.deviceId ?? 'd1', result: successOf(request) }
    },
    answerOnce: undefined,
    answerCancel: () => ({ kind: 'unknown' }),
    async execute(request) {
      fake.requests.push(request)
      return fake.answer(request)
    },
    async executeOnce(key, request) {
      fake.keys.push(key)
      fake.requests.push(request)
      return fake.answerOnce ? fake.answerOnce(key, request) : { kind: 'executed', ...(await fake.answer(request)) }
    },
    cancel: async executionId => fake.answerCancel(executionId),
    receipt: executionId => fake.kept.find(receipt => receipt.executionId === executionId),
    receipts: query => {
      fake.queries.push(query)
      return fake.kept.slice(0, query.limit)
    },
  }
  return fake
}

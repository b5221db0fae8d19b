/** Executions without devices: what is asked is kept, what is answered is the test's to say. */

import type { ExecutionResult } from '../../../src/contracts/executions/execution-result.ts'
import type { StoredEvent } from '../../../src/contracts/records/journal.ts'
import type {
  AppendOptions,
  Journal,
  NewRecord,
  ReceiptQuery,
  StoredReceipt,
} from '../../../src/runtime/journal/journal.ts'
import { askNothing } from '../../../src/service/executions/evidence/ask-phone.ts'
import type { Executed, ExecutionOrder } from '../../../src/service/executions/order.ts'
import type {
  Cancelled,
  ExecutedOnce,
  Executions,
  Resumption,
  ResumptionChange,
} from '../../../src/service/executions/service.ts'

export interface FakeExecutions extends Executions {
  requests: ExecutionOrder[]
  keys: string[]
  queries: ReceiptQuery[]
  answer: (request: ExecutionOrder) => Executed | Promise<Executed>
  answerOnce: ((key: string, request: ExecutionOrder) => ExecutedOnce | Promise<ExecutedOnce>) | undefined
  answerResumption: (executionId: string, change: ResumptionChange | undefined) => Resumption
  answerCancel: (executionId: string) => Cancelled
  kept: StoredReceipt[]
}

export const successOf = (request: ExecutionOrder, text = '<hierarchy rotation="0"/>'): ExecutionResult => {
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
    learner: { learn: async () => undefined, askFor: askNothing, sweep: async () => {} },
    decided: async receipt => ({ receipt }),
    requests: [],
    keys: [],
    queries: [],
    kept: [],
    answer: request => {
      ran += 1
      const executionId = `e${ran}`
      return { executionId, deviceId: request.deviceId ?? 'd1', result: successOf(request) }
    },
    answerOnce: undefined,
    answerResumption: executionId => ({
      ok: false,
      error: { code: 'EXECUTION_NOT_FOUND', message: 'It is unknown.', details: { executionId } },
    }),
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
    async executeAs(executionId, request, key) {
      if (key !== undefined) fake.keys.push(key)
      fake.requests.push({ ...request, executionId })
      return { kind: 'executed', ...(await fake.answer({ ...request, executionId })) }
    },
    resumption: async (executionId, change) => fake.answerResumption(executionId, change),
    cancel: async executionId => fake.answerCancel(executionId),
    isHere: () => false,
    receipt: async executionId => fake.kept.find(receipt => receipt.executionId === executionId),
    receipts: async query => {
      fake.queries.push(query)
      return fake.kept.slice(0, query.limit)
    },
  }
  return fake
}

/** The same, and what was accepted is in the journal as a device actor would have left it there. */
export const recordedExecutions = (executions: FakeExecutions, journal: Journal): Executions => {
  const record = async (executed: Executed, { execution, input, listener = '' }: ExecutionOrder): Promise<void> => {
    const { executionId, deviceId = '', result } = executed
    if (executionId === undefined) return
    const actor = `device:${deviceId}`
    const { commandId, taskId } = execution
    const place = { actor, machine: 'device', version: 1, at: 3, tags: [] }
    const write = async (event: StoredEvent, more: Partial<NewRecord>, options: AppendOptions = {}) => {
      const n = (journal.last(actor)?.n ?? -1) + 1
      await journal.append({ ...place, n, event, from: 'idle', to: 'idle', ...more }, options)
    }
    const body = { execution, ...(input === undefined ? {} : { input }) }
    const receipt = {
      executionId,
      commandId,
      taskId,
      deviceId,
      state: 'settled',
      acceptedAt: 1,
      settledAt: 3,
      result,
    } as const
    await write({ type: 'execution.requested', executionId }, { to: 'running.accepted', body })
    await write(
      { type: 'execution.settled', executionId },
      { from: 'running.dispatched', outcome: { listener, executionId }, body: result },
      { receipt },
    )
  }
  return {
    ...executions,
    async execute(request) {
      const executed = await executions.execute(request)
      await record(executed, request)
      return executed
    },
    async executeOnce(key, request) {
      const executed = await executions.executeOnce(key, request)
      if (executed.kind === 'executed') await record(executed, request)
      return executed
    },
    async executeAs(executionId, request, key) {
      const executed = await executions.executeAs(executionId, request, key)
      if (executed.kind === 'executed') await record(executed, request)
      return executed
    },
    resumption: (id, change) => executions.resumption(id, change),
    cancel: id => executions.cancel(id),
    isHere: id => executions.isHere(id),
    receipt: id => executions.receipt(id),
    decided: (receipt, wait) => executions.decided(receipt, wait),
    receipts: query => executions.receipts(query),
  }
}

/** An execution of unknown outcome, for each type of action: every reader of its receipt has one answer to what may be repeated. */
import { expect, test } from 'vitest'
import { chosenStepId } from '../../../src/contracts/chosen-step-ids.ts'
import type { Action } from '../../../src/contracts/executions/action.ts'
import type { Journal, StoredReceipt } from '../../../src/runtime/journal/journal.ts'
import { mayHaveChanged } from '../../../src/service/executions/completed-steps.ts'
import { createResume } from '../../../src/service/executions/resume.ts'
import { validateExecution } from '../../../src/service/executions/validate.ts'
import type { LiveAttempt } from '../../../src/service/flows/run/attempt.ts'
import { createPhoneCalls } from '../../../src/service/flows/run/call-phone.ts'
import { executionInDoubt } from '../../../src/service/flows/run/command-log.ts'
import { CommandFailed } from '../../../src/service/flows/run/failure.ts'
import { localReceipts } from '../../../src/service/local/receipts.ts'
import type { Parts } from '../../../src/service/parts.ts'
import type { Service } from '../../../src/service/service.ts'
import type { ToolCall } from '../../../src/surfaces/mcp/tool.ts'
import { RECEIPT_TOOLS } from '../../../src/surfaces/mcp/tools/receipts.ts'
import { actions as samples } from '../../contracts/samples/execution.ts'
import { payloadOf } from '../../support/executions/lab.ts'
import { manualClock } from '../../support/manual-clock.ts'

/** The actions that look, wait, or lead to the same state when they run again; everything else acts. */
const REPEATED = [
  'change_setting',
  'get_clipboard',
  'read_key_value_pair',
  'read_page',
  'read_text',
  'restore_settings',
  'sleep',
  'snapshot',
  'take_screenshot',
  'wait_for_idle',
  'wait_for_navigation',
  'wait_for_node',
]

const STEP = chosenStepId(0)
const sampleOf = new Map(samples.map(sample => [sample.type, { ...sample, id: STEP }]))

const executionOf = (action: object) => {
  const validation = validateExecution(payloadOf([action]))
  if (!validation.ok) throw new Error(validation.error.message)
  return validation.execution
}

const lost: StoredReceipt = {
  executionId: 'e1',
  commandId: 'c1',
  taskId: 't1',
  deviceId: 'd1',
  operatorPackage: 'com.svc.operator',
  state: 'interrupted',
  acceptedAt: 1,
  dispatchedAt: 2,
  settledAt: 3,
  result: { ok: false, error: { code: 'EXECUTION_INTERRUPTED', message: 'The host died.' } },
}

const journalOf = (action: object) => {
  const of = { executionId: 'e1' }
  const records = [
    { n: 0, digest: 'x', from: 'idle', to: 'running', event: { type: 'execution.requested', ...of } },
    { n: 1, digest: null, to: 'running', event: { type: 'execution.dispatched', ...of, segment: 0, step: 0 } },
    { n: 2, digest: null, to: 'idle', event: { type: 'execution.interrupted', ...of } },
  ]
  return {
    receipt: () => lost,
    receiptByKey: () => undefined,
    last: () => records[2],
    records: ({ fromN = 0, limit = 10 }) => records.filter(({ n }) => n >= fromN).slice(0, limit),
    body: () => ({ execution: executionOf(action) }),
  } as unknown as Journal
}

const serviceOver = (journal: Journal): Service => {
  const receipts = async () => ({ receipt: async () => lost, decided: async () => ({ receipt: lost }) })
  return localReceipts({ journal: () => journal, receipts } as unknown as Parts, undefined as never) as Service
}

const receiptOf = async (service: Service) => {
  const found = await service['executions.get']({ executionId: 'e1' }, { context: { caller: 'http' } })
  if (!found.ok) throw new Error(found.error.message)
  return found.value.execution
}

const receiptOfTool = async (service: Service, journal: Journal) => {
  const [tool] = RECEIPT_TOOLS
  const answer = await tool?.call({ executionId: 'e1' }, {
    deps: { service, journal: () => journal },
  } as unknown as ToolCall)
  return (answer as { structuredContent: { receipt: { doubtfulSteps: string[] } } }).structuredContent.receipt
}

const resumptionOf = async (journal: Journal) => {
  const resume = createResume({
    ...{ executor: undefined as never, journal, clock: manualClock() },
    receipt: async () => lost,
    decided: async receipt => ({ receipt }),
  })
  const resumption = await resume.resumption('e1')
  return resumption.ok ? 'repeated' : resumption.error.code
}

/** A later process takes up the call of a command that had begun this execution. */
const flowGoesOn = async (service: Service, { type, ...sample }: { type: string; params?: object }) => {
  const phones = {
    receipt: () => receiptOf(service),
    perform: async () => ({ kind: 'performed', steps: [] }),
  }
  const attempt = { phones, ids: { at: () => 'e2' }, clock: manualClock(), deviceId: 'd1', flowRunId: 'f1' }
  const ask = createPhoneCalls(attempt as unknown as LiveAttempt, async () => true, new AbortController().signal)
  const steps = [{ type, params: sample.params as Record<string, unknown> }]
  try {
    await ask({ index: 0, recorded: ['e1'], read: 0 }, steps, { timeoutMs: 1_000 })
    return 'repeated'
  } catch (error) {
    if (error instanceof CommandFailed) return error.error.code
    throw error
  }
}

const flowBeginsAnew = async (service: Service) => {
  const commands = [{ executionIds: ['e1'] }] as never
  return (await executionInDoubt({ commands }, { receipt: () => receiptOf(service) })) === undefined
}

const types = [...sampleOf.keys()].sort() as Action['type'][]

test.each(types)('%s', async type => {
  const sample = sampleOf.get(type)
  if (!sample) throw new Error(`no sample of ${type}`)
  const journal = journalOf(sample)
  const service = serviceOver(journal)
  const isRepeated = REPEATED.includes(type)
  const doubtfulSteps = isRepeated ? [] : [STEP]
  expect(await receiptOf(service)).toMatchObject({ executedSteps: [], doubtfulSteps })
  expect(await receiptOfTool(service, journal)).toMatchObject({ doubtfulSteps })
  expect(mayHaveChanged(journal, lost)).toBe(!isRepeated)
  expect(await resumptionOf(journal)).toBe(isRepeated ? 'repeated' : 'RESUME_IN_DOUBT')
  expect(await flowGoesOn(service, sample)).toBe(isRepeated ? 'repeated' : 'COMMAND_IN_DOUBT')
  expect(await flowBeginsAnew(service)).toBe(isRepeated)
})

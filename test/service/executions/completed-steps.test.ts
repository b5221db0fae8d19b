/** The steps that are known to have run, in the words of the answer and of the receipt. */
import { expect, test } from 'vitest'
import type { ErrorObject } from '../../../src/contracts/failures/error.ts'
import { JournalError } from '../../../src/runtime/journal/fault.ts'
import type { Journal, StoredReceipt } from '../../../src/runtime/journal/journal.ts'
import { mayHaveChanged, toldSteps, withKnownSteps } from '../../../src/service/executions/completed-steps.ts'

const cancelled: ErrorObject = {
  code: 'EXECUTION_CANCELLED',
  message: 'The execution was cancelled; it may have executed.',
}

const receipt = (more: Partial<StoredReceipt> = {}): StoredReceipt => ({
  executionId: 'e1',
  commandId: 'c1',
  taskId: 't1',
  deviceId: 'd1',
  state: 'settled',
  acceptedAt: 1,
  dispatchedAt: 2,
  settledAt: 3,
  result: { ok: false, error: cancelled },
  ...more,
})

/** Of an execution that pressed so many keys, and left for the last time with step `reached`. */
const journalOf = (
  steps: number,
  reached: number,
  found: StoredReceipt | undefined = receipt(),
  last: object = { type: 'press_key', params: { key: 'back' } },
) => {
  const actions = Array.from({ length: steps }, (_, index) => ({
    id: `s${index}`,
    ...(index === steps - 1 ? last : { type: 'press_key', params: { key: 'back' } }),
  }))
  const records = [
    { n: 0, digest: 'x', from: 'idle', to: 'running', event: { type: 'execution.requested', executionId: 'e1' } },
    {
      n: 1,
      digest: null,
      to: 'running',
      event: { type: 'execution.dispatched', executionId: 'e1', segment: 1, step: reached },
    },
    { n: 2, digest: null, to: 'idle', event: { type: 'execution.cancelled', executionId: 'e1' } },
  ]
  return {
    receipt: () => found,
    last: () => records[2],
    records: ({ fromN = 0, limit = 10 }) => records.filter(({ n }) => n >= fromN).slice(0, limit),
    body: () => ({ execution: { actions } }),
  } as unknown as Journal
}

test.each([
  ['some', 4, 2, 'Known to have run: steps "s0", "s1"; may have run: steps "s2", "s3".'],
  ['one', 2, 1, 'Known to have run: step "s0"; may have run: step "s1".'],
  ['none', 1, 0, 'No step is known to have run; may have run: step "s0".'],
  ['many', 9, 8, 'Known to have run: steps "s0", "s1", "s2", "s3", "s4" and 3 more; may have run: step "s8".'],
])('%s', (_, steps, reached, sentence) => {
  expect(withKnownSteps(cancelled, 'e1', journalOf(steps, reached)).message).toBe(`${cancelled.message} ${sentence}`)
})

test('a wait that was cancelled is in no doubt: it changes nothing', () => {
  const wait = { type: 'wait_for_node', params: { matcher: { textEquals: 'Done' } } }
  const told = withKnownSteps(cancelled, 'e1', journalOf(2, 1, receipt(), wait))
  expect(told.message).toBe(
    'The execution was cancelled. Known to have run: step "s0". Whatever else may have run changes nothing on the device.',
  )
  expect(told.hint).toContain('/executions/e1/resume')
  expect(withKnownSteps(cancelled, 'e1', journalOf(1, 0, receipt(), wait)).hint).toMatch(/^Send it again/)
})

test('of a receipt that was sent and has no envelope, only what changes something is a doubt', () => {
  const wait = { type: 'wait_for_node', params: { matcher: { textEquals: 'Done' } } }
  const doubtIn = (journal: Journal, more: Partial<StoredReceipt> = {}) => mayHaveChanged(journal, receipt(more))
  expect(doubtIn(journalOf(2, 1, receipt(), wait))).toBe(false)
  expect(doubtIn(journalOf(2, 1))).toBe(true)
  expect(doubtIn(journalOf(2, 1), { state: 'dispatched' })).toBe(false)
  expect(doubtIn({ ...journalOf(2, 1), body: () => undefined } as Journal)).toBe(true)
})

test.each([
  ['another failure', { ...cancelled, code: 'DEVICE_LINK_LOST' }, journalOf(2, 1)],
  ['one that was never sent', cancelled, journalOf(2, 1, receipt({ dispatchedAt: undefined } as object))],
  ['one that is not on record', cancelled, { ...journalOf(2, 1), receipt: () => undefined } as Journal],
  [
    'a journal that cannot be read',
    cancelled,
    {
      ...journalOf(2, 1),
      last: () => {
        throw new JournalError('failed', 'it fails')
      },
    } as unknown as Journal,
  ],
])('%s stays as it is', (_, error, journal) => {
  expect(withKnownSteps(error, 'e1', journal)).toBe(error)
})

test.each([
  ['a text that was typed into the focus', { type: 'enter_text', params: { text: 'a' } }, 'ACTION_FAILED', ['s1']],
  [
    'a tap that found no node',
    { type: 'click', params: { matcher: { textEquals: 'a' } } },
    'NODE_NOT_FOUND',
    undefined,
  ],
])('a failed step in an envelope: %s', (_, step, error, doubtful) => {
  const stepResults = [
    { id: 's0', actionType: 'press_key', success: true, data: {} },
    { id: 's1', actionType: step.type, success: false, data: { error } },
  ]
  const envelope = { status: 'failed', stepResults, errorCode: error, error: { code: error, message: 'no' } }
  const found = receipt({ result: { ok: true, envelope } as never })
  const told = toldSteps(() => journalOf(2, 1, found, step), found)
  expect(told.doubtfulSteps).toEqual(doubtful)
  expect(told.executedSteps).toEqual(doubtful && ['s0'])
})

test.each([
  ['operator', 'done', 'The phone told at 1970-01-01T00:00:00.009Z that all of its steps are done.', 'Nothing is left'],
  ['log', 'done', 'The log of the phone told at 1970-01-01T00:00:00.009Z that all of its steps are done.', 'Nothing'],
  [
    'operator',
    'failed',
    'The phone told at 1970-01-01T00:00:00.009Z that not all of its steps are done. Known to have run: step "s0".',
    'goes on after the steps that have run',
  ],
  [
    'progress',
    'failed',
    'By the record that svc kept, not all of its steps are done. Known to have run: step "s0".',
    'goes on after the steps that have run',
  ],
  ['operator', 'not_sent', 'The phone told at 1970-01-01T00:00:00.009Z that nothing was sent.', 'Send it again.'],
] as const)('evidence by %s ends the doubt of the answer: %s', (source, outcome, sentence, hint) => {
  const lost = { code: 'RESULT_ENVELOPE_TIMEOUT', message: 'No result envelope arrived in time; it may have executed.' }
  const evidence = { source, at: 9, outcome }
  const wait = { type: 'sleep', params: { durationMs: 10 } }
  const found = receipt({ evidence, result: { ok: false, error: { ...lost, hint: 'Look at the screen.' } } })
  const { result } = toldSteps(() => journalOf(2, 1, found, wait), found)
  const error = result?.ok === false ? result.error : undefined
  expect(error?.code).toBe(lost.code)
  expect(error?.message).toBe(`No result envelope arrived in time. ${sentence}`)
  expect(error?.hint).toContain(hint)
})

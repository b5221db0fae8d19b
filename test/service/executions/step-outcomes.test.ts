/** What a receipt says of each step, and from whom it is known. */
import { expect, test } from 'vitest'
import type { ExecutionResult } from '../../../src/contracts/executions/execution-result.ts'
import type { StoredReceipt } from '../../../src/runtime/journal/journal.ts'
import type { RecordedExecution, StepEnd } from '../../../src/service/executions/recorded.ts'
import { outcomeOfSteps, stepOutcomes } from '../../../src/service/executions/step-outcomes.ts'
import { actionsOf, BACK, NAP, recordedOf, SHOT } from '../../support/executions/recorded-execution.ts'
import { receiptOf, resultOf } from '../../support/runtime/records.ts'

const answered = (...successes: boolean[]): ExecutionResult => ({
  ok: true,
  deviceId: 'd1',
  terminalSource: 'svc_result',
  envelope: {
    ...{ commandId: 'c', taskId: 't', error: null },
    status: successes.every(Boolean) ? 'success' : 'failed',
    stepResults: successes.map((success, index) => ({ id: `s${index}`, actionType: 'press_key', success, data: {} })),
  },
})

const LOST: Partial<StoredReceipt> = { state: 'interrupted', dispatchedAt: 2, settledAt: 3, result: resultOf('lost') }
const end = (success: boolean, source: StepEnd['source'], at: number): StepEnd => ({ success, source, at })

const outcomes = (
  receipt: Partial<StoredReceipt>,
  recorded: Partial<RecordedExecution> = {},
  steps: object[] = [BACK, NAP, BACK],
) =>
  stepOutcomes(receiptOf('e1', receipt), recordedOf(actionsOf(...steps), recorded)).map(({ outcome, source, at }) =>
    [outcome, source, at].filter(word => word !== undefined).join(' '),
  )

test('nothing of what was never sent ran', () => {
  expect(outcomes({ state: 'settled', result: resultOf('refused') })).toEqual(['not_run', 'not_run', 'not_run'])
})

test('a result says each step, up to the one that failed', () => {
  const settled: Partial<StoredReceipt> = { state: 'settled', dispatchedAt: 2 }
  expect(outcomes({ ...settled, result: answered(true, false) })).toEqual(['done result', 'failed result', 'not_run'])
})

test('while it runs, what has been told is known', () => {
  const ended = new Map([[0, end(true, 'progress', 7)]])
  expect(outcomes({ state: 'dispatched', dispatchedAt: 2 }, { ended })).toEqual([
    'done progress 7',
    'unknown',
    'unknown',
  ])
})

test('what was sent and not told is unknown, and what was not sent did not run', () => {
  const ended = new Map([[0, end(true, 'progress', 7)]])
  expect(outcomes(LOST, { ended }, [BACK, NAP, SHOT, BACK])).toEqual([
    'done progress 7',
    'unknown',
    'not_run',
    'not_run',
  ])
})

test('steps before the last segment are known by its dispatch', () => {
  expect(outcomes(LOST, { lastSegment: 2, lastStep: 2 }, [BACK, SHOT, NAP, BACK])).toEqual([
    'done result',
    'done result',
    'unknown',
    'unknown',
  ])
})

test('a step that is told to have failed ends the list', () => {
  const ended = new Map([
    [0, end(true, 'progress', 7)],
    [1, end(false, 'log', 9)],
  ])
  expect(outcomes(LOST, { ended })).toEqual(['done progress 7', 'failed log 9', 'not_run'])
})

test('the answer of the phone adds to what was told before', () => {
  const evidence = { source: 'operator', at: 20, outcome: 'done' } as const
  const ended = new Map([
    [0, end(true, 'progress', 7)],
    [1, end(true, 'operator', 20)],
    [2, end(true, 'operator', 20)],
  ])
  expect(outcomes({ ...LOST, evidence }, { ended, learned: answered(true, true, true) })).toEqual([
    'done progress 7',
    'done operator 20',
    'done operator 20',
  ])
})

test('the steps decide the outcome once all of them are known', () => {
  const of = (...words: ('done' | 'failed' | 'not_run' | 'unknown')[]) =>
    outcomeOfSteps(words.map(outcome => ({ outcome, actionType: 'click' })))
  expect(of('done', 'unknown')).toBeUndefined()
  expect(of('done', 'done')).toBe('done')
  expect(of('done', 'failed', 'not_run')).toBe('failed')
})

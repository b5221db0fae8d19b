/** The records of an execution as proof: the ends of its steps are synced with the next dispatch, and not one by one. */
import { expect, test } from 'vitest'
import type { StoredReceipt } from '../../../src/runtime/journal/journal.ts'
import { recordedExecution } from '../../../src/service/executions/recorded.ts'
import { journalOfOne } from '../../support/executions/recorded-execution.ts'

const receipt = { executionId: 'e1', deviceId: 'd1' } as StoredReceipt
const interrupted = (boot?: string) => ({ type: 'execution.interrupted', dispatched: true, ...(boot ? { boot } : {}) })

test.each([
  ['its process died', { stepped: true, boot: 'one' }, interrupted('one'), true],
  ['the power failed', { stepped: true, boot: 'one' }, interrupted('two'), false],
  ['a process of an earlier version found it', { stepped: true, boot: 'one' }, interrupted(), false],
  ['an earlier version had synced each end', { stepped: true }, interrupted('two'), true],
  ['its own process ended it', { stepped: true, boot: 'one' }, { type: 'execution.settled' }, true],
  ['an operator app had the list', { nonce: 'x' }, interrupted('one'), false],
])('the end of each step is on record before the next one that acts: %s', (_, facts, end, isStepped) => {
  expect(recordedExecution(journalOfOne(undefined, facts, end), receipt)?.isStepped).toBe(isStepped)
})

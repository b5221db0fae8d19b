/** `last`, `last~N` and ranges stand for the newest executions, of a device where one is named. */

import { beforeEach, expect, test } from 'vitest'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import { namedExecution, relativeExecutions } from '../../../src/service/executions/last-execution.ts'
import { DEVICE_CONFLICT } from '../../support/failure-codes.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { receiptOf, recordOf } from '../../support/runtime/records.ts'

let journal: Journal
beforeEach(async () => {
  journal = memoryJournal({ alive: () => true, clock: manualClock() })
  for (const [n, [id, deviceId]] of [
    ['e0', 'd1'],
    ['e1', 'd2'],
    ['e2', 'd1'],
    ['e3', 'd2'],
  ].entries()) {
    await journal.append(recordOf('device:any', n), { receipt: receiptOf(`${id}`, { deviceId: `${deviceId}` }) })
  }
})

test.each([
  ['last', undefined, ['e3']],
  ['last~0', undefined, ['e3']],
  ['last~3', undefined, ['e0']],
  ['last', 'd1', ['e2']],
  ['last~1', 'd1', ['e0']],
  ['last~2..last', undefined, ['e1', 'e2', 'e3']],
  ['last~1..last', 'd2', ['e1', 'e3']],
  ['e1..last~1', undefined, ['e1', 'e2']],
  ['e0..e0', undefined, ['e0']],
])('%s, of device %s', (text, device, ids) => {
  expect(relativeExecutions(journal, text, device)).toEqual({ ok: true, ids })
})

test.each([
  ['last~4', undefined, 'There is no execution last~4: 4 were accepted.'],
  ['last~2', 'd1', 'There is no execution last~2 on d1: 2 were accepted.'],
  ['last', 'd9', 'There is no execution last on d9: none was accepted.'],
  ['last~5000', undefined, 'last~5000 goes further back than 1000 executions.'],
  ['last..last~2', undefined, 'The range last..last~2 ends before it begins: name the older execution first'],
  ['e9..last', undefined, '"e9" is none of the 1000 newest executions.'],
])('%s, of device %s, is refused', (text, device, message) => {
  const found = relativeExecutions(journal, text, device)
  expect(found).toMatchObject({ ok: false, error: { code: 'EXECUTION_NOT_FOUND', hint: expect.any(String) } })
  expect(found.ok ? '' : found.error.message).toContain(message)
})

test.each(['last~', 'last~x', 'last~-1', 'last~1.5', 'last~..last', 'last~2..last~'])('%s is misuse', text => {
  expect(relativeExecutions(journal, text)).toMatchObject({
    ok: false,
    error: {
      code: 'USAGE',
      message: expect.stringContaining('does not say how many'),
      hint: expect.stringContaining('last~1'),
    },
  })
})

test('an id is passed on as it is, and a range is no single execution', () => {
  expect(namedExecution(journal, 'somewhere-else')).toEqual({ ok: true, executionId: 'somewhere-else' })
  expect(namedExecution(journal, 'last~1')).toEqual({ ok: true, executionId: 'e2' })
  expect(namedExecution(journal, 'last~1..last')).toMatchObject({ ok: false, error: { code: 'USAGE' } })
})

test('one that was refused because the phone was still at work on an earlier one is not the last', async () => {
  const error = { code: DEVICE_CONFLICT, message: 'Device d2 is still at work.' }
  const { dispatchedAt: _, ...unsent } = receiptOf('e4', { deviceId: 'd2', state: 'settled', settledAt: 9 })
  await journal.append(recordOf('device:any', 4), { receipt: { ...unsent, result: { ok: false, error } } })
  expect(namedExecution(journal, 'last')).toEqual({ ok: true, executionId: 'e3' })
})

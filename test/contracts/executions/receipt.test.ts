import { expect, test } from 'vitest'
import { Receipt } from '../../../src/contracts/executions/receipt.ts'
import { accept, complaints } from '../parse.ts'
import { receipt, refusal } from '../samples/execution.ts'

test('a settled receipt comes back as it is', () => {
  expect(accept(Receipt, receipt)).toEqual(receipt)
})

test('times of what has not happened are absent', () => {
  const { dispatchedAt: _, ...refusedBeforeDispatch } = { ...receipt, result: refusal }
  expect(accept(Receipt, refusedBeforeDispatch)).not.toHaveProperty('dispatchedAt')
})

test.each(['acceptedAt', 'dispatchedAt', 'settledAt'])('%s is epoch milliseconds', key => {
  for (const value of [-1, 1.5, '2024-01-01', null, Number.MAX_SAFE_INTEGER + 1]) {
    expect(complaints(Receipt, { ...receipt, [key]: value })).toContain(key)
  }
})

test('there are four states', () => {
  for (const state of ['accepted', 'dispatched', 'settled', 'interrupted']) {
    expect(accept(Receipt, { ...receipt, state }).state).toBe(state)
  }
  for (const state of ['cancelled', 'failed', '']) expect(complaints(Receipt, { ...receipt, state })).toEqual(['state'])
})

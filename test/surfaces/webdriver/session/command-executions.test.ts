import { expect, test } from 'vitest'
import { WebDriverError } from '../../../../src/surfaces/webdriver/protocol/webdriver-error.ts'
import { createAskedExecutions } from '../../../../src/surfaces/webdriver/session/session-executions.ts'

const asked = (...executions: [id: string, acts: boolean][]) => {
  const all = createAskedExecutions()
  for (const each of executions) all.add(...each)
  return all
}
const problem = (data?: object) => new WebDriverError('unknown error', 'm', data as never)

test('an answer names the last execution that acted, whatever was looked at behind it', () => {
  expect(asked(['a', true], ['b', true], ['c', false]).lastActing()).toBe('b')
  expect(asked(['a', false]).lastActing()).toBeUndefined()
})

test.each([
  ['one that was refused is none', { dispatched: false }, undefined],
  ['one that ended before the phone was asked has a receipt', { dispatched: false, executionId: 'a' }, 'a'],
  ['one in doubt is named', { dispatched: 'unknown' }, 'a'],
  ['an error of the command itself says nothing of it', undefined, 'a'],
])('%s', (_, data, named) => {
  expect(asked(['a', true]).lastActing(problem(data))).toBe(named)
})

test('a refused one leaves those before it', () => {
  expect(asked(['a', true], ['b', true]).lastActing(problem({ dispatched: false }))).toBe('a')
  expect(asked(['a', true], ['b', false]).lastActing(problem({ dispatched: false }))).toBe('a')
})

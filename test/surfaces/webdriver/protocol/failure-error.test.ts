import { expect, test } from 'vitest'
import { failure } from '../../../../src/contracts/failures/failures.ts'
import { webDriverErrorOf } from '../../../../src/surfaces/webdriver/protocol/failure-error.ts'

test.each([
  ['NODE_NOT_FOUND', 'no such element'],
  ['REF_STALE', 'stale element reference'],
  ['NODE_NOT_CLICKABLE', 'element not interactable'],
  ['DEVICE_LINK_LOST', 'unknown error'],
] as const)('%s is %s', (code, error) => {
  expect(webDriverErrorOf(failure(code, 'It failed.')).error).toBe(error)
})

test('typing into what is no field is the state of the element, and without a focus nothing can be typed', () => {
  const details = { actionType: 'enter_text' }
  expect(webDriverErrorOf(failure('ACTION_FAILED', 'm', { details })).error).toBe('invalid element state')
  expect(webDriverErrorOf(failure('NODE_NOT_FOUND', 'm', { details })).error).toBe('element not interactable')
  expect(webDriverErrorOf(failure('ACTION_FAILED', 'm')).error).toBe('unknown error')
})

test('the message has the hint and the code, since clients print nothing else', () => {
  const { message } = webDriverErrorOf(failure('EXECUTION_DENIED', 'Rule r refuses it.', { hint: 'Ask somebody.' }))
  expect(message).toBe('Rule r refuses it. Ask somebody. (EXECUTION_DENIED)')
})

test.each([
  [
    'a link that was lost before anything was sent',
    failure('DEVICE_LINK_LOST', 'm', { details: { dispatched: false } }),
    false,
  ],
  ['one that was lost afterwards', failure('DEVICE_LINK_LOST', 'm', { details: { dispatched: true } }), true],
  ['a lost answer that says nothing', failure('RESULT_ENVELOPE_TIMEOUT', 'm'), 'unknown'],
  ['a refusal', failure('EXECUTION_DENIED', 'm'), false],
  ['a step that failed on the phone', failure('ACTION_FAILED', 'm'), true],
  ['a code that is not known here', { code: 'SOMETHING_NEW', message: 'm' }, 'unknown'],
] as const)('whether the phone was asked: %s', (_, error, dispatched) => {
  expect(webDriverErrorOf(error, 'e1').data).toMatchObject({ code: error.code, executionId: 'e1', dispatched })
})

test('message and hint are two sentences', () => {
  const { message } = webDriverErrorOf({ code: 'FILE_REFUSED', message: 'It is a folder', hint: 'Name a file.' })
  expect(message).toBe('It is a folder. Name a file. (FILE_REFUSED)')
})

import { describe, expect, test } from 'vitest'
import { ExecutionResult, ResultEnvelope } from '../../../src/contracts/executions/execution-result.ts'
import { accept, complaints } from '../parse.ts'
import { envelope, refusal, success } from '../samples/execution.ts'

describe('ResultEnvelope', () => {
  test('a success has a null error and no code', () => {
    const { errorCode, ...rest } = envelope
    expect(errorCode).toBe('NODE_NOT_FOUND')
    const input = { ...rest, status: 'success', error: null }
    expect(accept(ResultEnvelope, input)).toEqual(input)
  })

  test.each(['ok', 'indeterminate', '', null])('a status is not %j', status => {
    expect(complaints(ResultEnvelope, { ...envelope, status })).toEqual(['status'])
  })

  test('all data of a step are strings', () => {
    const step = { id: 'a', actionType: 'click', success: true, data: { n: 1 } }
    expect(complaints(ResultEnvelope, { ...envelope, stepResults: [step] })).toEqual(['stepResults.0.data.n'])
  })

  test('an error is an object or null, never a text', () => {
    expect(complaints(ResultEnvelope, { ...envelope, error: 'it broke' })).toEqual(['error'])
  })
})

describe('ExecutionResult', () => {
  test('a success and a refusal come back as they are', () => {
    expect(accept(ExecutionResult, success)).toEqual(success)
    expect(accept(ExecutionResult, refusal)).toEqual(refusal)
  })

  test.each([
    [{ ...success, ok: null }, 'ok'],
    [{ ...success, ok: 'true' }, 'ok'],
    [{ ...success, terminalSource: 'logcat' }, 'terminalSource'],
    [{ ...refusal, ok: true }, 'deviceId'],
    [{ ok: false }, 'error'],
    [{ ok: false, error: 'it broke' }, 'error'],
    [{ ok: false, error: { message: 'it broke' } }, 'error.code'],
  ])('is not %j', (input, at) => {
    expect(complaints(ExecutionResult, input)).toContain(at)
  })
})

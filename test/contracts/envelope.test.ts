import { describe, expect, test } from 'vitest'
import { ResultEnvelope, WireEnvelope } from '../../src/contracts/envelope.ts'
import { ExecutionResult } from '../../src/contracts/execution-result.ts'
import { accept, complaints } from './parse.ts'
import { envelope, refusal, success } from './samples/execution.ts'
import { wireEnvelope } from './samples/host.ts'

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

describe('WireEnvelope', () => {
  test('an error may be null, absent, a text or an object', () => {
    const { error, ...rest } = wireEnvelope
    expect(accept(WireEnvelope, rest).error).toBeNull()
    for (const value of [null, 'it broke', error])
      expect(accept(WireEnvelope, { ...rest, error: value }).error).toEqual(value)
    for (const value of [1, {}, { code: 'A' }, []])
      expect(complaints(WireEnvelope, { ...rest, error: value })).not.toEqual([])
  })

  test('what is not a string in the data of a step becomes one', () => {
    const data = { text: '5', count: 5, clicked: true, list: ['a'], none: null }
    const step = { id: 'a', actionType: 'read_text', success: true, data }
    const [read] = accept(WireEnvelope, { ...wireEnvelope, stepResults: [step] }).stepResults
    expect(read?.data).toEqual({ text: '5', count: '5', clicked: 'true', list: '["a"]', none: 'null' })
  })

  test('a step without data has none', () => {
    const [step] = accept(WireEnvelope, {
      ...wireEnvelope,
      stepResults: [{ id: 'a', actionType: 'sleep', success: true }],
    }).stepResults
    expect(step?.data).toEqual({})
  })

  test('unknown keys are dropped, missing ids and a missing nonce are refused', () => {
    expect(accept(WireEnvelope, { ...wireEnvelope, debug: 1 })).not.toHaveProperty('debug')
    for (const key of ['commandId', 'taskId', 'nonce', 'status', 'stepResults']) {
      const rest = Object.fromEntries(Object.entries(wireEnvelope).filter(([name]) => name !== key))
      expect(complaints(WireEnvelope, rest)).toEqual([key])
    }
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

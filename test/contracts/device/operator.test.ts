import { describe, expect, test } from 'vitest'
import {
  HostFrame,
  OperatorFrame,
  OperatorRequest,
  ResultChunk,
  WireEnvelope,
} from '../../../src/contracts/device/operator.ts'
import { accept, complaints } from '../parse.ts'
import { chunk, nonce, request, wireEnvelope, wireId } from '../samples/host.ts'

test('a request is an execution with a wire id, a nonce and the protocol', () => {
  expect(accept(OperatorRequest, request)).toEqual({
    ...request,
    actions: [
      request.actions[0],
      { ...request.actions[1], params: { ...request.actions[1]?.params, clickType: 'default' } },
    ],
  })
  for (const commandId of ['cmd-1', 'a.b', '.0', 'a.', 'a b.0']) {
    expect(complaints(OperatorRequest, { ...request, commandId })).toEqual(['commandId'])
  }
  for (const bad of ['', nonce.slice(1), `${nonce}0`, nonce.toUpperCase(), 'g'.repeat(32), null]) {
    expect(complaints(OperatorRequest, { ...request, nonce: bad })).toEqual(['nonce'])
  }
  for (const protocol of [2, '1', null])
    expect(complaints(OperatorRequest, { ...request, protocol })).toEqual(['protocol'])
  expect(complaints(OperatorRequest, { ...request, deviceId: 'a' })).toEqual(['deviceId'])
})

describe('a chunk', () => {
  test('comes back as it is', () => expect(accept(ResultChunk, chunk)).toEqual(chunk))

  test('holds at most 2,700 bytes', () => {
    expect(complaints(ResultChunk, { ...chunk, data: Buffer.alloc(2_700).toString('base64') })).toEqual([])
    expect(complaints(ResultChunk, { ...chunk, data: Buffer.alloc(2_703).toString('base64') })).toEqual(['data'])
  })

  test('belongs to an envelope of at most 64 MiB', () => {
    expect(complaints(ResultChunk, { ...chunk, byteLength: 67_108_864 })).toEqual([])
    for (const byteLength of [67_108_865, 0, 1.5])
      expect(complaints(ResultChunk, { ...chunk, byteLength })).toContain('byteLength')
  })

  test.each([
    ['index', [-1, 0.5, '0', null]],
    ['count', [0, -1, null]],
    ['sha256', ['', 'ab'.repeat(31), 'AB'.repeat(32), null]],
    ['data', ['', 'a b', '====', 'ä', null]],
    ['commandId', [null, 1]],
    ['nonce', [null, 1]],
  ] as [string, unknown[]][])('%s', (key, values) => {
    for (const value of values) expect(complaints(ResultChunk, { ...chunk, [key]: value })).toContain(key)
  })
})

test('the frames of a session socket', () => {
  const hello = { type: 'hello', protocol: 1, package: 'com.svc.operator', version: '1.0' }
  expect(accept(OperatorFrame, hello)).toEqual(hello)
  expect(accept(OperatorFrame, { type: 'result', envelope: wireEnvelope })).toMatchObject({
    envelope: { commandId: wireId },
  })
  expect(accept(HostFrame, { type: 'execute', payload: request })).toMatchObject({ payload: { nonce } })
  expect(complaints(OperatorFrame, { type: 'execute', payload: request })).toEqual(['type'])
  expect(complaints(HostFrame, hello)).toContain('type')
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

  test.each([
    ['click', { matcher: { textMatches: 'a' }, clickType: 'default' }],
    ['read_text', { matcher: { textEquals: 'a', index: 0 }, all: false }],
    ['wait_for_node', { matcher: { below: { textEquals: 'a' } }, timeoutMs: 5 }],
    ['wait_for_node', { matcher: { textEquals: 'a' }, state: 'gone', timeoutMs: 5 }],
    ['scroll_until', { container: { enabled: true } }],
    ['open_app', { applicationId: 'a.b', arguments: {} }],
    ['open_app', { applicationId: 'a.b', stopFirst: false }],
  ])('%s %j is not for an operator', (type, params) => {
    const actions = [{ id: 'a', type, params }]
    expect(complaints(OperatorRequest, { ...request, actions })).toEqual(['actions'])
  })

  test('unknown keys are dropped, missing ids and a missing nonce are refused', () => {
    expect(accept(WireEnvelope, { ...wireEnvelope, debug: 1 })).not.toHaveProperty('debug')
    for (const key of ['commandId', 'taskId', 'nonce', 'status', 'stepResults']) {
      const rest = Object.fromEntries(Object.entries(wireEnvelope).filter(([name]) => name !== key))
      expect(complaints(WireEnvelope, rest)).toEqual([key])
    }
  })
})

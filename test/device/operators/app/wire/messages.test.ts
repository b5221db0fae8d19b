import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeFrame, frameCutter, readFrame } from '../../../../../src/device/operators/app/wire/messages.ts'
import { wireEnvelopeOf } from '../../../../support/device/operator-samples.ts'

describe('frames', () => {
  test('come out whole and in order, wherever the bytes were split', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.array(fc.nat()), (values, cuts) => {
        const bytes = Buffer.concat(values.map(encodeFrame))
        const places = [...new Set(cuts.map(cut => cut % (bytes.length + 1)))].sort((a, b) => a - b)
        const cutter = frameCutter()
        const frames = [...places, bytes.length].flatMap((to, index) =>
          cutter.push(bytes.subarray(places[index - 1] ?? 0, to)),
        )
        expect(frames.map(frame => JSON.parse(frame))).toEqual(JSON.parse(JSON.stringify(values)))
        expect(cutter.isInside()).toBe(false)
      }),
    )
  })

  test('the length is of the bytes, big-endian', () => {
    expect(Buffer.from(encodeFrame('ü')).toString('hex')).toBe('0000000422c3bc22')
  })

  test('one longer than allowed is refused when its length is known', () => {
    const cutter = frameCutter(100)
    expect(() => cutter.push(Buffer.from([0, 0, 0, 101]))).toThrow(RangeError)
    expect(() => frameCutter().push(Buffer.from([0x04, 0, 0, 1]))).toThrow('67108865')
  })

  test('a stream that ends inside a frame is told from one that ends between two', () => {
    const cutter = frameCutter()
    const bytes = encodeFrame({ a: 1 })
    cutter.push(bytes.subarray(0, 2))
    expect(cutter.isInside()).toBe(true)
    cutter.push(bytes.subarray(2, 5))
    expect(cutter.isInside()).toBe(true)
    expect(cutter.push(bytes.subarray(5))).toEqual(['{"a":1}'])
    expect(cutter.isInside()).toBe(false)
  })

  test('an empty frame is a frame', () => {
    expect(frameCutter().push(Buffer.from([0, 0, 0, 0, 0, 0, 0, 1, 0x31]))).toEqual(['', '1'])
  })
})

const awaited = { wireId: 'e1.0', nonce: '0123456789abcdef0123456789abcdef' }
const other = { wireId: 'e2.0', nonce: 'f'.repeat(32) }
const envelope = wireEnvelopeOf(awaited)
const read = (value: unknown) => readFrame(JSON.stringify(value), [other, awaited])

describe('a greeting', () => {
  const hello = { type: 'hello', protocol: 1, package: 'com.x', version: '1' }
  const heard = { kind: 'hello', protocol: 1, package: 'com.x', capabilities: [] }

  test('need not name capabilities', () => expect(read(hello)).toEqual(heard))

  test('may name those of a later version, which are passed over', () => {
    expect(read({ ...hello, capabilities: ['results', 'telepathy', 'progress', 'results'] })).toEqual({
      ...heard,
      capabilities: ['progress', 'results'],
    })
    expect(read({ ...hello, capabilities: ['constructor', ''] })).toEqual(heard)
  })

  test.each([null, 'progress', {}, [1], [null], [['progress']], 7])(
    'with the capabilities %j is none',
    capabilities => {
      expect(read({ ...hello, capabilities })).toBeUndefined()
    },
  )
})

describe('progress', () => {
  const progress = { type: 'progress', commandId: awaited.wireId, nonce: awaited.nonce, step: 3, success: true }

  test('names the step that has ended', () => {
    expect(read(progress)).toEqual({ kind: 'progress', wireId: 'e1.0', step: 3, success: true })
  })

  test.each([
    ['of a request that nobody waits for', { commandId: 'e0.0' }],
    ['with the nonce of another request', { nonce: other.nonce }],
    ['without a nonce', { nonce: undefined }],
    ['of a step before the first', { step: -1 }],
    ['of a step that no list has', { step: 50 }],
    ['of half a step', { step: 0.5 }],
    ['of a step by its name', { step: '3' }],
    ['that does not say how the step ended', { success: undefined }],
    ['that says how the step ended in a word', { success: 'true' }],
  ])('%s is nothing', (_, more) => expect(read({ ...progress, ...more })).toBeUndefined())

  test('that is not whole is no damaged result', () => {
    expect(readFrame(JSON.stringify(progress).slice(0, -4), [awaited])).toBeUndefined()
  })
})

describe('the answer to a question', () => {
  test('names the step under way, or that the request is not known', () => {
    expect(read({ type: 'running', commandId: 'e1.0', step: 2 })).toEqual({ kind: 'running', wireId: 'e1.0', step: 2 })
    expect(read({ type: 'unknown', commandId: 'e1.0' })).toEqual({ kind: 'unknown', wireId: 'e1.0' })
  })

  test.each([
    { type: 'running', commandId: 'e0.0', step: 2 },
    { type: 'running', commandId: 'e1.0' },
    { type: 'running', commandId: 'e1.0', step: -1 },
    { type: 'running', commandId: 'e1.0', step: 1e9 },
    { type: 'unknown', commandId: 'e0.0' },
    { type: 'unknown', commandId: ['e1.0'] },
    { type: 'unknown' },
  ])('%j is nothing', frame => expect(read(frame)).toBeUndefined())
})

test('the result of one who waits', () => {
  expect(read({ type: 'result', envelope })).toEqual({
    kind: 'result',
    wireId: 'e1.0',
    result: { kind: 'done', envelope },
  })
})

test.each([
  ['of another execution', { type: 'result', envelope: wireEnvelopeOf({ ...awaited, wireId: 'e0.0' }) }],
  ['with another nonce', { type: 'result', envelope: wireEnvelopeOf({ ...awaited, nonce: other.nonce }) }],
  ['of a kind that is not known', { type: 'progress', envelope }],
  ['of no kind', { envelope }],
  ['that is not an object', null],
])('a frame %s is nothing', (_, value) => expect(read(value)).toBeUndefined())

test('a result of another shape is malformed', () => {
  expect(read({ type: 'result', envelope: { ...envelope, status: 1 } })).toMatchObject({
    wireId: 'e1.0',
    result: { kind: 'unknown', code: 'RESULT_ENVELOPE_MALFORMED' },
  })
})

test('a frame that is not JSON is malformed for the one it names, and nothing for others', () => {
  const text = JSON.stringify({ type: 'result', envelope }).slice(0, -4)
  expect(readFrame(text, [other, awaited])).toMatchObject({
    wireId: 'e1.0',
    result: { kind: 'unknown', code: 'RESULT_ENVELOPE_MALFORMED' },
  })
  expect(readFrame(text, [other])).toBeUndefined()
  expect(readFrame('', [other])).toBeUndefined()
})

test('a result whose data is nested too deeply is malformed, and one that nobody waits for is nothing', () => {
  const text = JSON.stringify({ type: 'result', envelope: { ...envelope, deep: 'HERE' } })
  const deep = text.replace('"HERE"', `${'['.repeat(20_000)}${']'.repeat(20_000)}`)
  const inStep = text
    .replace('"deep":"HERE"', '"x":1')
    .replace(
      /"stepResults":\[.*?\],/,
      `"stepResults":[{"id":"a","actionType":"b","success":true,"data":{"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}}],`,
    )
  const reason = expect.stringContaining('nested deeper than 200 levels')
  for (const frame of [deep, inStep]) {
    expect(readFrame(frame, [awaited])).toMatchObject({
      result: { kind: 'unknown', code: 'RESULT_ENVELOPE_MALFORMED', reason },
    })
    expect(readFrame(frame, [other])).toBeUndefined()
  }
})

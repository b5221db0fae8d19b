import { expect, test } from 'vitest'
import { readFrame } from '../../../src/operator/wire/read-frame.ts'
import { wireEnvelopeOf } from '../../support/operator-samples.ts'

const awaited = { wireId: 'e1.0', nonce: '0123456789abcdef0123456789abcdef' }
const other = { wireId: 'e2.0', nonce: 'f'.repeat(32) }
const envelope = wireEnvelopeOf(awaited)
const read = (value: unknown) => readFrame(JSON.stringify(value), [other, awaited])

test('a greeting', () => {
  expect(read({ type: 'hello', protocol: 1, package: 'com.x', version: '1' })).toEqual({
    kind: 'hello',
    protocol: 1,
    package: 'com.x',
  })
})

test('the result of one who waits', () => {
  expect(read({ type: 'result', envelope })).toEqual({
    kind: 'result',
    wireId: 'e1.0',
    verdict: { kind: 'envelope', envelope },
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
    verdict: { kind: 'malformed' },
  })
})

test('a frame that is not JSON is malformed for the one it names, and nothing for others', () => {
  const text = JSON.stringify({ type: 'result', envelope }).slice(0, -4)
  expect(readFrame(text, [other, awaited])).toMatchObject({ wireId: 'e1.0', verdict: { kind: 'malformed' } })
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
    expect(readFrame(frame, [awaited])).toMatchObject({ verdict: { kind: 'malformed', reason } })
    expect(readFrame(frame, [other])).toBeUndefined()
  }
})

/** How strictly lines and envelopes are read, where a host is milder. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Expected, judgeStepData, judgeText } from '../../../../src/device/operators/check/judge-envelope.ts'
import { answersIn } from '../../../../src/device/operators/check/read-answer.ts'

const awaited = { wireId: 'e1.0', nonce: 'ab'.repeat(16) }
const address = { commandId: awaited.wireId, nonce: awaited.nonce }
const SLEEP = { id: 's1', actionType: 'sleep', success: true, data: { duration_ms: '0' } }
const valid = { ...address, taskId: 't', status: 'success', stepResults: [SLEEP], error: null }
const expected: Expected = { ...address, taskId: 't', actions: [{ id: 's1', type: 'sleep' }] }

const line = (json: object) => `[Svc-Result] ${JSON.stringify(json)}`

const chunkLines = (text: string, size: number, more: object = {}) => {
  const bytes = Buffer.from(text)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const count = Math.ceil(bytes.length / size)
  return Array.from({ length: count }, (_, index) => {
    const data = bytes.subarray(index * size, (index + 1) * size).toString('base64')
    return `[Svc-Result-Chunk] ${JSON.stringify({ ...address, index, count, byteLength: bytes.length, sha256, data, ...more })}`
  })
}

const LONG = JSON.stringify({ ...valid, taskId: '世'.repeat(2_000) })
const chunks = chunkLines(LONG, 2_000)

describe('lines of a result', () => {
  test('one line, chunks, and one after the other', () => {
    expect(answersIn([line(valid)], awaited)).toEqual([{ text: JSON.stringify(valid), chunks: 0 }])
    expect(answersIn(chunks, awaited)).toEqual([{ text: LONG, chunks: chunks.length }])
    expect(answersIn([...chunks, line(valid)], awaited)).toHaveLength(2)
    expect(answersIn(chunks.slice(0, 2), awaited)).toEqual([])
  })

  const swapped = [chunks[1] ?? '', chunks[0] ?? '', ...chunks.slice(2)]
  test.each([
    ['chunks in another order', swapped, /Chunk 1 came where chunk 0/],
    ['a chunk twice', [...chunks.slice(0, 1), ...chunks], /Chunk 0 came where chunk 1/],
    ['a missing chunk', [...chunks.slice(0, 1), ...chunks.slice(2)], /Chunk 2 came where chunk 1/],
    ['another digest', chunkLines(LONG, 2_000, { sha256: '0'.repeat(64) }), /digest/],
    ['a chunk that is too large', chunkLines(LONG, 4_000), /shape \(data/],
    ['a long result on one line', [line({ ...valid, taskId: 'x'.repeat(4_000) })], /on one line/],
    ['another nonce', [line({ ...valid, nonce: 'cd'.repeat(16) })], /other ids/],
    ['a line that is cut off', [line(valid).slice(0, -10)], /is not one/],
    ['a result among its chunks', [...chunks.slice(0, 1), line(valid)], /amid its own chunks/],
  ])('%s is a breach', (_, lines, message) => {
    expect(() => answersIn(lines, awaited)).toThrow(message)
  })
})

describe('envelopes', () => {
  const failedStep = { ...SLEEP, success: false, data: { error: 'ACTION_FAILED', message: 'it ended' } }
  const error = { code: 'ACTION_FAILED', message: 'It ended.' }
  const failed = { ...valid, status: 'failed', stepResults: [failedStep], error, errorCode: 'ACTION_FAILED' }

  test('a success and a failure as documented', () => {
    expect(judgeText(JSON.stringify(valid), expected).status).toBe('success')
    expect(judgeText(JSON.stringify(failed), expected).status).toBe('failed')
  })

  test.each([
    ['an error that is a sentence', { ...failed, error: 'It ended.' }, /shape \(error/],
    [
      'data that are no strings',
      { ...valid, stepResults: [{ ...SLEEP, data: { duration_ms: 0 } }] },
      /shape \(stepResults/,
    ],
    ['another task', { ...valid, taskId: 'T' }, /taskId is "T"/],
    ['a success of a failed step', { ...valid, stepResults: [failedStep] }, /status is success/],
    ['a success without its steps', { ...valid, stepResults: [] }, /status is success/],
    ['a success with an error', { ...valid, error }, /an error is given/],
    [
      'a failure without a code',
      { ...failed, error: { code: 'it ended', message: 'x' }, errorCode: undefined },
      /no code/,
    ],
    ['a failed step without a reason', { ...failed, stepResults: [{ ...failedStep, data: {} }] }, /does not say why/],
    ['steps of another request', { ...valid, stepResults: [{ ...SLEEP, id: 's2' }] }, /not those of the request/],
  ])('%s is a breach', (_, envelope, message) => {
    expect(() => judgeText(JSON.stringify(envelope), expected)).toThrow(message)
  })

  test('a step that goes on after a failure is a breach', () => {
    const actions = ['s1', 's2'].map(id => ({ id, type: 'sleep' }))
    const envelope = { ...failed, stepResults: [failedStep, { ...SLEEP, id: 's2' }] }
    expect(() => judgeText(JSON.stringify(envelope), { ...expected, actions })).toThrow(/after one that had failed/)
  })

  test('data without a documented key is a breach', () => {
    expect(() => judgeStepData({ ...SLEEP, data: {} })).toThrow(/lacks duration_ms/)
  })
})

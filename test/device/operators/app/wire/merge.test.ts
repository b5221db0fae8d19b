import { describe, expect, test } from 'vitest'
import type { WireEnvelope } from '../../../../../src/contracts/device/operator.ts'
import { mergedEnvelope, partOf, type SegmentResult } from '../../../../../src/device/operators/app/wire/merge.ts'
import { executionOf, okStep, sleepStep, wireEnvelopeOf } from '../../../../support/device/operator-samples.ts'

const awaited = { wireId: 'e1.0', nonce: '0'.repeat(32) }
const execution = executionOf([sleepStep('a')])
const badStep = (id: string, error?: string, message?: string) => ({
  id,
  actionType: 'click',
  success: false,
  data: { ...(error ? { error } : {}), ...(message ? { message } : {}) },
})
const merged = (more: Partial<WireEnvelope>) => mergedEnvelope(execution, [partOf(wireEnvelopeOf(awaited, more))])

describe('the envelope that the caller gets', () => {
  test("has the caller's ids and all parts' steps in order", () => {
    const parts: SegmentResult[] = [
      partOf(wireEnvelopeOf(awaited, { stepResults: [okStep('a'), okStep('b')] })),
      { stepResults: [okStep('host')], error: null },
      partOf(wireEnvelopeOf(awaited, { stepResults: [okStep('c')] })),
    ]
    expect(mergedEnvelope(execution, parts)).toEqual({
      commandId: 'caller-command',
      taskId: 'caller-task',
      status: 'success',
      stepResults: [okStep('a'), okStep('b'), okStep('host'), okStep('c')],
      error: null,
    })
  })

  test('says nothing of wire id and nonce', () => {
    expect(JSON.stringify(merged({}))).not.toMatch(/e1\.0|0{32}/)
  })

  const failedStep = badStep('s', 'NODE_NOT_FOUND', 'No UI node found matching criteria text=x')
  const error = { code: 'NODE_NOT_FOUND', message: 'Step s failed.' }
  test.each<[string, Partial<WireEnvelope>, unknown]>([
    [
      'as it is',
      { status: 'failed', stepResults: [failedStep], error, errorCode: 'NODE_NOT_FOUND' },
      { error, errorCode: 'NODE_NOT_FOUND' },
    ],
    [
      'with details',
      { status: 'failed', error: { ...error, details: { a: 1 } } },
      { error: { ...error, details: { a: 1 } }, errorCode: 'NODE_NOT_FOUND' },
    ],
    ['without errorCode', { status: 'failed', error, errorCode: null }, { error, errorCode: 'NODE_NOT_FOUND' }],
    [
      'with a sentence for an error',
      { status: 'failed', error: 'It broke.', errorCode: 'GESTURE_FAILED' },
      { error: { code: 'GESTURE_FAILED', message: 'It broke.' }, errorCode: 'GESTURE_FAILED' },
    ],
    [
      'with a sentence and nothing but a failed step',
      { status: 'failed', error: 'It broke.', stepResults: [failedStep] },
      { error: { code: 'NODE_NOT_FOUND', message: 'It broke.' }, errorCode: 'NODE_NOT_FOUND' },
    ],
    [
      'with a sentence and nothing else',
      { status: 'failed', error: 'It broke.' },
      { error: { code: 'ACTION_FAILED', message: 'It broke.' }, errorCode: 'ACTION_FAILED' },
    ],
    [
      'with a bare code',
      { status: 'failed', error: 'SERVICE_UNAVAILABLE' },
      { error: { code: 'SERVICE_UNAVAILABLE', message: 'SERVICE_UNAVAILABLE' }, errorCode: 'SERVICE_UNAVAILABLE' },
    ],
    [
      'with a sentence in the place of the code',
      { status: 'failed', error: { code: 'it broke', message: 'm' }, errorCode: 'GESTURE_FAILED' },
      { error: { code: 'GESTURE_FAILED', message: 'm' }, errorCode: 'GESTURE_FAILED' },
    ],
    [
      'with sentences that begin or end with a code in the place of the codes',
      { status: 'failed', error: { code: 'GESTURE_FAILED again', message: 'm' }, errorCode: 'saw NODE_NOT_FOUND' },
      { error: { code: 'ACTION_FAILED', message: 'm' }, errorCode: 'ACTION_FAILED' },
    ],
    [
      'with the step only',
      { status: 'failed', stepResults: [failedStep] },
      {
        error: {
          code: 'NODE_NOT_FOUND',
          message: 'Step "s" (click) failed: No UI node found matching criteria text=x.',
        },
        errorCode: 'NODE_NOT_FOUND',
      },
    ],
    [
      'that claims success over a failed step',
      { status: 'success', stepResults: [okStep('a'), badStep('s')] },
      {
        error: { code: 'ACTION_FAILED', message: 'Step "s" (click) failed: no reason was given.' },
        errorCode: 'ACTION_FAILED',
      },
    ],
    [
      'with no word at all',
      { status: 'failed' },
      { error: { code: 'ACTION_FAILED', message: expect.any(String) }, errorCode: 'ACTION_FAILED' },
    ],
  ])('of a failed part: %s', (_, more, expected) => {
    const { status, error, errorCode } = merged(more)
    expect(status).toBe('failed')
    const { hint, ...said } = error ?? {}
    expect({ error: said, errorCode }).toEqual(expected)
    expect(hint).toMatch(/\.$/)
  })

  test('a success has no error, whatever the operator puts there', () => {
    const envelope = merged({ status: 'success', error: 'nothing', errorCode: 'X' })
    expect(envelope).toMatchObject({ status: 'success', error: null })
    expect(envelope).not.toHaveProperty('errorCode')
  })

  test('the failed part is the last, and what went before is kept', () => {
    const parts: SegmentResult[] = [
      { stepResults: [okStep('a')], error: null },
      {
        stepResults: [badStep('h', 'EVIDENCE_CAPTURE_FAILED')],
        error: { code: 'EVIDENCE_CAPTURE_FAILED', message: 'm' },
      },
    ]
    expect(mergedEnvelope(execution, parts)).toMatchObject({
      status: 'failed',
      errorCode: 'EVIDENCE_CAPTURE_FAILED',
      stepResults: [{ id: 'a' }, { id: 'h' }],
    })
  })
})

test('a sleep that its execution cut short needs a longer timeout, and no look at the screen', () => {
  const data = { error: 'ACTION_FAILED', message: 'the time of the execution ended within the sleep' }
  const hintOf = (actionType: 'sleep' | 'close_app') => {
    const stepResults = [{ id: 'a', actionType, success: false, data }]
    const part = { stepResults, error: { code: 'ACTION_FAILED', message: 'm' }, errorCode: 'ACTION_FAILED' }
    return mergedEnvelope(execution, [part]).error?.hint
  }
  expect(hintOf('sleep')).toContain('longer `timeoutMs`')
  expect(hintOf('close_app')).toContain('Take a snapshot')
})

test('an error without a hint has that of its code, and one with a hint keeps it', () => {
  const hintOf = (hint?: string) =>
    mergedEnvelope(execution, [
      { stepResults: [], error: { code: 'X', message: 'm', ...(hint ? { hint } : {}) }, errorCode: 'APP_NOT_FOUND' },
    ]).error?.hint
  expect(hintOf()).toContain('installed')
  expect(hintOf('Ask.')).toBe('Ask.')
})

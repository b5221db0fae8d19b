/** What an answer of a phone proves of an execution in doubt. */
import { describe, expect, test } from 'vitest'
import type { ResultAnswer } from '../../../../src/device/operators/app/ask-for-result.ts'
import { evidenceIn, evidenceInPart } from '../../../../src/service/executions/evidence/evidence-of.ts'
import type { RecordedExecution } from '../../../../src/service/executions/recorded.ts'
import { actionsOf, BACK, NAP, recordedOf, SHOT, TAP } from '../../../support/executions/recorded-execution.ts'

const LIST = actionsOf(BACK, NAP, BACK)

const segmentOf = (recorded: RecordedExecution = recordedOf(LIST)) => ({
  executionId: 'e1',
  recorded,
  first: recorded.lastStep ?? 0,
})

const answered = (steps: readonly [id: string, actionType: string, success: boolean][]): ResultAnswer => {
  const isFailed = steps.some(([, , success]) => !success)
  const stepResults = steps.map(([id, actionType, success]) => ({
    ...{ id, actionType, success },
    data: success ? {} : { error: 'GLOBAL_ACTION_FAILED', message: 'No.' },
  }))
  const error = isFailed ? { code: 'GLOBAL_ACTION_FAILED', message: 'No.' } : null
  const envelope = { commandId: 'e1.0', taskId: 't', nonce: '1'.repeat(32), stepResults, error }
  return { kind: 'result', from: 'operator', envelope: { ...envelope, status: isFailed ? 'failed' : 'success' } }
}

test('an envelope of all steps proves them all, and is the result', () => {
  const answer = answered([
    ['s0', 'press_key', true],
    ['s1', 'sleep', true],
    ['s2', 'press_key', true],
  ])
  expect(evidenceIn(segmentOf(), answer)).toMatchObject({
    type: 'execution.evidenced',
    executionId: 'e1',
    source: 'operator',
    outcome: 'done',
    steps: [0, 1, 2].map(step => ({ step, success: true })),
    body: { ok: true, envelope: { commandId: 'c', taskId: 't', status: 'success' } },
  })
})

test('an envelope with a failed step proves that the list failed there', () => {
  const answer = answered([
    ['s0', 'press_key', true],
    ['s1', 'sleep', false],
  ])
  expect(evidenceIn(segmentOf(), answer)).toMatchObject({
    outcome: 'failed',
    steps: [
      { step: 0, success: true },
      { step: 1, success: false },
    ],
    body: { ok: true, envelope: { status: 'failed', errorCode: 'GLOBAL_ACTION_FAILED' } },
  })
})

test.each([
  ['another id', [['other', 'press_key', true]]],
  ['another type', [['s0', 'click', true]]],
  ['more steps than were sent', [...LIST, { id: 's3', type: 'press_key' }].map(({ id, type }) => [id, type, true])],
] as [string, [string, string, boolean][]][])('an envelope with %s proves nothing', (_, steps) => {
  expect(evidenceIn(segmentOf(), answered(steps))).toBeUndefined()
})

test('the envelope of a later segment proves its steps by their places in the list, without a result', () => {
  const recorded = recordedOf(actionsOf(BACK, SHOT, NAP, BACK), { lastSegment: 2, lastStep: 2 })
  const answer = answered([
    ['s2', 'sleep', true],
    ['s3', 'press_key', true],
  ])
  const evidence = evidenceIn(segmentOf(recorded), answer)
  expect(evidence).toMatchObject({ outcome: 'done', steps: [{ step: 2 }, { step: 3 }] })
  expect(evidence).not.toHaveProperty('body')
})

test('an envelope of a segment with others behind it leaves those undone', () => {
  const recorded = recordedOf(actionsOf(BACK, SHOT, BACK))
  expect(evidenceIn(segmentOf(recorded), answered([['s0', 'press_key', true]]))).toMatchObject({
    outcome: 'failed',
    steps: [{ step: 0, success: true }],
  })
})

test('progress proves only what is not on record, and decides nothing', () => {
  const ended = new Map([[0, { success: true, source: 'progress', at: 1 } as const]])
  const progress = [
    { step: 0, success: true },
    { step: 1, success: true },
  ]
  const running: ResultAnswer = { kind: 'running', step: 2, progress, from: 'log' }
  const evidence = evidenceIn(segmentOf(recordedOf(LIST, { ended })), running)
  expect(evidence).toEqual({
    type: 'execution.evidenced',
    executionId: 'e1',
    source: 'log',
    steps: [{ step: 1, success: true }],
  })
  const unknown: ResultAnswer = { kind: 'unknown', progress: progress.slice(0, 1), from: 'log', isForgotten: true }
  expect(evidenceIn(segmentOf(recordedOf(LIST, { ended })), unknown)).toBeUndefined()
  expect(evidenceIn(segmentOf(), { kind: 'unanswered', reason: 'gone' })).toBeUndefined()
})

describe('the result of a part of a step', () => {
  const partOf = (step: object, ...results: Parameters<typeof answered>[0]) => {
    const recorded = recordedOf(actionsOf(BACK, step, BACK), { lastStep: 1, isPart: true })
    return evidenceInPart(segmentOf(recorded), answered(results))
  }

  test('proves a click done whose only gesture has succeeded', () => {
    expect(partOf(TAP, ['s1', 'click', true])).toEqual({
      ...{ type: 'execution.evidenced', executionId: 'e1', source: 'operator' },
      steps: [{ step: 1, success: true }],
    })
  })

  test.each([
    ['a look', TAP, ['svc-look', 'snapshot', true]],
    ['a look of the step', TAP, ['s1', 'snapshot', true]],
    ['a gesture that moves a cover away', TAP, ['s1', 'swipe', true]],
    ['a gesture that failed, of which another may follow', TAP, ['s1', 'click', false]],
    ['the first of several clicks', { ...TAP, params: { ...TAP.params, repeat: 2 } }, ['s1', 'click', true]],
    ['the click before a text', { type: 'enter_text', params: { text: 'a' } }, ['s1', 'click', true]],
  ] as [string, object, [string, string, boolean]][])('proves nothing by %s', (_, step, result) => {
    expect(partOf(step, result)).toBeUndefined()
  })
})

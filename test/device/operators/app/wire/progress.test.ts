import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inOrder, progressIn, type StepEnd } from '../../../../../src/device/operators/app/wire/progress.ts'

const awaited = { wireId: 'e1.0', nonce: 'ab'.repeat(16) }
const ended = (step: number, success = true): StepEnd => ({ step, success })

const taken = (stepCount: number, ends: readonly StepEnd[]) => {
  const heard: StepEnd[] = []
  const take = inOrder(stepCount, end => heard.push(end))
  for (const end of ends) take(end)
  return heard
}

describe('the steps that have ended', () => {
  test('are taken once each, also where the log is read twice', () => {
    expect(taken(4, [ended(0), ended(1), ended(0), ended(1), ended(2), ended(2)])).toEqual([
      ended(0),
      ended(1),
      ended(2),
    ])
  })

  test('may leave out those whose line was lost, but do not come back to them', () => {
    expect(taken(4, [ended(2), ended(0), ended(1), ended(3)])).toEqual([ended(2), ended(3)])
  })

  test('end with a failed one', () => {
    expect(taken(4, [ended(0), ended(1, false), ended(2), ended(1)])).toEqual([ended(0), ended(1, false)])
  })

  test('are never more than the request has', () => {
    expect(taken(2, [ended(2), ended(7), ended(1)])).toEqual([ended(1)])
    expect(taken(0, [ended(0)])).toEqual([])
  })

  test('are in order and within the request, whatever is told', () => {
    const anyEnd = fc.record({ step: fc.integer({ min: 0, max: 60 }), success: fc.boolean() })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.array(anyEnd), (stepCount, ends) => {
        const heard = taken(stepCount, ends)
        const steps = heard.map(({ step }) => step)
        expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b))
        expect(steps.every(step => step < stepCount)).toBe(true)
        expect(heard.slice(0, -1).every(({ success }) => success)).toBe(true)
      }),
    )
  })
})

describe('a line of the log', () => {
  const progress = { commandId: awaited.wireId, nonce: awaited.nonce, step: 1, success: true }
  const line = (value: unknown) => `[Svc-Progress] ${JSON.stringify(value)}`

  test('names the step that has ended', () => {
    expect(progressIn(line(progress), awaited)).toEqual(ended(1))
    expect(progressIn(line({ ...progress, success: false, at: 7 }), awaited)).toEqual(ended(1, false))
  })

  test.each([
    ['of another request', line({ ...progress, commandId: 'e1.1' })],
    ['with another nonce', line({ ...progress, nonce: 'cd'.repeat(16) })],
    ['whose nonce stands elsewhere', line({ ...progress, nonce: 'x', note: awaited.nonce })],
    ['of a step that no list has', line({ ...progress, step: 50 })],
    ['that is cut short', line(progress).slice(0, -1)],
    ['of nothing', '[Svc-Progress] '],
    ['of null', '[Svc-Progress] null'],
    ['behind other words', ` ${line(progress)}`],
    ['of a result', `[Svc-Result] ${JSON.stringify(progress)}`],
  ])('%s tells nothing', (_, text) => expect(progressIn(text, awaited)).toBeUndefined())
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutSegments, isHostAction } from '../../../src/operator/wire/segments.ts'
import { closeStep, sleepStep } from '../../support/operator-samples.ts'

const shapeOf = (segments: ReturnType<typeof cutSegments>) =>
  segments.map(segment =>
    segment.kind === 'host' ? segment.action.id : segment.actions.map(action => action.id).join('+'),
  )

describe('segments', () => {
  test.each([
    ['operator steps travel together', [sleepStep('a'), sleepStep('b')], ['a+b']],
    ['host steps stay where they are listed', [sleepStep('a'), closeStep('x'), sleepStep('b')], ['a', 'x', 'b']],
    ['a host step first', [closeStep('x'), sleepStep('a'), sleepStep('b')], ['x', 'a+b']],
    ['a host step last', [sleepStep('a'), closeStep('x')], ['a', 'x']],
    ['each host step is one', [closeStep('x'), closeStep('y')], ['x', 'y']],
  ])('%s', (_, actions, expected) => expect(shapeOf(cutSegments(actions))).toEqual(expected))

  test('keep every step, in order, with no two operator segments side by side, and count up', () => {
    const action = fc.boolean().map(host => (host ? closeStep('h') : sleepStep('o')))
    fc.assert(
      fc.property(fc.array(action, { minLength: 1, maxLength: 50 }), actions => {
        const segments = cutSegments(actions)
        expect(segments.flatMap(segment => (segment.kind === 'host' ? [segment.action] : segment.actions))).toEqual(
          actions,
        )
        expect(segments.map(({ index }) => index)).toEqual([...segments.keys()])
        for (const [index, segment] of segments.entries()) {
          if (segment.kind === 'host') expect(isHostAction(segment.action)).toBe(true)
          else {
            expect(segment.actions.some(isHostAction)).toBe(false)
            expect(segments[index + 1]?.kind).not.toBe('operator')
          }
        }
      }),
    )
  })
})

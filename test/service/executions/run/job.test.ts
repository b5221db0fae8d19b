import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { OperatorRequest } from '../../../../src/contracts/device/operator.ts'
import type { Action } from '../../../../src/contracts/executions/action.ts'
import { freshNonce, operatorRequest, wireIdOf } from '../../../../src/device/operators/app/segment-request.ts'
import { cutSegments, isHostAction } from '../../../../src/device/operators/segment.ts'
import { systemIds } from '../../../../src/runtime/ids.ts'
import { accept } from '../../../contracts/parse.ts'
import { closeStep, EXECUTION_ID, executionOf, sleepStep } from '../../../support/device/operator-samples.ts'

const execution = executionOf([sleepStep('a'), sleepStep('b')], { mode: 'direct' })
const awaited = { wireId: wireIdOf(EXECUTION_ID, 3), nonce: freshNonce(systemIds()) }
const request = (timeLeftMs: number) =>
  operatorRequest({ execution, actions: execution.actions.slice(1), awaited, timeLeftMs })

describe('a request', () => {
  test('is the execution under its wire id, with a nonce, the protocol, and the steps of the segment', () => {
    const sent = request(execution.timeoutMs)
    expect(sent).toEqual({
      ...execution,
      commandId: `${EXECUTION_ID}.3`,
      nonce: awaited.nonce,
      protocol: 1,
      actions: [execution.actions[1]],
    })
    expect(accept(OperatorRequest, sent)).toEqual(sent)
  })

  test.each([
    [30_000, 30_000],
    [12_345.6, 12_345],
    [40_000, 30_000],
    [999, 1_000],
    [-5, 1_000],
  ])('with %d ms left it has %d ms', (left, timeoutMs) => expect(request(left).timeoutMs).toBe(timeoutMs))

  test('nonces are 128 bits in hex, and no two are the same', () => {
    const nonces = Array.from({ length: 1_000 }, () => freshNonce(systemIds()))
    expect(new Set(nonces).size).toBe(1_000)
    for (const nonce of nonces) expect(nonce).toMatch(/^[0-9a-f]{32}$/)
  })
})

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

  const key = (name: string, longPress?: boolean): Action => ({
    id: 'k',
    type: 'press_key',
    params: { key: name, ...(longPress === undefined ? {} : { longPress }) },
  })
  const open = (params: object) =>
    ({ id: 'o', type: 'open_app', params: { applicationId: 'com.x', ...params } }) as Action

  test.each<[string, Action, boolean]>([
    ['a key that operators know', key('back'), false],
    ['a key that they do not know', key('volume_up'), true],
    ['a key that is held down, which they cannot', key('back', true), true],
    ['an app, opened', open({}), false],
    ['an app, opened with its data cleared', open({ clearState: true }), true],
    ['an address in a browser', { id: 'u', type: 'open_uri', params: { uri: 'https://a.b', browser: true } }, true],
    ['an address', { id: 'u', type: 'open_uri', params: { uri: 'https://a.b' } }, false],
  ])('the host performs what operators do not know: %s', (_, action, isHost) => {
    expect(cutSegments([action]).map(({ kind }) => kind)).toEqual([isHost ? 'host' : 'operator'])
  })

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

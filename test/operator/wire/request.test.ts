import { describe, expect, test } from 'vitest'
import { OperatorRequest } from '../../../src/contracts/operator.ts'
import { freshNonce, operatorRequest, wireIdOf } from '../../../src/operator/wire/request.ts'
import { systemIds } from '../../../src/runtime/ids.ts'
import { accept } from '../../contracts/parse.ts'
import { EXECUTION_ID, executionOf, sleepStep } from '../../support/operator-samples.ts'

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

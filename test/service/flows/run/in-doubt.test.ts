/** What an attempt has done is proven by its receipts alone. */
import { describe, expect, test } from 'vitest'
import type { Receipt } from '../../../../src/contracts/executions/receipt.ts'
import { executionInDoubt, mayHaveActed } from '../../../../src/service/flows/run/in-doubt.ts'

const actions = [
  { id: 'step-1', type: 'wait_for_node' },
  { id: 'step-2', type: 'click' },
]
const lost = { ok: false as const, error: { code: 'DEVICE_LINK_LOST', message: 'gone', retriable: false } }
const receipt = (facts: Partial<Receipt>): Receipt => ({
  executionId: 'e1',
  commandId: 'c',
  taskId: 't',
  deviceId: 'd',
  acceptedAt: 1,
  state: 'settled',
  actions,
  ...facts,
})

describe('an execution', () => {
  test.each<[string, Partial<Receipt>, boolean]>([
    ['that was refused before anything was sent', { result: lost }, false],
    ['that was sent, without proof', { dispatchedAt: 2, result: lost }, true],
    ['of which a tap may have run', { dispatchedAt: 2, result: lost, doubtfulSteps: ['step-2'] }, true],
    ['of which only a look may have run', { dispatchedAt: 2, result: lost, doubtfulSteps: ['step-1'] }, false],
    ['of which every step is proven', { dispatchedAt: 2, result: lost, doubtfulSteps: [] }, false],
    ['that is still under way', { state: 'dispatched', dispatchedAt: 2 }, true],
    ['that waits for its phone', { state: 'waiting' }, true],
    ['whose host died before it was sent', { state: 'interrupted', result: lost }, false],
  ])('%s', (_, facts, isDoubt) => {
    expect(mayHaveActed(receipt(facts))).toBe(isDoubt)
  })
})

test('an attempt is in doubt where the host of one of its executions does not answer', async () => {
  const commands = [{ executionIds: ['e1', 'e2'] }] as never
  const asked = async (executionId: string) => {
    if (executionId === 'e2') throw new Error('the host does not answer')
    return undefined
  }
  expect(await executionInDoubt({ commands }, { receipt: asked })).toBe('e2')
})

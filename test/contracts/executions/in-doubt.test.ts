/** A receipt says whether anything may have acted without proof. */
import { expect, test } from 'vitest'
import { isInDoubt, wasDispatched } from '../../../src/contracts/executions/in-doubt.ts'
import type { Receipt } from '../../../src/contracts/executions/receipt.ts'

const look = { id: 'step-1', type: 'wait_for_node' }
const tap = { id: 'step-2', type: 'click' }
const lost = { ok: false as const, error: { code: 'DEVICE_LINK_LOST', message: 'gone', retriable: false } }
const receipt = (facts: Partial<Receipt>): Receipt => ({
  executionId: 'e1',
  commandId: 'c',
  taskId: 't',
  deviceId: 'd',
  acceptedAt: 1,
  state: 'settled',
  actions: [look, tap],
  ...facts,
})
const sent = { dispatchedAt: 2, result: lost }

test.each<[string, Partial<Receipt>, boolean]>([
  ['that was refused before anything was sent', { result: lost }, false],
  ['that was sent, without proof', sent, true],
  ['that was sent and names no doubtful steps, where all of them look', { ...sent, actions: [look] }, false],
  ['of which a tap may have run', { ...sent, doubtfulSteps: ['step-2'] }, true],
  ['of which nothing that acts may have run without proof', { ...sent, doubtfulSteps: [] }, false],
  ['that is still under way', { state: 'dispatched', dispatchedAt: 2 }, true],
  ['that waits for its phone', { state: 'waiting' }, true],
  ['whose host died before it was sent', { state: 'interrupted', result: lost }, false],
])('an execution %s', (_, facts, isSo) => {
  expect(isInDoubt(receipt(facts))).toBe(isSo)
})

test('a receipt that has lost its steps is judged by those of the caller, if there are any', () => {
  const { actions: _, ...bare } = receipt(sent)
  expect(isInDoubt(bare)).toBe(true)
  expect(isInDoubt(bare, [look])).toBe(false)
  expect(isInDoubt(bare, [look, tap])).toBe(true)
})

test.each<[string, Partial<Receipt>, boolean | 'unknown']>([
  ['with its dispatch on record', { state: 'dispatched', dispatchedAt: 2 }, true],
  ['that is over without one', { state: 'interrupted' }, false],
  ['that waits for its phone, and may be sent yet,', { state: 'waiting' }, 'unknown'],
  ['that was accepted, and may be sent yet,', { state: 'accepted' }, 'unknown'],
])('an execution %s tells it', (_, facts, dispatched) => {
  expect(wasDispatched(receipt(facts))).toBe(dispatched)
})

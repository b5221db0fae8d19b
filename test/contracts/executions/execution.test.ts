import { describe, expect, test } from 'vitest'
import { ACTION_TYPES } from '../../../src/contracts/executions/action.ts'
import { Execution } from '../../../src/contracts/executions/execution.ts'
import { ACTIONS_MAX } from '../../../src/contracts/limits/limits.ts'
import { accept, complaints } from '../parse.ts'
import { actions, execution } from '../samples/execution.ts'

const snapshots = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `s${i}`, type: 'snapshot' }))
const REQUIRED = ['commandId', 'taskId', 'source', 'expectedFormat', 'timeoutMs', 'actions']

test('the least payload is accepted as it is', () => {
  expect(accept(Execution, { ...execution, actions: snapshots(1) })).toEqual({ ...execution, actions: snapshots(1) })
})

test.each(REQUIRED)('%s is required', key => {
  const rest = Object.fromEntries(Object.entries(execution).filter(([name]) => name !== key))
  expect(complaints(Execution, rest)).toEqual([key])
})

test.each([
  ['commandId', 128],
  ['taskId', 128],
  ['source', 64],
])('%s has 1 to %i characters', (key, max) => {
  for (const value of ['x', 'ü😀 /', 'x'.repeat(max)])
    expect(complaints(Execution, { ...execution, [key]: value })).toEqual([])
  for (const value of ['', 'x'.repeat(max + 1), 1, null, 'a\0b', 'a\ud800b', '\udfff']) {
    expect(complaints(Execution, { ...execution, [key]: value })).toEqual([key])
  }
})

test('the id of an action has 1 to 128 characters', () => {
  const withId = (id: unknown) => ({ ...execution, actions: [{ id, type: 'snapshot' }] })
  for (const id of ['x', 'x'.repeat(128)]) expect(complaints(Execution, withId(id))).toEqual([])
  for (const id of ['', 'x'.repeat(129), 1, null, '\0'])
    expect(complaints(Execution, withId(id))).toEqual(['actions.0.id'])
  expect(complaints(Execution, { ...execution, actions: [{ type: 'snapshot' }] })).toEqual(['actions.0.id'])
})

test('two actions may have the same id', () => {
  expect(complaints(Execution, { ...execution, actions: [...snapshots(1), ...snapshots(1)] })).toEqual([])
})

test('mode is optional: direct or artifact_compiled', () => {
  for (const mode of ['direct', 'artifact_compiled']) expect(accept(Execution, { ...execution, mode }).mode).toBe(mode)
  for (const mode of ['compiled', '', null]) expect(complaints(Execution, { ...execution, mode })).toEqual(['mode'])
  expect(accept(Execution, execution)).not.toHaveProperty('mode')
})

describe('types', () => {
  test('all 48 are known, each with a sample', () => {
    expect(ACTION_TYPES).toHaveLength(48)
    expect(new Set(actions.map(action => action.type))).toEqual(new Set(ACTION_TYPES))
    for (const part of [actions.slice(0, ACTIONS_MAX), actions.slice(ACTIONS_MAX)]) {
      expect(complaints(Execution, { ...execution, actions: part })).toEqual([])
    }
  })
})

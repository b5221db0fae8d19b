import { describe, expect, test } from 'vitest'
import { IDEMPOTENCY_KEEP_MS } from '../../src/contracts/limits.ts'
import type { ExecuteRequest } from '../../src/executions/execute.ts'
import { createKeys, payloadDigest } from '../../src/executions/idempotency.ts'
import { memoryJournal } from '../../src/runtime/journal/memory.ts'
import { manualClock } from '../support/manual-clock.ts'

const me = { pid: 1, started: 'a' }
const other = { pid: 2, started: 'b' }

const setup = () => {
  const clock = manualClock()
  const journal = memoryJournal({ alive: () => true, clock })
  const dead = new Set<number>()
  const alive = ({ pid }: { pid: number }) => !dead.has(pid)
  return {
    clock,
    journal,
    dead,
    mine: createKeys({ journal, clock, self: me, alive }),
    theirs: createKeys({ journal, clock, self: other, alive }),
  }
}

const accept = (journal: ReturnType<typeof setup>['journal'], executionId: string) =>
  journal.append(
    { actor: 'd', n: 0, machine: 'device', version: 1, at: 1, event: { type: 'x' }, from: '', to: '', tags: [] },
    { receipt: { executionId, commandId: 'c', taskId: 't', deviceId: 'd', state: 'accepted', acceptedAt: 1 } },
  )

describe('a key', () => {
  test('belongs to who takes it first, in any process', () => {
    const { mine, theirs } = setup()
    expect(mine.take('k', 'p', 'e1')).toEqual({ kind: 'taken' })
    expect(theirs.take('k', 'p', 'e2')).toEqual({ kind: 'used', executionId: 'e1' })
    expect(mine.take('k', 'p', 'e3')).toEqual({ kind: 'used', executionId: 'e1' })
    expect(theirs.take('k', 'other payload', 'e4')).toEqual({ kind: 'reused' })
    expect(theirs.take('another', 'p', 'e5')).toEqual({ kind: 'taken' })
  })

  test('is free again after a refusal that came before acceptance, and only for the one who had it', () => {
    const { mine, theirs } = setup()
    mine.take('k', 'p', 'e1')
    theirs.free('k', 'e2')
    expect(mine.isTakenBy('k', 'e1')).toBe(true)
    mine.free('k', 'e1')
    expect(theirs.take('k', 'other payload', 'e3')).toEqual({ kind: 'taken' })
  })

  test('whose taker died before acceptance has run nothing, and is taken again', () => {
    const { mine, theirs, dead } = setup()
    mine.take('k', 'p', 'e1')
    dead.add(me.pid)
    expect(theirs.take('k', 'p', 'e2')).toEqual({ kind: 'taken' })
  })

  test('whose taker died after acceptance stays used for ever: its receipt says what became of it', () => {
    const { mine, theirs, dead, journal } = setup()
    mine.take('k', 'p', 'e1')
    accept(journal, 'e1')
    dead.add(me.pid)
    expect(theirs.take('k', 'p', 'e2')).toEqual({ kind: 'used', executionId: 'e1' })
  })

  test('is kept for 24 hours', () => {
    const { mine, clock } = setup()
    mine.take('k', 'p', 'e1')
    clock.advance(IDEMPOTENCY_KEEP_MS - 1)
    expect(mine.take('k', 'p', 'e2').kind).toBe('used')
    clock.advance(1)
    expect(mine.take('k', 'other payload', 'e3')).toEqual({ kind: 'taken' })
  })
})

test('a payload is the same however its keys are ordered, and another with another device or operator', () => {
  const request = (execution: object, more: Partial<ExecuteRequest> = {}) =>
    payloadDigest({ execution, operatorPackage: 'p', screenshots: {}, ...more } as unknown as ExecuteRequest)
  const same = request({ a: 1, b: [{ c: 2, d: 3 }] })
  expect(request({ b: [{ d: 3, c: 2 }], a: 1 })).toBe(same)
  expect(request({ a: 1, b: [{ c: 2, d: 3 }] }, { deviceId: ' ' })).toBe(same)
  expect(request({ a: 1, b: [{ c: 2, d: 3 }] }, { deviceId: 'x' })).not.toBe(same)
  expect(request({ a: 1, b: [{ c: 2, d: 3 }] }, { operatorPackage: 'q' })).not.toBe(same)
  expect(request({ a: 1, b: [{ c: 2, d: 4 }] })).not.toBe(same)
})

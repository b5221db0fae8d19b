/** How long each party waits: every one longer than the one it asks, whichever name the timeout has. */
import { describe, expect, test } from 'vitest'
import { ENVELOPE_GRACE_MS, EXECUTION_TIMEOUT_MS, SKILL_TIMEOUT_MS } from '../../src/contracts/limits/limits.ts'
import { ROUTES, type RouteId } from '../../src/contracts/operations/routes.ts'
import { answerBound, clientTimeout, executionTimeout, requestTimeout } from '../../src/service/deadline.ts'

describe('an execution', () => {
  test.each([
    ['timeoutMs', { timeoutMs: 110_000 }],
    ['its other name', { timeout_ms: 110_000 }],
    ['both, where the first one counts', { timeoutMs: 110_000, timeout_ms: 5 }],
  ])('is waited for by %s', (_name, execution) => {
    expect(executionTimeout(execution)).toBe(110_000)
    expect(requestTimeout('execute', { execution })).toBeGreaterThan(110_000 + ENVELOPE_GRACE_MS)
  })

  test.each([{}, { timeoutMs: '5' }, { timeoutMs: 0 }, { timeoutMs: Number.NaN }, null, 'x'])(
    'that says no timeout, as %j, is given the longest one',
    execution => expect(executionTimeout(execution)).toBe(EXECUTION_TIMEOUT_MS.max),
  )
})

test('a skill run is waited for as long as it may take', () => {
  expect(requestTimeout('skills.run', { timeoutMs: 900_000 })).toBeGreaterThan(900_000)
  expect(requestTimeout('skills.run', {})).toBeGreaterThan(SKILL_TIMEOUT_MS)
})

describe('a request that waits for its phone', () => {
  const WAIT_MS = 900_000
  test.each<[RouteId, object]>([
    ['execute', { execution: { timeoutMs: 30_000 } }],
    ['skills.run', { timeoutMs: 30_000 }],
    ['leases.create', {}],
  ])('is given that time on top of its work: %s', (id, input) => {
    const more = requestTimeout(id, { ...input, waitMs: WAIT_MS }) - requestTimeout(id, input)
    expect(more).toBe(WAIT_MS)
  })

  test('is not waited for without end, whatever it names', () => {
    const day = 24 * 60 * 60_000
    expect(requestTimeout('execute', { execution: {}, waitMs: day })).toBeLessThan(day)
  })
})

test('a resumed execution is waited for whatever its timeout was, which only its host knows', () => {
  expect(requestTimeout('executions.resume', {})).toBeGreaterThan(EXECUTION_TIMEOUT_MS.max + ENVELOPE_GRACE_MS)
})

test('a command waits longer than the host that it asks, whatever the request', () => {
  const ids = Object.keys(ROUTES) as RouteId[]
  expect(ids.filter(id => clientTimeout(id, {}) <= requestTimeout(id, {}))).toEqual([])
})

describe('the bound of a caller', () => {
  test('leaves time for the way back', () => {
    expect(answerBound(1_000, { answerWithinMs: 30_000 })).toBeLessThan(30_000)
    expect(answerBound(1_000, {})).toBeUndefined()
  })

  test('over the network leaves time to open the device, also where it is just the timeout', () => {
    expect(answerBound(5_000, { answerWithinMs: 5_000, isStranger: true })).toBeGreaterThan(5_000)
    const wide = { answerWithinMs: 60_000 }
    expect(answerBound(5_000, { ...wide, isStranger: true })).toBe(answerBound(5_000, wide))
  })
})

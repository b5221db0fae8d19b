import { describe, expect, test } from 'vitest'
import { POLL_MS } from '../../../src/device/screen/retry.ts'
import { StepFailure } from '../../../src/device/screen/step-failure.ts'
import { node, screen } from '../../support/device/fake-ui-driver.ts'
import type { ManualClock } from '../../support/manual-clock.ts'
import { act } from '../screen/act.ts'

const showing = (ms: number) => (clock: ManualClock) => {
  const from = clock.now() + ms
  const target = node({ resourceId: 'id', contentDesc: 'Ready' })
  return { tree: () => (clock.now() < from ? undefined : screen(target)) }
}

describe('wait_for_node', () => {
  const matcher = { contentDescEquals: 'Ready' }

  test.each([0, 700, 9_990])('finds what comes after %i ms', async ms => {
    const { data, elapsedMs } = await act({ type: 'wait_for_node', params: { matcher } }, { uiAt: showing(ms) })
    expect(data).toEqual({ resource_id: 'id', label: 'Ready', elapsed_ms: String(elapsedMs) })
    expect(elapsedMs).toBeGreaterThanOrEqual(ms)
    expect(elapsedMs).toBeLessThanOrEqual(ms + 200)
  })

  test.each([
    { given: {}, ms: 10_000 },
    { given: { timeoutMs: 1 }, ms: 1 },
    { given: { timeoutMs: 2_500 }, ms: 2_500 },
  ])('ends after $ms ms, having looked at that very moment', async ({ given, ms }) => {
    const input = { type: 'wait_for_node', params: { matcher, ...given } } as const
    const late = await act(input, { uiAt: showing(ms + 10) })
    expect(late.data).toEqual({
      error: 'NODE_NOT_FOUND',
      message: expect.stringContaining(
        `No UI node found matching criteria contentDescEquals=Ready within ${late.elapsedMs} ms`,
      ),
    })
    expect(late.elapsedMs).toBe(Math.max(ms, 5))
    const justInTime = await act(input, { uiAt: showing(ms) })
    expect(justInTime.data).toMatchObject({ label: 'Ready' })
  })

  test('what appears after 300 ms is seen at the next look', async () => {
    const { data } = await act({ type: 'wait_for_node', params: { matcher } }, { uiAt: showing(300) })
    expect(Number(data.elapsed_ms)).toBeGreaterThanOrEqual(300)
    expect(Number(data.elapsed_ms)).toBeLessThanOrEqual(300 + POLL_MS.longest)
  })

  test('a retry begins a wait anew', async () => {
    const params = { matcher, timeoutMs: 1_000, retry: { maxAttempts: 3, initialDelayMs: 0 } }
    const { data } = await act({ type: 'wait_for_node', params }, { uiAt: showing(2_500) })
    expect(data).toMatchObject({ label: 'Ready' })
  })

  test('the end of the execution is the end of the wait', async () => {
    const { data, elapsedMs } = await act(
      { type: 'wait_for_node', params: { matcher } },
      { uiAt: showing(60_000), deadline: 1_000_000 + 3_000 },
    )
    expect(data).toMatchObject({ error: 'NODE_NOT_FOUND' })
    expect(elapsedMs).toBe(3_000)
  })
})

describe('wait_for_navigation', () => {
  const wait = (params: object, ui: (clock: ManualClock) => object) =>
    act({ type: 'wait_for_navigation', params } as Parameters<typeof act>[0] & object, { uiAt: ui })
  const arriving = (packageMs: number, nodeMs: number) => (clock: ManualClock) => {
    const began = clock.now()
    return { ...showing(nodeMs)(clock), front: () => (clock.now() < began + packageMs ? 'launcher' : 'com.example') }
  }

  test.each([
    [{ expectedPackage: 'com.other' }, /^package com\.other did not come .* ms; com\.example is in front$/],
    [{ expectedNode: { resourceId: 'absent' } }, /^a node with resourceId=absent did not come .* is in front/],
  ])('says what did not come, and what is in front instead', async (expected, message) => {
    const { data } = await wait({ ...expected, timeoutMs: 500 }, arriving(0, 0))
    expect(data).toMatchObject({ error: 'NAVIGATION_TIMEOUT', message: expect.stringMatching(message) })
  })

  test.each([
    { params: { expectedPackage: 'com.example' }, packageMs: 500, nodeMs: 99_999, ms: 500 },
    { params: { expectedNode: { resourceId: 'id' } }, packageMs: 0, nodeMs: 900, ms: 900 },
    {
      params: { expectedPackage: 'com.example', expectedNode: { resourceId: 'id' } },
      packageMs: 500,
      nodeMs: 900,
      ms: 900,
    },
  ])('waits for $params', async ({ params, packageMs, nodeMs, ms }) => {
    const { data, elapsedMs } = await wait({ ...params, timeoutMs: 30_000 }, arriving(packageMs, nodeMs))
    expect(data).toEqual({ resolved_package: 'com.example', elapsed_ms: String(elapsedMs) })
    expect(elapsedMs).toBeGreaterThanOrEqual(ms)
    expect(elapsedMs).toBeLessThanOrEqual(ms + 200)
  })

  test('names what it waited for, and what is in front', async () => {
    const params = { expectedPackage: 'com.example', expectedNode: { resourceId: 'id' }, timeoutMs: 1_000 }
    const { data } = await wait(params, arriving(5_000, 0))
    expect(data).toEqual({
      error: 'NAVIGATION_TIMEOUT',
      message:
        'package com.example and a node with resourceId=id did not come to the front within 1000 ms; launcher is in front',
    })
  })
})

describe('sleep', () => {
  test.each([0, 1_500, 120_000])('%i ms', async durationMs => {
    const { data, elapsedMs } = await act({ type: 'sleep', params: { durationMs } })
    expect(data).toEqual({ duration_ms: String(durationMs) })
    expect(elapsedMs).toBe(Math.max(durationMs, 5))
  })

  test('cut off by the end of the execution has failed', async () => {
    const { data, elapsedMs } = await act({ type: 'sleep', params: { durationMs: 5_000 } }, { deadline: 1_002_000 })
    expect(data).toMatchObject({ error: 'ACTION_FAILED' })
    expect(elapsedMs).toBe(2_000)
  })
})

describe('a screen that cannot be seen', () => {
  const matcher = { textEquals: 'Ready' }
  const unseen = () => {
    throw new StepFailure('SNAPSHOT_HIERARCHY_UNAVAILABLE', 'the screen is never still', { hint: 'pause the video' })
  }

  test('does not show the node yet; that it could not be seen is said in the end', async () => {
    const { data, error } = await act(
      { type: 'wait_for_node', params: { matcher, timeoutMs: 500 } },
      { ui: { tree: unseen } },
    )
    expect(data).toMatchObject({
      error: 'NODE_NOT_FOUND',
      message: expect.stringContaining('; the screen could not be read: the screen is never still'),
    })
    expect(error).toMatchObject({ hint: 'pause the video' })
  })

  test('is looked at again', async () => {
    let looks = 0
    const tree = () => (++looks < 4 ? unseen() : screen(node({ text: 'Ready' })))
    const navigation = { type: 'wait_for_navigation', params: { expectedNode: matcher, timeoutMs: 5_000 } } as const
    const { data } = await act([{ type: 'wait_for_node', params: { matcher } }, navigation], { ui: { tree } })
    expect(data).toMatchObject({ resolved_package: 'com.example' })
  })

  test('at the last moment only is not a reason, when it was seen before', async () => {
    const { data } = await act(
      { type: 'wait_for_node', params: { matcher, timeoutMs: 500 } },
      {
        uiAt: clock => {
          const until = clock.now() + 500
          return { tree: () => (clock.now() >= until ? undefined : screen(node({ text: 'Loading' }))) }
        },
      },
    )
    expect(data.message).toMatch(/within \d+ ms$/)
  })

  test('is given up when the time of the step is over', async () => {
    const asked: (number | undefined)[] = []
    const began = 1_000_000
    await act(
      { type: 'wait_for_node', params: { matcher, timeoutMs: 400 } },
      { ui: { tree: () => undefined, onTree: until => asked.push(until) } },
    )
    expect(new Set(asked)).toEqual(new Set([began + 400]))
  })
})

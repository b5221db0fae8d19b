import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Retry } from '../../../src/contracts/actions/shape.ts'
import { RETRY_ATTEMPTS } from '../../../src/contracts/limits/limits.ts'
import { matchHere } from '../../../src/device/screen/patterns/pattern.ts'
import { delayAfter, poll, RETRY_DEFAULTS, retrying } from '../../../src/device/screen/retry.ts'
import { StepFailure } from '../../../src/device/screen/step-failure.ts'
import { runOut } from '../../support/cli/run-out.ts'
import { fakeDriver } from '../../support/device/fake-ui-driver.ts'
import { manualClock } from '../../support/manual-clock.ts'

const setup = (more: { deadline?: number; signal?: AbortSignal; random?: () => number } = {}) => {
  const clock = manualClock(0)
  const signal = new AbortController().signal
  const context = {
    driver: fakeDriver(),
    clock,
    signal,
    random: () => 0.5,
    matchPattern: matchHere,
    deadline: Number.POSITIVE_INFINITY,
    ...more,
  }
  const at: number[] = []
  const failing =
    (error: Error = new StepFailure('NODE_NOT_FOUND', 'gone')) =>
    async () => {
      at.push(clock.now())
      throw error
    }
  return { clock, context, at, failing }
}

describe('retrying', () => {
  test('without a Retry tries once', async () => {
    const { context, at, failing } = setup()
    await expect(retrying(undefined, context, failing())).rejects.toThrow('gone')
    expect(at).toEqual([0])
  })

  test('with an empty Retry uses the defaults', async () => {
    const { clock, context, at, failing } = setup()
    await expect(runOut(retrying({}, context, failing()), clock)).rejects.toThrow('gone')
    expect(at).toEqual([0, 200, 600])
  })

  test('backs off up to the longest delay', async () => {
    const { clock, context, at, failing } = setup()
    const retry = { maxAttempts: 5, initialDelayMs: 100, backoffMultiplier: 3, maxDelayMs: 500 }
    await expect(runOut(retrying(retry, context, failing()), clock)).rejects.toThrow('gone')
    expect(at).toEqual([0, 100, 400, 900, 1_400])
  })

  test('answers with the first success', async () => {
    const { clock, context } = setup()
    let tries = 0
    const work = async () => {
      tries += 1
      if (tries < 3) throw new StepFailure('GESTURE_FAILED', 'no')
      return tries
    }
    expect(await runOut(retrying({}, context, work), clock)).toBe(3)
  })

  test('never waits past the time of the execution', async () => {
    const { clock, context, at, failing } = setup({ deadline: 500 })
    await expect(runOut(retrying({}, context, failing()), clock)).rejects.toThrow('gone')
    expect(at).toEqual([0, 200])
  })

  test.each([
    ['a lost link', new Error('lost')],
    ['an unsupported action', new StepFailure('EXECUTION_ACTION_UNSUPPORTED', 'lost')],
  ])('%s is not tried again', async (_name, error) => {
    const { context, at, failing } = setup()
    await expect(retrying({}, context, failing(error))).rejects.toThrow('lost')
    expect(at).toEqual([0])
  })

  test('an abort ends the wait at once', async () => {
    const controller = new AbortController()
    const { context, at, failing } = setup({ signal: controller.signal })
    const work = retrying({}, context, failing())
    await Promise.resolve()
    controller.abort(new Error('cancelled'))
    await expect(work).rejects.toThrow('cancelled')
    expect(at).toEqual([0])
  })
})

const anyRetry: fc.Arbitrary<Retry> = fc.record(
  {
    maxAttempts: fc.integer(RETRY_ATTEMPTS),
    initialDelayMs: fc.integer({ min: 0, max: 30_000 }),
    maxDelayMs: fc.integer({ min: 0, max: 60_000 }),
    backoffMultiplier: fc.double({ min: 1, max: 5, noNaN: true }),
    jitterRatio: fc.double({ min: 0, max: 1, noNaN: true }),
  },
  { requiredKeys: [] },
)

describe('delays', () => {
  const unit = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })

  test('are between nothing and the longest delay, whatever the dice say', () => {
    fc.assert(
      fc.property(anyRetry, fc.integer({ min: 1, max: 10 }), unit, (retry, attempt, dice) => {
        const delay = delayAfter(attempt, retry, () => dice)
        expect(delay).toBeGreaterThanOrEqual(0)
        expect(delay).toBeLessThanOrEqual(retry.maxDelayMs ?? RETRY_DEFAULTS.maxDelayMs)
      }),
    )
  })

  test('stay within the jitter', () => {
    const retry = { initialDelayMs: 1_000, jitterRatio: 0.5 }
    expect([0, 0.5, 0.999_999].map(dice => delayAfter(1, retry, () => dice))).toEqual([500, 1_000, 1_500])
  })
})

const pollSetup = () => {
  const clock = manualClock(0)
  const at: number[] = []
  const controller = new AbortController()
  return { clock, at, controller, signal: controller.signal }
}

test('looks at once, then in growing intervals, and for the last time at the deadline', async () => {
  const { clock, at, signal } = pollSetup()
  const look = async () => void at.push(clock.now())
  expect(await runOut(poll(look, { clock, signal, until: 1_003 }), clock, 0.5)).toBeUndefined()
  const gaps = at.map((time, index) => time - (at[index - 1] ?? 0))
  expect(at.at(-1)).toBe(1_003)
  expect(gaps.slice(0, 3)).toEqual([0, 25, 37.5])
  expect(Math.max(...gaps)).toBe(200)
  const growing = gaps.slice(1, -1)
  expect(growing).toEqual([...growing].sort((a, b) => a - b))
  expect(at.filter(time => time >= 1_003)).toHaveLength(1)
})

test('a look that outlasts the deadline is followed by one more', async () => {
  const { clock, at, signal } = pollSetup()
  const look = async () => {
    at.push(clock.now())
    clock.advance(700)
  }
  await runOut(poll(look, { clock, signal, until: 1_000 }), clock)
  expect(at).toHaveLength(3)
  expect(at.filter(time => time >= 1_000)).toHaveLength(1)
})

test.each([-3_600_000, 3_600_000])('a wall clock that is set by %i ms meanwhile changes nothing', async ms => {
  const { clock, at, signal } = pollSetup()
  const look = async () => {
    at.push(clock.elapsed())
    if (at.length === 3) clock.set(ms)
  }
  expect(await runOut(poll(look, { clock, signal, until: 1_003 }), clock, 0.5)).toBeUndefined()
  expect(at.at(-1)).toBe(1_003)
})

test('a deadline that has passed still allows one look', async () => {
  const { clock, signal } = pollSetup()
  expect(await poll(async () => 'there', { clock, signal, until: -5 })).toBe('there')
})

test('an abort ends it, without another look and without a timer left', async () => {
  const { clock, at, controller, signal } = pollSetup()
  const work = poll(async () => void at.push(clock.now()), { clock, signal, until: 1_000 })
  await new Promise(resolve => setImmediate(resolve))
  controller.abort(new Error('cancelled'))
  await expect(work).rejects.toThrow('cancelled')
  expect(at).toEqual([0])
  expect(clock.pending()).toBe(0)
})

/** A wait for an answer ends in time, and gives what was put off by a held-up event loop its chance. */
import { expect, test } from 'vitest'
import type { Clock } from '../../src/runtime/clock.ts'
import { createAwaitedAnswers } from '../../src/runtime/pending-asks.ts'
import { manualClock } from '../support/manual-clock.ts'

const waitingOn = (clock: Clock) => {
  const answers = createAwaitedAnswers(clock)
  const { answer } = answers.wait<{ type: string }>('a', () => true, { until: clock.now() + 1_000 })
  return { answers, answer }
}
/** Tells its answer, or that it has none by now. */
const stateOf = (answer: Promise<{ kind: string }>) =>
  Promise.race([answer.then(({ kind }) => kind), new Promise(resolve => setImmediate(() => resolve('open')))])

test('expires at its moment', async () => {
  const clock = manualClock()
  const { answer } = waitingOn(clock)
  clock.advance(999)
  expect(await stateOf(answer)).toBe('open')
  clock.advance(1)
  expect(await stateOf(answer)).toBe('expired')
})

test('a wall clock that is set meanwhile changes nothing', async () => {
  const clock = manualClock()
  const { answer } = waitingOn(clock)
  clock.set(3_600_000)
  clock.advance(1_000)
  expect(await stateOf(answer)).toBe('expired')
})

/** Calls its timers late, as a process whose event loop is held up. */
const heldUp = (clock: ReturnType<typeof manualClock>, lateMs: number): Clock => ({
  ...clock,
  at: (at, call, options) => clock.at(at + lateMs, call, options),
})

test('after a held-up event loop, the answer of a deadline that was put off is still heard', async () => {
  const clock = manualClock()
  const { answers, answer } = waitingOn(heldUp(clock, 700))
  clock.advance(1_700)
  expect(await stateOf(answer)).toBe('open')
  clock.advance(1_000)
  answers.hear('a', { type: 'execution.answered' })
  expect(await answer).toEqual({ kind: 'answered', emitted: { type: 'execution.answered' } })
})

test('and it expires all the same when there is none', async () => {
  const clock = manualClock()
  const { answers, answer } = waitingOn(heldUp(clock, 700))
  clock.advance(1_700)
  clock.advance(2_300)
  expect(await stateOf(answer)).toBe('expired')
  expect([answers.waiting(), clock.pending()]).toEqual([0, 0])
})

test('an actor that breaks fails an event that it has taken, and leaves one that it has not to the next', async () => {
  const clock = manualClock()
  const answers = createAwaitedAnswers(clock)
  const wait = () => answers.wait<{ type: string }>('a', () => true, { until: clock.now() + 1_000 })
  const [taken, before, lost] = [wait(), wait(), wait()]
  taken.told(true)
  answers.fail('a', new Error('behind'))
  expect(await stateOf(taken.answer)).toBe('broken')
  expect(await stateOf(before.answer)).toBe('open')
  before.told(true)
  answers.hear('a', { type: 'execution.answered' })
  expect(await stateOf(before.answer)).toBe('answered')
  // The very actor that took it broke before it was heard that it had.
  lost.told(false)
  expect(await stateOf(lost.answer)).toBe('answered')
  const gone = wait()
  answers.fail('a', new Error('full'))
  gone.told(false)
  expect(await gone.answer).toMatchObject({ kind: 'broken', error: { message: 'full' } })
})

test('a host that stops fails all of them', async () => {
  const { answers, answer } = waitingOn(manualClock())
  answers.fail(undefined, new Error('stopped'))
  expect(await stateOf(answer)).toBe('broken')
})

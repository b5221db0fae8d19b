/** A look at one receipt: the phone is asked again and again as long as the caller waits, and no longer. */
import { expect, test } from 'vitest'
import type { StoredReceipt } from '../../../../src/runtime/journal/journal.ts'
import type { PhoneAnswer } from '../../../../src/service/executions/evidence/ask-phone.ts'
import { createDecide } from '../../../../src/service/executions/evidence/decide.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { receiptOf, resultOf } from '../../../support/runtime/records.ts'
import { settled } from '../../../support/settled.ts'

const LOST = receiptOf('e1', { state: 'interrupted', dispatchedAt: 2, settledAt: 3, result: resultOf('lost') })
const DONE: StoredReceipt = { ...LOST, evidence: { source: 'operator', at: 9, outcome: 'done' } }
const RUNNING: PhoneAnswer = { kind: 'running', step: 1 }
const FORGOTTEN: PhoneAnswer = { kind: 'nothing', why: 'the app has forgotten it', isFinal: true }
const SILENT: PhoneAnswer = { kind: 'nothing', why: 'the phone is silent', isFinal: false }

const setup = (answers: (PhoneAnswer | 'done')[]) => {
  const clock = manualClock()
  let receipt = LOST
  let asked = 0
  const waited: number[] = []
  const onStop: (() => Promise<unknown>)[] = []
  const decide = createDecide({
    clock,
    host: {
      onStop: listener => {
        onStop.push(listener)
        return () => {}
      },
    },
    journal: { receipt: () => receipt },
    learner: {
      async learn() {
        const answer = answers[Math.min(asked, answers.length - 1)]
        asked += 1
        if (answer !== 'done') return answer
        receipt = DONE
        return undefined
      },
    },
    whenOver: async (_id, { withinMs }) => {
      waited.push(withinMs)
      return LOST
    },
  })
  return { clock, decide, asked: () => asked, waited, stop: () => onStop.forEach(listener => void listener()) }
}

test('a receipt that is decided asks nobody', async () => {
  const { decide, asked } = setup([SILENT])
  expect(await decide(DONE, { waitMs: 10_000 })).toEqual({ receipt: DONE })
  expect(asked()).toBe(0)
})

test('without a wait the phone is asked once', async () => {
  expect(await setup([RUNNING]).decide(LOST, {})).toMatchObject({ receipt: LOST, running: 1 })
  expect(await setup([SILENT]).decide(LOST, {})).toMatchObject({ undecided: 'the phone is silent' })
  expect((await setup(['done']).decide(LOST, {})).receipt).toBe(DONE)
})

test('a wait asks each second, until the outcome is known', async () => {
  const { clock, decide, asked } = setup([RUNNING, SILENT, 'done'])
  const decided = decide(LOST, { waitMs: 10_000 })
  for (let second = 0; second < 2; second++) {
    await settled()
    clock.advance(1_000)
  }
  expect(await decided).toEqual({ receipt: DONE })
  expect(asked()).toBe(3)
})

test('a wait ends where to ask again would bring no more', async () => {
  const { decide, asked } = setup([FORGOTTEN])
  expect(await decide(LOST, { waitMs: 10_000 })).toMatchObject({ undecided: 'the app has forgotten it' })
  expect(asked()).toBe(1)
})

test('a wait ends in its time, and when its caller has left', async () => {
  const late = setup([RUNNING])
  const decided = late.decide(LOST, { waitMs: 1_500 })
  for (const ms of [1_000, 500]) {
    await settled()
    late.clock.advance(ms)
  }
  expect(await decided).toMatchObject({ running: 1 })

  const left = setup([RUNNING])
  const caller = new AbortController()
  const unheard = left.decide(LOST, { waitMs: 100_000, signal: caller.signal })
  await settled()
  caller.abort()
  expect(await unheard).toMatchObject({ receipt: LOST })
  expect(left.clock.pending()).toBe(0)
})

test('what still runs is awaited before anybody is asked', async () => {
  const { decide, waited, asked } = setup(['done'])
  const running = receiptOf('e1', { state: 'dispatched', dispatchedAt: 2 })
  expect((await decide(running, { waitMs: 5_000 })).receipt).toBe(DONE)
  expect([waited, asked()]).toEqual([[5_000], 1])
})

test('a process that stops answers at once with what it knows', async () => {
  const { clock, decide, stop } = setup([RUNNING])
  const decided = decide(LOST, { waitMs: 100_000 })
  await settled()
  stop()
  expect(await decided).toEqual({ receipt: LOST })
  await settled()
  expect(clock.pending()).toBe(0)
  expect(await decide(LOST, { waitMs: 100_000 })).toEqual({ receipt: LOST })
})

/** Failures beside the work: each is in the log once, and in the health of the server as long as it lasts. */
import { expect, test } from 'vitest'
import { createTroubles } from '../../src/runtime/background-failures.ts'
import { manualClock } from '../support/manual-clock.ts'

const bench = () => {
  const clock = manualClock(1_000)
  const log: string[] = []
  return { clock, log, troubles: createTroubles({ clock, note: text => void log.push(text) }) }
}

test('a failure that comes again is counted, and logged anew only when it says something else', () => {
  const { clock, log, troubles } = bench()
  for (const message of ['disk full', 'disk full', 'disk gone', 'disk gone']) {
    troubles.tell('pruning', new Error(message))
    clock.advance(10)
  }
  expect(log).toEqual(['pruning: disk full', 'pruning: disk gone'])
  expect(troubles.list()).toEqual([{ what: 'pruning', message: 'disk gone', times: 4, firstAt: 1_000, lastAt: 1_030 }])
})

test('the newest stands last, and what works again is told no more', () => {
  const { log, troubles } = bench()
  for (const what of ['one', 'two', 'one']) troubles.tell(what, 'failed')
  expect(troubles.list().map(({ what }) => what)).toEqual(['two', 'one'])
  troubles.over('one')
  expect(troubles.list().map(({ what }) => what)).toEqual(['two'])
  troubles.tell('one', 'failed')
  expect(troubles.list().at(-1)).toMatchObject({ what: 'one', times: 1 })
  expect(log).toHaveLength(3)
})

test('however many kinds there are, the newest fifty are kept', () => {
  const { troubles } = bench()
  for (let index = 0; index < 60; index++) troubles.tell(`kind ${index}`, 'failed')
  const kinds = troubles.list().map(({ what }) => what)
  expect([kinds.length, kinds[0], kinds.at(-1)]).toEqual([50, 'kind 10', 'kind 59'])
})

test('a log that is gone keeps nobody from hearing of it', () => {
  const troubles = createTroubles({
    clock: manualClock(),
    note: () => {
      throw new Error('the log is gone')
    },
  })
  expect(() => troubles.tell('pruning', new Error('disk full'))).not.toThrow()
  expect(troubles.list()).toMatchObject([{ what: 'pruning', message: 'disk full' }])
})

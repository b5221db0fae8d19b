/** A call ends by whichever comes first, once, and leaves nothing behind. */
import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { bounded } from '../../../src/device/link/bounded.ts'
import { LinkError } from '../../../src/device/link/link.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { codeOf } from './link-suite.ts'

const start = () => {
  const clock = manualClock()
  const caller = new AbortController()
  const loss = new AbortController()
  const stops: AbortSignal[] = []
  let answer: (value: string) => void = () => {}
  const call = (timeout?: () => LinkError) =>
    bounded(
      { clock, what: 'it', deadline: clock.now() + 100, signal: caller.signal, lost: loss.signal, timeout },
      stop => {
        stops.push(stop)
        return new Promise<string>(resolve => {
          answer = resolve
        })
      },
    )
  const leftBehind = () =>
    clock.pending() + [caller.signal, loss.signal].flatMap(signal => getEventListeners(signal, 'abort')).length
  return { clock, caller, loss, stops, call, leftBehind, give: (value: string) => answer(value) }
}

const ENDS: [string, (from: ReturnType<typeof start>) => void, string][] = [
  ['its deadline', ({ clock }) => clock.advance(100), 'LINK_TIMEOUT'],
  ['its caller', ({ caller }) => caller.abort(), 'LINK_CANCELLED'],
  ['the loss of the link', ({ loss }) => loss.abort(new LinkError('DEVICE_LINK_LOST', 'gone')), 'DEVICE_LINK_LOST'],
]

test.each(ENDS)('%s', async (_, end, code) => {
  const from = start()
  const call = codeOf(from.call())
  end(from)
  expect(await call).toBe(code)
  expect(from.stops.map(stop => stop.aborted)).toEqual([true])
  expect(from.leftBehind()).toBe(0)
  from.give('too late')
})

test.each(ENDS)('%s, before it began', async (_, end, code) => {
  const from = start()
  const [deadline, nothing] = [from.clock.now() + 100, async () => 'never']
  end(from)
  const bounds = { clock: from.clock, what: 'it', deadline, signal: from.caller.signal, lost: from.loss.signal }
  expect(await codeOf(bounded(bounds, nothing))).toBe(code)
})

test('its answer', async () => {
  const from = start()
  const call = from.call()
  from.give('here')
  expect(await call).toBe('here')
  expect(from.stops.map(stop => stop.aborted)).toEqual([false])
  expect(from.leftBehind()).toBe(0)
})

test('a deadline that means more than too late', async () => {
  const from = start()
  const call = codeOf(from.call(() => new LinkError('ADB_SERVER_FAILED', 'it hangs')))
  from.clock.advance(100)
  expect(await call).toBe('ADB_SERVER_FAILED')
})

/** A daemon that holds something for its user, such as a forward, is never idle; whoever ends it ends that too. */
import { expect, test } from 'vitest'
import { daemonPaths } from '../../src/daemon/paths.ts'
import { watchForEnd } from '../../src/daemon/run/end.ts'
import { createActivity } from '../../src/daemon/run/requests.ts'
import { manualClock } from '../support/manual-clock.ts'

const watching = (isHolding: () => boolean) => {
  const clock = manualClock()
  const signal = new AbortController()
  const published = { isInPlace: () => true, repair: () => {}, removeSocket: () => {}, removeMetadata: () => {} }
  let ended: string | undefined
  const watch = watchForEnd({
    ...{ clock, published, isHolding, checkMs: 1_000, idleMs: 10_000 },
    activity: createActivity(clock),
    inFlight: () => 0,
    note: () => {},
    signal: signal.signal,
    paths: daemonPaths('/nowhere', undefined),
  })
  void watch.end.then(reason => {
    ended = reason
  })
  const after = async (ms: number) => {
    for (let spent = 0; spent < ms; spent += 1_000) clock.advance(1_000)
    await new Promise(resolve => setImmediate(resolve))
    return ended
  }
  return { after, stop: () => signal.abort(), close: watch.close }
}

test('it stays while it holds something, and its idle time begins when it does not any more', async () => {
  let held = true
  const { after, close } = watching(() => held)
  expect(await after(60_000)).toBeUndefined()
  held = false
  expect(await after(8_000)).toBeUndefined()
  expect(await after(5_000)).toBe('idle')
  close()
})

test('it ends when it is told to', async () => {
  const { after, stop, close } = watching(() => true)
  stop()
  expect(await after(1_000)).toBe('told to end')
  close()
})

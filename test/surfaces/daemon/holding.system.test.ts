/** A daemon that holds something for its user, such as a forward, is never idle; whoever ends it ends that too. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ownFolder } from '../../../src/runtime/folder-owner.ts'
import { placeOf, thisProcess } from '../../../src/runtime/processes/processes.ts'
import { daemonPaths } from '../../../src/surfaces/daemon/paths.ts'
import { watchForEnd } from '../../../src/surfaces/daemon/run/end.ts'
import { createActivity } from '../../../src/surfaces/daemon/run/requests.ts'
import { manualClock } from '../../support/manual-clock.ts'

const watching = (isHolding: () => boolean, home = '/nowhere') => {
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
    paths: daemonPaths(home, undefined),
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

test('it ends with the process that its home is made for, whatever it holds', async () => {
  const home = mkdtempSync(join(tmpdir(), 'svc-owned-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  ownFolder(home)
  const { after, close } = watching(() => true, home)
  expect(await after(5_000)).toBeUndefined()
  const { pid, started } = thisProcess()
  writeFileSync(join(home, 'owner.json'), JSON.stringify({ pid, started: `${placeOf(started)}:1` }))
  expect(await after(2_000)).toBe('owner gone')
  close()
})

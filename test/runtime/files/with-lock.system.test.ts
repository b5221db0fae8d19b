import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LEASE_RENEW_MS } from '../../../src/contracts/limits/limits.ts'
import { pause, systemClock } from '../../../src/runtime/clock.ts'
import { withLock } from '../../../src/runtime/files/with-lock.ts'
import { placeOf, thisProcess } from '../../../src/runtime/processes/processes.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { settled } from '../../support/settled.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-lock-')
const clock = systemClock()
const place = () => {
  const dir = mkdtempSync(join(folder(), 'l-'))
  return { dir, path: join(dir, 'x.lock') }
}
const SHORT_MS = 60
const before = `${placeOf(thisProcess().started)}:0`
const dead = () => ({ pid: process.pid, startTime: before, createdAt: 1 })
const alive = () => ({ pid: process.pid, startTime: thisProcess().started, createdAt: 1 })
const put = (path: string, content: unknown) => writeFileSync(path, JSON.stringify(content))

describe('a lock', () => {
  test('is there while the work lasts, names its owner, and leaves nothing behind', async () => {
    const { dir, path } = place()
    const locked = await withLock({ path, clock }, () => JSON.parse(readFileSync(path, 'utf8')))
    expect(locked).toMatchObject({ ok: true, value: { ...alive(), createdAt: expect.any(Number) } })
    expect(readdirSync(dir)).toEqual([])
  })

  test('is given back when the work throws', async () => {
    const { dir, path } = place()
    await expect(withLock({ path, clock }, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(readdirSync(dir)).toEqual([])
  })

  test('keeps others of the same process out until it is given back', async () => {
    const { path } = place()
    const order: string[] = []
    let inside = 0
    const enter = (name: string) =>
      withLock({ path, clock }, async () => {
        inside += 1
        order.push(`${name}${inside}`)
        await pause(clock, 5)
        inside -= 1
      })
    await Promise.all(['a', 'b', 'c', 'd'].map(enter))
    expect([...order].sort()).toEqual(['a1', 'b1', 'c1', 'd1'])
  })

  test('that is held for long is kept fresh, for processes that cannot see its owner', async () => {
    const { path } = place()
    const manual = manualClock(1_000_000_000)
    await withLock({ path, clock: manual }, () => {
      const touchedAt = () => statSync(path).mtimeMs
      const begun = touchedAt()
      manual.advance(LEASE_RENEW_MS - 1)
      expect(touchedAt(), 'not more often than needed').toBe(begun)
      for (let renewed = 1; renewed <= 2; renewed++) {
        manual.advance(renewed === 1 ? 1 : LEASE_RENEW_MS)
        expect(touchedAt()).toBe(1_000_000_000 + renewed * LEASE_RENEW_MS)
      }
    })
    expect(manual.pending()).toBe(0)
  })

  test('that somebody holds is waited for no longer than that, and its holder is named', async () => {
    const { dir, path } = place()
    put(path, alive())
    const locked = await withLock({ path, clock, waitMs: SHORT_MS }, () => 'entered')
    expect(locked).toEqual({ ok: false, problem: expect.stringContaining(`process ${process.pid}`) })
    expect(readdirSync(dir)).toEqual(['x.lock'])
  })

  test('of a dead owner is taken over at once, also when its pid is in use again', async () => {
    const { dir, path } = place()
    put(path, dead())
    expect(await withLock({ path, clock, waitMs: 0 }, () => 'entered')).toEqual({ ok: true, value: 'entered' })
    put(path, { ...dead(), pid: 2 ** 22 + 1 })
    expect(await withLock({ path, clock, waitMs: 0 }, () => 'entered')).toEqual({ ok: true, value: 'entered' })
    expect(readdirSync(dir)).toEqual([])
  })

  test('that nobody can read is left alone while it may be in the writing, and taken over afterwards', async () => {
    for (const content of ['', '{"pid":', '[]', '{"pid": -1, "startTime": "x", "createdAt": 1}']) {
      const { dir, path } = place()
      writeFileSync(path, content)
      expect(await withLock({ path, clock, waitMs: SHORT_MS }, () => 'entered')).toMatchObject({ ok: false })
      utimesSync(path, 1_000, 1_000)
      expect(await withLock({ path, clock, waitMs: SHORT_MS }, () => 'entered')).toMatchObject({ ok: true })
      expect(readdirSync(dir)).toEqual([])
    }
  })

  test('waits in the time of its clock', async () => {
    const { path } = place()
    put(path, alive())
    let at = 0
    const slow = {
      now: () => at,
      elapsed: () => at,
      soon: (call: () => void) => void setImmediate(call),
      at: (_: number, call: () => void) => {
        at += 1_000
        queueMicrotask(call)
        return { cancel: () => {} }
      },
    }
    const waiting = withLock({ path, clock: slow, waitMs: 5_000 }, () => 'entered')
    await settled()
    expect(await waiting).toMatchObject({ ok: false })
    expect(at).toBe(5_000)
  })

  test('that cannot be made is a problem in words', async () => {
    const { dir } = place()
    const missing = await withLock({ path: join(dir, 'none', 'x.lock'), clock }, () => 'entered')
    expect(missing).toEqual({ ok: false, problem: expect.stringContaining('does not exist') })
    const path = join(dir, 'folder.lock')
    mkdirSync(path)
    expect(await withLock({ path, clock }, () => 'entered')).toMatchObject({ ok: false })
  })
})

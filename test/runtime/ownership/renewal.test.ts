/** Whoever cannot see this process must learn, again and again, that it still has what it holds. */
import { describe, expect, test } from 'vitest'
import { LEASE_EXPIRES_MS, LEASE_RENEW_MS } from '../../../src/contracts/limits/limits.ts'
import type { Ownership } from '../../../src/contracts/records/journal.ts'
import { createRenewal } from '../../../src/runtime/ownership/renewal.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { settled } from '../../support/settled.ts'

const setting = ({ fails = false } = {}) => {
  const clock = manualClock()
  const held: Ownership[] = []
  const renewed: string[][] = []
  const needs = { more: true }
  const renewal = createRenewal({
    clock,
    grants: () => held,
    isNeeded: () => needs.more,
    leases: {
      async renew(grants) {
        renewed.push(grants.map(({ key }) => key))
        if (fails) throw new Error('the disk is full')
      },
    },
  })
  const hold = (key: string) =>
    held.push({ key, fence: 1, holder: { pid: 1, started: 's', instance: 'i' }, since: clock.now(), note: {} })
  return { clock, held, renewed, needs, renewal, hold }
}

describe('a lease that is held for long', () => {
  test('is renewed well before others count it as abandoned, for as long as it is held', () => {
    const { clock, renewed, renewal, hold, held } = setting()
    hold('device:a')
    renewal.start()
    clock.advance(LEASE_EXPIRES_MS * 3)
    expect(renewed.length).toBeGreaterThanOrEqual(6)
    expect(new Set(renewed.flat())).toEqual(new Set(['device:a']))
    const count = renewed.length
    held.pop()
    clock.advance(LEASE_EXPIRES_MS)
    expect(renewed).toHaveLength(count)
  })

  test('costs no write before it is that old', () => {
    const { clock, renewed, renewal, hold } = setting()
    hold('device:old')
    renewal.start()
    clock.advance(LEASE_RENEW_MS / 2)
    hold('device:young')
    clock.advance(LEASE_RENEW_MS / 2)
    expect(renewed).toEqual([['device:old']])
    clock.advance(LEASE_RENEW_MS)
    expect(renewed.at(-1)).toEqual(['device:old', 'device:young'])
  })

  test('is renewed though the clock was set back', () => {
    const { clock, renewed, renewal, hold } = setting()
    hold('device:a')
    clock.set(-LEASE_EXPIRES_MS * 2)
    renewal.start()
    clock.advance(LEASE_RENEW_MS)
    expect(renewed).toEqual([['device:a']])
  })

  test('is renewed again after a renewal that failed', async () => {
    const { clock, renewed, renewal, hold } = setting({ fails: true })
    hold('device:a')
    renewal.start()
    clock.advance(LEASE_RENEW_MS)
    await settled()
    clock.advance(LEASE_RENEW_MS)
    expect(renewed).toHaveLength(2)
  })
})

describe('the timer', () => {
  test('is one, however often it is started', () => {
    const { clock, renewal } = setting()
    renewal.start()
    renewal.start()
    expect(clock.pending()).toBe(1)
    clock.advance(LEASE_RENEW_MS)
    expect(clock.pending()).toBe(1)
  })

  test('ends once it is not needed, and begins anew', () => {
    const { clock, renewed, needs, renewal, hold } = setting()
    hold('device:a')
    renewal.start()
    needs.more = false
    clock.advance(LEASE_RENEW_MS)
    expect([clock.pending(), renewed]).toEqual([0, []])
    needs.more = true
    renewal.start()
    clock.advance(LEASE_RENEW_MS)
    expect(renewed).toEqual([['device:a']])
  })

  test('is gone when it is stopped, and may be started again', () => {
    const { clock, renewal } = setting()
    renewal.start()
    renewal.stop()
    expect(clock.pending()).toBe(0)
    renewal.start()
    expect(clock.pending()).toBe(1)
  })
})

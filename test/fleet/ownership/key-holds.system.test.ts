/** Many requests with one Idempotency-Key at once: one of them is first, and the others follow it. */
import { describe, expect, test } from 'vitest'
import type { HeldKey, KeyHolder } from '../../../src/fleet/fleet.ts'
import { createKeyHolds } from '../../../src/fleet/ownership/key-holds.ts'
import type { Cell, Written } from '../../../src/fleet/servers/compare-and-set.ts'
import { systemClock } from '../../../src/runtime/clock.ts'

/** One key of a bucket, whose server answers a moment later. */
const createBucket = () => {
  let record: { value: KeyHolder | undefined; revision: number } = { value: undefined, revision: 0 }
  const counts = { writes: 0 }
  const answer = <T>(say: () => T): Promise<T> => new Promise(resolve => setImmediate(() => resolve(say())))
  const cell: Cell<KeyHolder> = {
    read: () => answer(() => record),
    write: (value, revision) =>
      answer((): Written => {
        counts.writes += 1
        if (revision !== record.revision) return { kind: 'conflict' }
        record = { value, revision: revision + 1 }
        return { kind: 'written', revision: record.revision }
      }),
  }
  const host = () =>
    createKeyHolds({
      clock: systemClock(),
      cellOf: () => cell,
      async remove(_key, revision) {
        if (revision === record.revision) record = { value: undefined, revision: revision + 1 }
      },
    })
  return { cell, counts, host, record: () => record }
}

const holderAt = (host: string): KeyHolder => ({ host, serial: `phone of ${host}` })

describe('an Idempotency-Key', () => {
  test('that thirty hosts want at once goes to one of them, and all learn which', async () => {
    const bucket = createBucket()
    const held = await Promise.all(Array.from({ length: 30 }, (_, i) => bucket.host()('k', holderAt(`h${i}`))))
    expect(held.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(new Set(held.map(({ host }) => host)).size).toBe(1)
    // Once a second host has written the key, the others only read it.
    expect(bucket.counts.writes).toBeLessThan(100)
  })

  test('that thirty requests of one host want at once is asked for once', async () => {
    const bucket = createBucket()
    const hold = bucket.host()
    const held = await Promise.all(Array.from({ length: 30 }, () => hold('k', holderAt('h1'))))
    expect(held.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(bucket.counts.writes).toBe(1)
  })

  test('is freed when the last request that shares it was refused', async () => {
    const bucket = createBucket()
    const hold = bucket.host()
    const [one, two] = (await Promise.all([hold('k', holderAt('h1')), hold('k', holderAt('h1'))])) as [HeldKey, HeldKey]
    await one.free()
    await one.free()
    expect(bucket.record().value).toEqual(holderAt('h1'))
    await two.free()
    expect(bucket.record().value).toBeUndefined()
  })

  test('is not freed by its first host once another one follows it', async () => {
    const bucket = createBucket()
    const first = await bucket.host()('k', holderAt('h1'))
    const second = await bucket.host()('k', holderAt('h2'))
    expect(second).toMatchObject({ host: 'h1', isNew: false })
    await first.free()
    await second.free()
    expect(bucket.record().value).toMatchObject(holderAt('h1'))
  })

  test('of which no server says who has it stays unknown', async () => {
    const hold = createKeyHolds({
      clock: systemClock(),
      cellOf: () => ({
        read: async () => ({ value: undefined, revision: 0 }),
        write: async () => ({ kind: 'undecided', message: 'timeout' }),
      }),
      remove: async () => {},
    })
    await expect(hold('k', holderAt('h1'))).rejects.toThrow('majority')
  })
})

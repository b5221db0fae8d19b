/** A phone is given back only when nobody can take the claim of this host for a valid one any more. */
import type { KV } from '@nats-io/kv'
import { describe, expect, test } from 'vitest'
import { FENCE_AFTER_MS } from '../../../src/contracts/limits/fleet-limits.ts'
import { createPhoneClaims, type PhoneRecord } from '../../../src/fleet/ownership/phone-claims.ts'
import { namesOf } from '../../../src/fleet/servers/names.ts'

const PHONE = 'device:A1'

describe('giving a phone back', () => {
  /** One key, of which an old value can be read, and a write of which is stored without an answer. */
  const bucket = () => {
    const values: PhoneRecord[] = []
    const doubt = new Error('no answer')
    let behind = 0
    let late: (() => void) | undefined
    let isSilent = false
    const kv = {
      get: async () => {
        const revision = values.length - behind
        return revision === 0 ? null : { operation: 'PUT', revision, json: () => values[revision - 1] }
      },
      put: async (_key: string, text: string, { previousSeq }: { previousSeq: number }) => {
        const store = () => {
          if (previousSeq !== values.length) return false
          values.push(JSON.parse(text) as PhoneRecord)
          return true
        }
        if (isSilent) {
          late = () => void store()
          throw doubt
        }
        if (!store()) throw Object.assign(new Error('wrong last sequence'), { code: 10071 })
        return values.length
      },
    }
    return {
      kv: kv as unknown as KV,
      values,
      readBehind(by: number) {
        behind = by
      },
      silence(is: boolean) {
        isSilent = is
      },
      storeLate: () => late?.(),
    }
  }
  const parts = {
    names: namesOf('t'),
    host: 'h1',
    instance: 'i1',
    lease: { isProven: () => true },
    fencing: { isOver: async () => false, forgetRevisions: () => {} },
  }
  const claimsOn = (kv: KV, { bucketAgeMs = async () => 60_000, memberForMs = (): number => 0 } = {}) =>
    createPhoneClaims({ ...parts, owners: () => kv, bucketAgeMs, memberForMs })

  test('is not taken for done on the word of a server that is behind', async () => {
    const { kv, values, readBehind } = bucket()
    const claims = claimsOn(kv)
    expect(await claims.claim(PHONE, 0)).toEqual({ kind: 'claimed', epoch: 1 })
    expect(await claims.release(PHONE)).toBe(true)
    expect(await claims.claim(PHONE, 1)).toEqual({ kind: 'claimed', epoch: 2 })
    readBehind(1)
    expect(await claims.release(PHONE)).toBe(false)
    readBehind(0)
    expect(await claims.release(PHONE)).toBe(true)
    expect(values.at(-1)).toMatchObject({ epoch: 2, state: 'released' })
  })

  test('in a bucket that was made anew waits as long as the lease of an owner may hold who does not know it yet', async () => {
    const { kv } = bucket()
    let ageMs = 1_000
    const claims = claimsOn(kv, { bucketAgeMs: async () => ageMs })
    expect(await claims.look(PHONE)).toEqual({ kind: 'undecided' })
    expect(await claims.claim(PHONE, 7)).toEqual({ kind: 'undecided' })
    ageMs = FENCE_AFTER_MS + 1
    expect(await claims.look(PHONE)).toEqual({ kind: 'free' })
    expect(await claims.claim(PHONE, 7)).toEqual({ kind: 'claimed', epoch: 8 })
  })

  test('in a bucket that is younger than the fleet waits as long also where this host never heard of the phone', async () => {
    const { kv } = bucket()
    let ageMs = 1_000
    const claims = claimsOn(kv, { bucketAgeMs: async () => ageMs, memberForMs: () => 60_000 })
    expect(await claims.claim(PHONE, 0), 'its owner may not know yet that its record is lost').toEqual({
      kind: 'undecided',
    })
    ageMs = FENCE_AFTER_MS + 1
    expect(await claims.claim(PHONE, 0)).toEqual({ kind: 'claimed', epoch: 1 })
  })

  test('in the first bucket of a fleet is claimed at once', async () => {
    const claims = claimsOn(bucket().kv, { bucketAgeMs: async () => 1_000, memberForMs: () => 900 })
    expect(await claims.claim(PHONE, 0)).toEqual({ kind: 'claimed', epoch: 1 })
  })

  test('that was claimed by this process is claimed again at once in a bucket that was made anew', async () => {
    const [old, anew] = [bucket().kv, bucket().kv]
    let kv = old
    const claims = createPhoneClaims({ ...parts, owners: () => kv, bucketAgeMs: async () => 0, memberForMs: () => 0 })
    expect(await claims.claim(PHONE, 0)).toEqual({ kind: 'claimed', epoch: 1 })
    kv = anew
    claims.forgetRevisions()
    expect(await claims.claim(PHONE, 1)).toEqual({ kind: 'claimed', epoch: 2 })
  })

  test('leaves no room for a claim that nobody acknowledged', async () => {
    const { kv, values, silence, storeLate } = bucket()
    const claims = claimsOn(kv)
    silence(true)
    expect(await claims.claim(PHONE, 0)).toEqual({ kind: 'undecided' })
    silence(false)
    expect(await claims.release(PHONE)).toBe(true)
    storeLate()
    expect(values.map(({ state }) => state)).toEqual(['released'])
  })

  test('takes back a claim that was stored and not acknowledged', async () => {
    const { kv, values, silence, storeLate } = bucket()
    const claims = claimsOn(kv)
    silence(true)
    expect(await claims.claim(PHONE, 0)).toEqual({ kind: 'undecided' })
    storeLate()
    silence(false)
    expect(await claims.release(PHONE)).toBe(true)
    expect(values.map(({ state }) => state)).toEqual(['held', 'released'])
  })
})

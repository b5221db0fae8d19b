import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readApk } from '../../src/simulator/apk.ts'
import { keyboardApk, snapshotApk } from '../support/helper-apks.ts'

test('a real APK says its package, version and oldest system', () => {
  const facts = { versionCode: 21_005, versionName: '0.21.5', minSdk: 23 }
  expect(readApk(snapshotApk())).toEqual({ packageName: 'com.callstack.agentdevice.snapshothelper', ...facts })
  expect(readApk(keyboardApk())).toEqual({ packageName: 'com.callstack.agentdevice.imehelper', ...facts })
})

test.each([0, 21, 22, 5_000])('%i bytes of nothing are not an APK', size => {
  expect(readApk(randomBytes(size))).toBeUndefined()
})

test('a damaged one is read or refused, and nothing else', () => {
  const whole = keyboardApk()
  const place = fc.nat(whole.length - 1)
  fc.assert(
    fc.property(fc.array(fc.tuple(place, fc.nat(255)), { minLength: 1, maxLength: 20 }), place, (changes, cut) => {
      const damaged = Buffer.from(whole)
      for (const [at, value] of changes) damaged[at] = value
      for (const bytes of [damaged, whole.subarray(0, cut)]) {
        const facts = readApk(bytes)
        expect(facts === undefined || typeof facts.packageName === 'string').toBe(true)
      }
    }),
    { numRuns: 200 },
  )
})

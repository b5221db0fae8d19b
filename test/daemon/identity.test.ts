import { realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { VersionResponse } from '../../src/contracts/daemon.ts'
import { buildIdentityOf, isSameVersion, parseVersion } from '../../src/daemon/identity.ts'
import { temporary } from '../support/temporary.ts'

const folder = temporary('svc-build-')

test('a build is the file it was started from, with its time and size', () => {
  const path = join(folder(), 'svc.cjs')
  writeFileSync(path, 'code')
  const identity = { entryPath: realpathSync(path), mtimeMs: statSync(path).mtimeMs, size: 4 }
  expect(buildIdentityOf(path)).toEqual(identity)
  symlinkSync(path, join(folder(), 'svc'))
  expect(buildIdentityOf(join(folder(), 'svc'))).toEqual(identity)
})

test('one that cannot be inspected has no numbers', () => {
  expect(buildIdentityOf('/nowhere/svc')).toEqual({ entryPath: '/nowhere/svc', mtimeMs: null, size: null })
  expect(buildIdentityOf(null)).toEqual({ entryPath: null, mtimeMs: null, size: null })
})

test('two are the same when version and all of the identity are', () => {
  const version = { version: '1', buildIdentity: { entryPath: '/a', mtimeMs: 1, size: 2 } }
  expect(isSameVersion(version, structuredClone(version))).toBe(true)
  const others = [{ entryPath: '/b' }, { entryPath: null }, { mtimeMs: 2 }, { mtimeMs: null }, { size: 3 }]
  for (const change of others) {
    expect(isSameVersion(version, { version: '1', buildIdentity: { ...version.buildIdentity, ...change } })).toBe(false)
  }
  expect(isSameVersion(version, { ...version, version: '2' })).toBe(false)
})

test('an answer is one exactly when the contract says so', () => {
  const value = fc.oneof(fc.constantFrom(null, '', '/a', 0, -1.5, 7), fc.jsonValue())
  const body = fc.record(
    {
      version: value,
      buildIdentity: fc.oneof(
        fc.record({ entryPath: value, mtimeMs: value, size: value }, { requiredKeys: [] }),
        value,
      ),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(body, candidate => {
      const text = JSON.stringify(candidate)
      expect(parseVersion(text) !== undefined, text).toBe(v.safeParse(VersionResponse, JSON.parse(text)).success)
    }),
    { numRuns: 500 },
  )
  expect(parseVersion('no JSON')).toBeUndefined()
})

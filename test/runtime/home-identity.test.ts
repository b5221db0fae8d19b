import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { homeIdentity, homeKey } from '../../src/runtime/home-identity.ts'
import { temporary } from '../support/temporary.ts'

const folder = temporary('svc-home-identity-')

test('a home has one identity, however it is reached and wherever it is moved', () => {
  const place = folder()
  const home = join(place, 'a', 'home')
  const identity = homeIdentity(home)
  expect(identity).toMatch(/^[0-9a-f]{64}$/)
  expect(homeIdentity(home)).toBe(identity)
  symlinkSync(home, join(place, 'link'))
  expect(homeIdentity(join(place, 'link'))).toBe(identity)
  renameSync(home, join(place, 'moved'))
  expect(homeIdentity(join(place, 'moved'))).toBe(identity)
  expect(statSync(join(place, 'moved', 'home-id')).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(place, 'moved')), 'no draft is left').toEqual(['home-id'])
})

test('another home has another one, a copy of the folder too', () => {
  const place = folder()
  const [home, copy] = [join(place, 'original'), join(place, 'copy')]
  const identity = homeIdentity(home)
  cpSync(home, copy, { recursive: true })
  expect(homeIdentity(copy)).not.toBe(identity)
  expect(homeIdentity(join(place, 'other'))).not.toBe(identity)
})

test('a home whose id is damaged has none', () => {
  const home = join(folder(), 'damaged')
  mkdirSync(home)
  writeFileSync(join(home, 'home-id'), '')
  expect(homeIdentity(home)).toBeUndefined()
})

test('a home whose id cannot be kept has none', () => {
  const file = join(folder(), 'file')
  writeFileSync(file, '')
  expect(homeIdentity(join(file, 'home'))).toBeUndefined()
})

test('the key of a home is the same in every process, for one purpose', () => {
  const home = join(folder(), 'keyed')
  const key = homeKey(home, 'secrets')
  expect(key).toHaveLength(32)
  expect(homeKey(home, 'secrets')).toEqual(key)
  expect(homeKey(home, 'other')).not.toEqual(key)
  expect(homeKey(join(folder(), 'keyed-too'), 'secrets')).not.toEqual(key)
})

test.each([
  ['damaged', ''],
  ['of no known form', 'not-a-uuid\n'],
  ['longer than one is', `x${randomUUID()}\n`],
  ['followed by something', `${randomUUID()}\nx`],
])('where the id is %s, a key is random: nobody else can know it', (_, text) => {
  const home = mkdtempSync(join(folder(), 'unkeyed-'))
  writeFileSync(join(home, 'home-id'), text)
  const key = homeKey(home, 'secrets')
  expect(key).toHaveLength(32)
  expect(homeKey(home, 'secrets')).not.toEqual(key)
  expect(homeKey(join(home, 'home-id', 'below-a-file'), 'secrets')).toHaveLength(32)
})

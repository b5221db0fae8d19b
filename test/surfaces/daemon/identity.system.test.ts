import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { DaemonMetadata, VersionResponse } from '../../../src/contracts/daemon.ts'
import { thisProcess } from '../../../src/runtime/processes/processes.ts'
import {
  buildIdentityOf,
  isSameVersion,
  liveOwner,
  parseMetadata,
  parseVersion,
  readMetadata,
  removeMetadata,
  runningDaemons,
  writeMetadata,
} from '../../../src/surfaces/daemon/identity.ts'
import { propertyRuns } from '../../support/property-runs.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-metadata-')
const { pid, started } = thisProcess()
const metadata = {
  pid,
  startedAt: 1_700_000_000_000,
  daemonKey: 'default',
  cliEntryPath: '/usr/bin/svc',
  rawDeviceId: '',
  startTime: started,
  instanceId: 'i',
  environment: '',
}
const file = (name: string) => join(folder(), name)

describe('the metadata file', () => {
  test('is written whole, for this user alone, and read back', () => {
    const path = file('a.pid')
    writeMetadata(path, { ...metadata, instanceId: 'before' })
    writeMetadata(path, metadata)
    expect(readMetadata(path)).toEqual(metadata)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder()).filter(name => name.startsWith('a.pid'))).toEqual(['a.pid'])
  })

  test('replaces a link without writing through it', () => {
    const path = file('link.pid')
    writeFileSync(file('target'), 'mine')
    symlinkSync(file('target'), path)
    expect(readMetadata(path)).toBeUndefined()
    writeMetadata(path, metadata)
    expect(readFileSync(file('target'), 'utf8')).toBe('mine')
    expect(readMetadata(path)).toEqual(metadata)
  })

  test('of each daemon that runs is found in its folder, and no other', () => {
    const home = file('daemon')
    mkdirSync(home)
    writeMetadata(join(home, 'daemon-id-x.pid'), { ...metadata, rawDeviceId: 'x' })
    writeMetadata(join(home, 'daemon-id-y.pid'), { ...metadata, rawDeviceId: 'y', startTime: 'another' })
    writeFileSync(join(home, 'daemon-id-x.log'), '')
    expect(runningDaemons(home).map(({ rawDeviceId }) => rawDeviceId)).toEqual(['x'])
    expect(runningDaemons(file('nowhere'))).toEqual([])
  })

  test('of another instance is not removed', () => {
    const path = file('b.pid')
    writeMetadata(path, metadata)
    removeMetadata(path, 'other')
    expect(readMetadata(path)).toEqual(metadata)
    removeMetadata(path, 'i')
    expect(readMetadata(path)).toBeUndefined()
  })

  test('what is not metadata is read as none: nothing, a directory, garbage, a file of a megabyte, a pipe', () => {
    mkdirSync(file('directory'))
    writeFileSync(file('garbage'), '{"pid": 1')
    writeFileSync(file('large'), JSON.stringify({ ...metadata, rawDeviceId: 'x'.repeat(1_024 * 1_024) }))
    execFileSync('mkfifo', [file('pipe')])
    for (const name of ['nothing', 'directory', 'garbage', 'large', 'pipe']) {
      expect(readMetadata(file(name)), name).toBeUndefined()
    }
  })

  /** Valid metadata with any of its fields replaced or left out. */
  const mutated = fc
    .dictionary(
      fc.constantFrom(...Object.keys(metadata).filter(key => key !== 'environment')),
      fc.oneof(fc.jsonValue(), fc.constantFrom(0, 1, -1, 1.5, '', 2 ** 53, undefined)),
      { maxKeys: 3 },
    )
    .map(changes => JSON.stringify({ ...metadata, ...changes }))

  test('is judged as the contract judges it', () => {
    fc.assert(
      fc.property(fc.oneof(mutated, fc.json()), text => {
        const { success } = v.safeParse(DaemonMetadata, JSON.parse(text))
        expect(parseMetadata(text) !== undefined, text).toBe(success)
      }),
      { numRuns: propertyRuns(500) },
    )
  })
})

describe('whose daemon it is', () => {
  const owner = (changes: Record<string, unknown>) => {
    writeFileSync(file('owner.pid'), JSON.stringify({ ...metadata, ...changes }))
    return liveOwner(file('owner.pid'))
  }

  test('that of a live process with the same start time', () => {
    expect(owner({})).toEqual(metadata)
  })

  test.each([
    ['a process that started at another time', { startTime: `${started}1` }],
    ['another process', { pid: process.ppid }],
    ['a start time in other words', { startTime: 12 }],
    ['no start time', { startTime: undefined }],
    ['no instance', { instanceId: undefined }],
    ['a blank instance', { instanceId: '' }],
  ])('not with %s', (_, changes) => {
    expect(owner(changes)).toBeUndefined()
  })
})

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
    { numRuns: propertyRuns(500) },
  )
  expect(parseVersion('no JSON')).toBeUndefined()
})

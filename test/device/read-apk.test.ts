import { randomBytes } from 'node:crypto'
import { type FileHandle, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readApkBytes, readApkFile } from '../../src/device/apk/read-apk.ts'
import { binaryXml, builtApk, zipOf } from '../support/device/built-apk.ts'
import { keyboardApk, snapshotApk } from '../support/device/helper-apks.ts'
import { temporary } from '../support/temporary.ts'

const folder = temporary('svc-apk-')

const apkIn = (bytes: Uint8Array) => {
  const read = readApkBytes(bytes)
  if (!read.ok) throw new Error(read.problem)
  return read.apk
}
const problemOf = (bytes: Uint8Array) => {
  const read = readApkBytes(bytes)
  return read.ok ? undefined : read.problem
}

test('APKs of real build tools', () => {
  const facts = { versionCode: 21_005, versionName: '0.21.5', minSdk: 23, splitRequired: false, testOnly: false }
  expect(apkIn(snapshotApk())).toMatchObject({ packageName: 'com.callstack.agentdevice.snapshothelper', ...facts })
  expect(apkIn(keyboardApk())).toMatchObject({ packageName: 'com.callstack.agentdevice.imehelper', ...facts })
})

test.each([true, false])('a base APK, with texts in UTF-8: %s', utf8 => {
  const apk = builtApk({ utf8, versionName: 'Ünter 2', debuggable: true, testOnly: true, splitRequired: true })
  expect(apkIn(apk)).toEqual({
    ...{ packageName: 'com.example.built', versionCode: 7, versionName: 'Ünter 2', minSdk: 24 },
    ...{ debuggable: true, testOnly: true, splitRequired: true, launchActivity: '.MainActivity' },
  })
})

test('the permissions that it asks for', () => {
  const permissions = ['android.permission.CAMERA', 'android.permission.INTERNET']
  expect(apkIn(builtApk({ permissions })).permissions).toEqual(permissions)
})

test('a split, and a version code with an upper half', () => {
  expect(apkIn(builtApk({ split: 'config.xxhdpi' }))).toMatchObject({ split: 'config.xxhdpi', versionName: '' })
  const manifest = binaryXml({
    tag: 'manifest',
    attributes: { package: 'a.b', versionCode: 5, versionCodeMajor: 2 },
  })
  expect(apkIn(zipOf([{ name: 'AndroidManifest.xml', content: manifest }]))).toMatchObject({
    versionCode: 2 * 2 ** 32 + 5,
  })
})

describe('the same from a file', () => {
  const readFrom = async (bytes: Buffer, size = bytes.length) => {
    const path = join(folder(), 'some.apk')
    await writeFile(path, bytes)
    const file = await open(path)
    try {
      return await readApkFile(file, size)
    } finally {
      await file.close()
    }
  }

  test('of some megabytes', async () => {
    const bytes = builtApk({ bytes: 3_000_000 })
    expect(await readFrom(bytes)).toEqual(readApkBytes(bytes))
  })

  test('that became shorter', async () => {
    const bytes = builtApk()
    expect(await readFrom(bytes.subarray(0, 100), bytes.length)).toMatchObject({
      ok: false,
      problem: 'it became shorter while it was read',
    })
  })
})

const manifest = (content: Buffer, more: { stored?: boolean } = {}) =>
  zipOf([{ name: 'AndroidManifest.xml', content, ...more }])
const patched = (bytes: Buffer, change: (copy: Buffer) => void) => {
  const copy = Buffer.from(bytes)
  change(copy)
  return copy
}
/** Where the directory begins: its place is in the last record. */
const directoryOf = (zip: Buffer) => zip.readUInt32LE(zip.length - 6)
const SMALL = manifest(binaryXml({ tag: 'manifest', attributes: { package: 'a.b' } }))

describe('what is no APK, in a plain word', () => {
  test.each([
    ['an empty file', Buffer.alloc(0), 'it has 0 bytes, and no ZIP archive is that short'],
    ['noise', randomBytes(100_000).fill(0, 0, 90_000), 'it is not a ZIP archive, or its end is missing'],
    ['a download that was cut off', builtApk({ bytes: 100_000 }).subarray(0, 90_000), 'its end is missing'],
    ['an archive of something else', zipOf([{ name: 'a', content: Buffer.from('b') }]), 'no AndroidManifest.xml'],
    ['a manifest in words', manifest(Buffer.from('<?xml version="1.0"?><manifest/>')), 'not in the binary form'],
    ['a manifest without a package', manifest(binaryXml({ tag: 'manifest' })), 'names no package'],
    [
      'a package that is a shell line',
      manifest(binaryXml({ tag: 'manifest', attributes: { package: '$(reboot)' } })),
      'names no package',
    ],
    [
      'a manifest that unpacks to more than it says',
      patched(manifest(Buffer.alloc(3_000_000)), zip => zip.writeUInt32LE(1_000, directoryOf(zip) + 24)),
      'cannot be unpacked',
    ],
    ['a manifest of 5 MiB', manifest(Buffer.alloc(5 * 1_024 * 1_024)), 'has more than 4194304 bytes'],
    [
      'a manifest outside of the archive',
      patched(SMALL, zip => zip.writeUInt32LE(0x7fffffff, directoryOf(zip) + 42)),
      'lies outside of the archive',
    ],
    [
      'a directory outside of the file',
      patched(SMALL, zip => zip.writeUInt32LE(0x7fffffff, zip.length - 6)),
      'lies outside of the file',
    ],
    ['more entries than there are', patched(SMALL, zip => zip.writeUInt16LE(60_000, zip.length - 12)), 'is damaged'],
    ['ZIP64', patched(SMALL, zip => zip.writeUInt16LE(0xffff, zip.length - 12)), 'ZIP64'],
    ['an encrypted manifest', patched(SMALL, zip => zip.writeUInt16LE(1, directoryOf(zip) + 8)), 'is encrypted'],
    ['an unknown packing', patched(SMALL, zip => zip.writeUInt16LE(99, directoryOf(zip) + 10)), 'by method 99'],
    [
      'two manifests',
      zipOf([1, 2].map(() => ({ name: 'AndroidManifest.xml', content: Buffer.from('x') }))),
      'has two entries AndroidManifest.xml',
    ],
  ])('%s', (_, bytes, problem) => expect(problemOf(bytes)).toContain(problem))

  test('an element that claims more attributes than it has room for', () => {
    const xml = binaryXml({ tag: 'manifest', attributes: { package: 'a.b' } })
    const element = xml.indexOf(Buffer.from([0x02, 0x01, 0x10, 0x00]))
    xml.writeUInt16LE(0xffff, element + 16 + 12)
    expect(problemOf(manifest(xml))).toBe('its AndroidManifest.xml is damaged')
  })

  test('a manifest of 60,000 elements with one long name', () => {
    const name = 'x'.repeat(1_000)
    const children = Array.from({ length: 60_000 }, () => ({ tag: name }))
    const xml = binaryXml({ tag: 'manifest', attributes: { package: 'a.b' }, children })
    expect(apkIn(manifest(xml))).toMatchObject({ packageName: 'a.b' })
  })
})

test('damage anywhere is read or refused, and nothing else', () => {
  const whole = builtApk()
  const place = fc.nat(whole.length - 1)
  fc.assert(
    fc.property(fc.array(fc.tuple(place, fc.nat(255)), { minLength: 1, maxLength: 20 }), place, (changes, cut) => {
      const bytes = Buffer.from(whole)
      for (const [at, value] of changes) bytes[at] = value
      for (const read of [readApkBytes(bytes), readApkBytes(whole.subarray(0, cut))]) {
        expect(read.ok ? read.apk.packageName : read.problem).not.toBe('')
      }
    }),
    { numRuns: 300 },
  )
})

describe('a small archive with a manifest of millions of bytes', () => {
  const manifestOf = (chunks: Buffer[]) => {
    const body = Buffer.concat(chunks)
    const head = Buffer.alloc(8)
    head.writeUInt16LE(3, 0)
    head.writeUInt16LE(8, 2)
    head.writeUInt32LE(8 + body.length, 4)
    return zipOf([{ name: 'AndroidManifest.xml', content: Buffer.concat([head, body]) }])
  }
  /** The elements of a manifest as they are written: what comes before the end of its root, and that end. */
  const parts = (() => {
    const written = binaryXml({ tag: 'manifest', attributes: { package: 'a.b' }, children: [{ tag: 'a'.repeat(32) }] })
    const chunks: Buffer[] = []
    for (let at = 8; at < written.length; at += written.readUInt32LE(at + 4))
      chunks.push(written.subarray(at, at + written.readUInt32LE(at + 4)))
    return chunks
  })()
  const kind = (type: number) => parts.filter(part => part.readUInt16LE(0) === type)
  const [root, inner] = kind(0x0102)
  const [end] = kind(0x0103)
  const before = parts.slice(0, parts.indexOf(root as Buffer) + 1)

  test('is read in little time however deep its elements lie', () => {
    const deep = Array.from({ length: 62 }, () => inner as Buffer)
    const pairs = Array.from({ length: 60_000 }, () => [inner as Buffer, end as Buffer]).flat()
    const bytes = manifestOf([...before, ...deep, ...pairs])
    expect(bytes.length).toBeLessThan(40_000)
    const began = process.cpuUsage()
    for (let time = 0; time < 30; time += 1) problemOf(bytes)
    const { user, system } = process.cpuUsage(began)
    // Thirty of them took half a minute.
    expect((user + system) / 1_000).toBeLessThan(6_000)
  })

  test('leaves turns to other work while it is read from a file', async () => {
    const pairs = Array.from({ length: 60_000 }, () => [inner as Buffer, end as Buffer]).flat()
    const bytes = manifestOf([...before, ...pairs, end as Buffer])
    /** Answers within the turn that asks. */
    const file = {
      read: async (into: Buffer, offset: number, length: number, position: number) => ({
        bytesRead: bytes.copy(into, offset, position, position + length),
      }),
    } as unknown as FileHandle
    let turns = 0
    let ticking = setImmediate(function tick() {
      turns += 1
      ticking = setImmediate(tick)
    })
    const read = await readApkFile(file, bytes.length)
    clearImmediate(ticking)
    expect(read).toMatchObject({ ok: true, apk: { packageName: 'a.b' } })
    expect(turns).toBeGreaterThan(50)
  })

  test('is refused where it has more parts than any has', () => {
    const empty = Buffer.from([0xff, 0x01, 8, 0, 8, 0, 0, 0])
    const bytes = manifestOf([...before, ...Array.from({ length: 250_000 }, () => empty)])
    expect(problemOf(bytes)).toBe('its AndroidManifest.xml has more than 200000 parts')
  })
})

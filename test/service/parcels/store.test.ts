/** Files that come to a host in pieces: in any order, twice, cut short, or changed on their way. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { createParcelStore, type ParcelStore } from '../../../src/service/parcels/store.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-parcels-')
let made = 0
const newFolder = () => {
  const path = join(folder(), String(made++))
  mkdirSync(path)
  return path
}
const storeIn = (path: string, free?: () => Promise<number>) =>
  createParcelStore({ folder: path, clock: systemClock(), ...(free ? { free } : {}) })
const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const CONTENT = Buffer.from('a file that travels in pieces')
const DIGEST = digestOf(CONTENT)
const piece = (offset: number, end = CONTENT.length) => ({
  total: CONTENT.length,
  offset,
  data: CONTENT.subarray(offset, end).toString('base64'),
})
const whole = { ok: true, received: CONTENT.length, whole: true }
const readPlaced = async (store: ParcelStore, name = 'x.txt') => {
  const path = await store.place({ kind: 'file', digest: DIGEST, mode: 0o640, mtime: 86_400_000, name })
  return path === undefined ? undefined : { name: basename(path), content: readFileSync(path) }
}

describe('a file', () => {
  test('is asked for, comes in pieces, and is whole', async () => {
    const store = storeIn(newFolder())
    expect(await store.put(DIGEST, piece(0, 0))).toEqual({ ok: true, received: 0, whole: false })
    expect(await readPlaced(store)).toBeUndefined()
    expect(await store.put(DIGEST, piece(0, 10))).toEqual({ ok: true, received: 10, whole: false })
    expect(await store.put(DIGEST, piece(10))).toEqual(whole)
    expect(await readPlaced(store, 'my file.apk')).toEqual({ name: 'my file.apk', content: CONTENT })
  })

  test('has the permissions and the time that it had', async () => {
    const store = storeIn(newFolder())
    await store.put(DIGEST, piece(0))
    const path = await store.place({ kind: 'file', digest: DIGEST, mode: 0o755, mtime: -86_400_000, name: 'run.sh' })
    const { mode, mtimeMs } = statSync(path ?? '')
    expect([mode & 0o777, mtimeMs]).toEqual([0o755, -86_400_000])
  })

  test('takes a piece once, and none that begins elsewhere', async () => {
    const store = storeIn(newFolder())
    await store.put(DIGEST, piece(0, 10))
    expect(await store.put(DIGEST, piece(0, 10))).toMatchObject({ received: 10 })
    expect(await store.put(DIGEST, piece(15))).toMatchObject({ received: 10, whole: false })
    expect(await store.put(DIGEST, piece(10))).toEqual(whole)
    expect(await store.put(DIGEST, piece(0, 0))).toEqual(whole)
  })

  test('that two send at once is written once', async () => {
    const store = storeIn(newFolder())
    const both = await Promise.all(
      [0, 10].flatMap(at => [store.put(DIGEST, piece(at, 10 + at)), store.put(DIGEST, piece(at, 10 + at))]),
    )
    expect(both.map(taken => taken.ok && taken.received)).toEqual([10, 10, 20, 20])
    expect(await store.put(DIGEST, piece(20))).toEqual(whole)
  })

  test('goes on in another process of the host', async () => {
    const path = newFolder()
    await storeIn(path).put(DIGEST, piece(0, 10))
    expect(await storeIn(path).put(DIGEST, piece(10))).toEqual(whole)
  })

  test('that is another than was named is refused, and can be sent again', async () => {
    const store = storeIn(newFolder())
    const other = Buffer.from(CONTENT).fill('x', 3, 4).toString('base64')
    expect(await store.put(DIGEST, { ...piece(0), data: other })).toMatchObject({ ok: false, problem: /changed while/ })
    expect(await store.put(DIGEST, piece(0))).toEqual(whole)
  })

  test('with more bytes than were named is not taken', async () => {
    const store = storeIn(newFolder())
    expect(await store.put(DIGEST, { ...piece(0), total: 5 })).toMatchObject({ received: 0, whole: false })
  })

  test('without a byte is whole at once', async () => {
    const store = storeIn(newFolder())
    const empty = digestOf(Buffer.alloc(0))
    expect(await store.put(empty, { total: 0, offset: 0, data: '' })).toEqual({ ok: true, received: 0, whole: true })
  })

  test.each(['../../etc/passwd', '', 'A'.repeat(64), `${DIGEST}0`])('named %j is refused', async name => {
    const store = storeIn(newFolder())
    expect(await store.put(name, piece(0))).toMatchObject({ ok: false })
  })

  test('that would fill the disk is refused before a byte of it is written', async () => {
    const store = storeIn(newFolder(), async () => 512 * 1_024 * 1_024 + CONTENT.length - 1)
    expect(await store.put(DIGEST, piece(0))).toMatchObject({ ok: false, problem: /that much room/ })
  })

  test('that nobody has used for a day is gone', async () => {
    const path = newFolder()
    await storeIn(path).put(DIGEST, piece(0))
    const old = Date.now() / 1_000 - 25 * 60 * 60
    utimesSync(join(path, DIGEST), old, old)
    const store = storeIn(path)
    await store.put(digestOf(Buffer.from('y')), { total: 1, offset: 0, data: '' })
    expect(await readPlaced(store)).toBeUndefined()
  })
})

describe('a folder', () => {
  const tree = () => {
    const path = join(newFolder(), 'album')
    mkdirSync(join(path, 'empty'), { recursive: true })
    mkdirSync(join(path, 'summer 2026'))
    writeFileSync(join(path, 'a.txt'), 'A')
    writeFileSync(join(path, 'summer 2026', "it's.txt"), 'B'.repeat(100_000))
    writeFileSync(join(path, 'summer 2026', 'nothing'), '')
    writeFileSync(join(path, 'back\\slash'), 'C', { mode: 0o750 })
    utimesSync(join(path, 'back\\slash'), 1_000, 1_000)
    return path
  }

  test('travels as one file, and is a folder again', async () => {
    const from = storeIn(newFolder())
    const sent = await from.toSend(tree())
    if (!sent) throw new Error('it was not packed')
    const bytes = readFileSync(sent.path)
    expect(digestOf(bytes)).toBe(sent.digest)
    const to = storeIn(newFolder())
    await to.put(sent.digest, { total: bytes.length, offset: 0, data: bytes.toString('base64') })
    const path = await to.place({ kind: 'folder', digest: sent.digest, mode: 0, mtime: 0, name: 'album' })
    expect(readFileSync(join(path ?? '', 'summer 2026', "it's.txt"), 'utf8')).toBe('B'.repeat(100_000))
    expect(readFileSync(join(path ?? '', 'summer 2026', 'nothing'), 'utf8')).toBe('')
    expect(statSync(join(path ?? '', 'empty')).isDirectory()).toBe(true)
    const { mode, mtimeMs } = statSync(join(path ?? '', 'back\\slash'))
    expect([mode & 0o777, mtimeMs]).toEqual([0o750, 1_000_000])
    expect(await to.place({ kind: 'folder', digest: sent.digest, mode: 0, mtime: 0, name: 'album' })).toBe(path)
  })

  test.each([
    ['leads out of it', { folders: [], files: [{ path: '../out', bytes: 1, mode: 0, mtime: 0 }] }],
    ['leads to the root', { folders: ['/tmp/out'], files: [{ path: 'a', bytes: 1, mode: 0, mtime: 0 }] }],
    ['names the folder above', { folders: ['a/../..'], files: [{ path: 'a', bytes: 1, mode: 0, mtime: 0 }] }],
    ['lists more than there is', { folders: [], files: [{ path: 'a', bytes: 2, mode: 0, mtime: 0 }] }],
    ['lists less than there is', { folders: [], files: [] }],
    ['is no list', 17],
  ])('that %s is refused', async (_, list) => {
    const bytes = Buffer.from(`${JSON.stringify(list)}\nx`)
    const store = storeIn(newFolder())
    const digest = digestOf(bytes)
    await store.put(digest, { total: bytes.length, offset: 0, data: bytes.toString('base64') })
    await expect(store.place({ kind: 'folder', digest, mode: 0, mtime: 0, name: 'album' })).rejects.toThrow()
  })
})

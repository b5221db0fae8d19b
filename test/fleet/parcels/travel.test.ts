/** Files on their way from one machine to another: whole, with lost answers, and changed while they are sent. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { failure } from '../../../src/contracts/failures/failures.ts'
import { ANSWERED_PIECE_BYTES, PIECE_BYTES } from '../../../src/contracts/parcel.ts'
import { fetchFile } from '../../../src/fleet/parcels/fetch.ts'
import { sendFile } from '../../../src/fleet/parcels/send.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { createParcelStore } from '../../../src/service/parcels/store.ts'
import { failed, type Service, success } from '../../../src/service/service.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-travel-')
const call = { context: { caller: 'cli' } } as const
let made = 0
const newFolder = () => {
  const path = join(folder(), String(made++))
  mkdirSync(path)
  return path
}
const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

const fileOf = (bytes: Buffer) => {
  const path = join(newFolder(), 'app.apk')
  writeFileSync(path, bytes)
  return { path, bytes: bytes.length, digest: digestOf(bytes) }
}

const CONTENT = Buffer.alloc(2 * PIECE_BYTES + 17, 'svc')

type Put = Service['parcels.put']

const hostOf = (change: (put: Put) => Put = put => put) => {
  const store = createParcelStore({ folder: newFolder(), clock: systemClock() })
  const pieces: number[] = []
  const put: Put = async ({ digest, ...piece }) => {
    pieces.push(piece.data.length)
    const taken = await store.put(digest, piece)
    return taken.ok
      ? success({ ok: true, received: taken.received, whole: taken.whole })
      : failed(failure('FILE_REFUSED', taken.problem))
  }
  return { store, pieces, service: { 'parcels.put': change(put) } }
}

describe('sent', () => {
  test('in pieces, and told of', async () => {
    const { store, pieces, service } = hostOf()
    const file = fileOf(CONTENT)
    const told: number[] = []
    expect(await sendFile(file, { service, call, told: done => told.push(done) })).toMatchObject({ ok: true })
    expect(told).toEqual([0, PIECE_BYTES, 2 * PIECE_BYTES, CONTENT.length])
    expect(pieces).toHaveLength(4)
    const path = await store.place({ kind: 'file', digest: file.digest, mode: 0o644, mtime: 0, name: 'app.apk' })
    expect(readFileSync(path ?? '').equals(CONTENT)).toBe(true)
  })

  test('not a second time', async () => {
    const { pieces, service } = hostOf()
    const file = fileOf(CONTENT)
    await sendFile(file, { service, call })
    pieces.length = 0
    expect(await sendFile(file, { service, call })).toMatchObject({ ok: true })
    expect(pieces).toEqual([0])
  })

  test('over lost answers: each piece is taken once', async () => {
    let asked = 0
    const { store, service } = hostOf(put => async (input, asking) => {
      const answer = await put(input, asking)
      asked += 1
      return asked === 2 || asked === 4
        ? { ...failed(failure('FLEET_HOST_GONE', 'no answer')), unanswered: 'unknown' as const }
        : answer
    })
    const file = fileOf(CONTENT)
    expect(await sendFile(file, { service, call })).toMatchObject({ ok: true })
    const path = await store.place({ kind: 'file', digest: file.digest, mode: 0o644, mtime: 0, name: 'a' })
    expect(readFileSync(path ?? '').equals(CONTENT)).toBe(true)
  })

  test('to a host that never answers ends', async () => {
    let asked = 0
    const { service } = hostOf(() => async () => {
      asked += 1
      return { ...failed(failure('FLEET_HOST_GONE', 'no answer')), unanswered: 'unknown' as const }
    })
    expect(await sendFile(fileOf(CONTENT), { service, call })).toMatchObject({
      ok: false,
      error: { code: 'FLEET_HOST_GONE' },
    })
    expect(asked).toBe(4)
  })

  test('to a host that forgets what it had ends', async () => {
    const { service } = hostOf(() => async () => success({ ok: true, received: 0, whole: false }))
    expect(await sendFile(fileOf(CONTENT), { service, call })).toMatchObject({
      ok: false,
      error: { code: 'FILE_REFUSED' },
    })
  })

  test.each([
    ['shorter', CONTENT.length - 1],
    ['of another content', CONTENT.length],
  ])('a file that is %s than it was is refused', async (_, length) => {
    const { service } = hostOf()
    const file = fileOf(CONTENT)
    writeFileSync(file.path, Buffer.alloc(length, 'other'))
    expect(await sendFile(file, { service, call })).toMatchObject({ ok: false, error: { code: 'FILE_REFUSED' } })
  })

  test('a file that is gone is not found', async () => {
    const { service } = hostOf()
    const file = { ...fileOf(CONTENT), path: join(folder(), 'nothing') }
    expect(await sendFile(file, { service, call })).toMatchObject({ ok: false, error: { code: 'FILE_NOT_FOUND' } })
  })
})

describe('fetched', () => {
  const served = (bytes: Buffer, digest = digestOf(bytes)): Pick<Service, 'parcels.get'> => ({
    'parcels.get': async ({ offset }) =>
      success({
        ok: true,
        kind: 'file',
        total: bytes.length,
        digest,
        data: bytes.subarray(offset, offset + ANSWERED_PIECE_BYTES).toString('base64'),
      }),
  })
  const fetched = async (service: Pick<Service, 'parcels.get'>) => {
    const path = join(newFolder(), 'log.txt')
    const into = await open(path, 'w')
    try {
      return { result: await fetchFile({ executionId: 'e', position: 0 }, into, { service, call }), path }
    } finally {
      await into.close()
    }
  }

  test.each([0, 10, ANSWERED_PIECE_BYTES, ANSWERED_PIECE_BYTES + 1])('%d bytes', async length => {
    const bytes = Buffer.alloc(length, 'abc')
    const { result, path } = await fetched(served(bytes))
    expect(result).toMatchObject({ ok: true, value: { kind: 'file', bytes: length } })
    expect(readFileSync(path).equals(bytes)).toBe(true)
  })

  test.each([
    ['has another digest', served(Buffer.from('abc'), digestOf(Buffer.from('abd')))],
    [
      'ends early',
      {
        'parcels.get': async () =>
          success({ ok: true as const, kind: 'file' as const, total: 5, digest: digestOf(CONTENT), data: '' }),
      },
    ],
  ])('what %s is refused', async (_, service) => {
    expect((await fetched(service)).result).toMatchObject({ ok: false, error: { code: 'FILE_REFUSED' } })
  })
})

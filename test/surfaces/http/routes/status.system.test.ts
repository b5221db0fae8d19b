import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LinkError, type LinkErrorCode } from '../../../../src/device/link/link.ts'
import { createTroubles } from '../../../../src/runtime/background-failures.ts'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { call } from '../../../support/http/http-client.ts'
import { BUILD, type FakeServer, startFake } from '../../../support/http/http-server.ts'
import { until } from '../../../support/until.ts'

let fake: FakeServer
let list: (signal: AbortSignal) => Promise<{ serial: string; state: string }[]> = async () => []
beforeAll(async () => {
  fake = await startFake({ listDevices: signal => list(signal) })
})
afterAll(() => fake.server.close({ graceMs: 1_000 }))

test('ping touches nothing', async () => {
  list = () => Promise.reject(new Error('no'))
  expect(await call(`${fake.url}/ping`)).toMatchObject({ status: 200, text: '{"ok":true}' })
  expect(fake.executions.requests).toEqual([])
})

test('health tells what fails beside the answers', async () => {
  expect((await call(`${fake.url}/health`)).json).toEqual({ ok: true, troubles: [] })
  const troubles = createTroubles({ clock: systemClock(), note: () => {} })
  const ill = await startFake({ troubles })
  troubles.tell('a listener failed', new Error('once'))
  troubles.tell('a listener failed', new Error('again'))
  expect((await call(`${ill.url}/health`)).json).toMatchObject({
    troubles: [{ what: 'a listener failed', message: 'again', times: 2 }],
  })
  await ill.server.close({ graceMs: 0 })
})

test('version', async () => {
  const { status, json } = await call(`${fake.url}/version`)
  expect(status).toBe(200)
  expect(json).toEqual({ version: '1.2.3', buildIdentity: BUILD })
})

describe('devices', () => {
  test('in every state, and nothing else about them', async () => {
    const devices = [
      { serial: 'a', state: 'device', extra: 1 },
      { serial: 'b', state: 'unauthorized' },
      { serial: 'c', state: 'offline' },
      { serial: 'd', state: 'no permissions; see [url]' },
    ]
    list = async () => devices
    const { status, json } = await call(`${fake.url}/devices`)
    expect(status).toBe(200)
    expect(json).toEqual({
      ok: true,
      devices: devices.map(({ serial, state }) => ({ serial, deviceId: serial, state })),
    })
  })

  const failures: readonly [LinkErrorCode, string][] = [
    ['ADB_NOT_FOUND', 'ADB_NOT_FOUND'],
    ['ADB_SERVER_FAILED', 'ADB_SERVER_FAILED'],
    ['LINK_TIMEOUT', 'ADB_SERVER_FAILED'],
    // Its own row says 409; the contract takes this route out of the table.
    ['DEVICE_OFFLINE', 'DEVICE_OFFLINE'],
  ]
  test.each(failures)('%s is a 500', async (code, answered) => {
    list = () => Promise.reject(new LinkError(code, 'it did not work'))
    const { status, json } = await call(`${fake.url}/devices`)
    expect(status).toBe(500)
    expect(json).toMatchObject({ ok: false, error: { code: answered, message: 'it did not work' } })
  })

  test('what nobody foresaw is INTERNAL_ERROR, and its insides stay here', async () => {
    list = () => Promise.reject(new Error('the secret is 42'))
    const { status, text, json } = await call(`${fake.url}/devices`)
    expect([status, (json as { error: { code: string } }).error.code]).toEqual([500, 'INTERNAL_ERROR'])
    expect(text).not.toMatch(/secret|at .*\.ts/)
    expect(fake.notes.join('\n')).toContain('the secret is 42')
  })

  test('the listing is given up when the caller leaves', async () => {
    let aborted = false
    list = signal =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          aborted = true
          reject(new LinkError('LINK_CANCELLED', 'left'))
        })
      })
    const { request } = await import('node:http')
    const sent = request(`${fake.url}/devices`, { agent: false })
    sent.on('error', () => {})
    sent.end()
    await until(() => sent.socket?.bytesWritten !== undefined && sent.socket.bytesWritten > 0, 'the request')
    setImmediate(() => sent.destroy())
    await until(() => aborted, 'the listing to be given up', 5_000)
  })
})

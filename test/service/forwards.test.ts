/** Forwards and reverses over HTTP: for this user's own commands, and refused to callers over the network. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ForwardingApp, startForwardingApp } from '../support/forwarding-app.ts'
import { call } from '../support/http/http-client.ts'
import type { HttpLab, ServedApp } from '../support/http/http-server.ts'

let lab: HttpLab
let own: ServedApp
let app: ForwardingApp
const path = (kind: string, end?: string) =>
  `/devices/${encodeURIComponent(lab.serials[0] ?? '')}/${kind}${end === undefined ? '' : `/${encodeURIComponent(end)}`}`
const post = (url: string, body: unknown) =>
  call(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

beforeAll(async () => {
  app = await startForwardingApp()
  ;({ lab, own } = app)
})
afterAll(() => app.close())

describe('a caller over the network', () => {
  test.each([
    ['GET', 'forwards', undefined],
    ['POST', 'forwards', { local: 'tcp:0', remote: 'tcp:7' }],
    ['POST', 'reverses', { local: 'tcp:22', remote: 'tcp:0' }],
    ['DELETE', 'reverses/tcp:1', undefined],
  ])('%s %s is refused', async (method, rest, body) => {
    const url = `${lab.url}${path(rest.split('/')[0] ?? '', rest.split('/')[1])}`
    const asked = body ? await post(url, body) : await call(url, { method })
    expect(asked).toMatchObject({
      status: 403,
      json: { ok: false, error: { code: 'FORWARD_REFUSED', details: { reason: 'stranger' } } },
    })
  })
})

describe("this user's own commands", () => {
  test('add, list and remove', async () => {
    const deviceId = lab.serials[0]
    const added = await post(`${own.url}${path('forwards')}`, { local: 'tcp:0', remote: 'localabstract:echo' })
    const forward = {
      ...{ deviceId, local: expect.stringMatching(/^tcp:\d+$/), remote: 'localabstract:echo' },
      heldBy: { pid: process.pid },
    }
    expect(added).toMatchObject({ status: 200, json: { ok: true, forward } })
    const { local } = (added.json as unknown as { forward: { local: string } }).forward
    const listed = await call(`${own.url}${path('forwards')}`)
    expect(listed.json).toEqual({ ok: true, forwards: [{ ...forward, local }], count: 1 })
    const removed = await call(`${own.url}${path('forwards', local)}`, { method: 'DELETE' })
    expect(removed).toMatchObject({ status: 200, json: { ok: true, forward: { local } } })
    const again = await call(`${own.url}${path('forwards', local)}`, { method: 'DELETE' })
    expect(again).toMatchObject({ status: 409, json: { error: { details: { reason: 'not_found', end: local } } } })
  })

  test('a reverse is one by its end at the device', async () => {
    await post(`${own.url}${path('reverses')}`, { local: 'tcp:9', remote: 'tcp:3000' })
    const other = await post(`${own.url}${path('reverses')}`, { local: 'tcp:10', remote: 'tcp:3000' })
    expect(other).toMatchObject({
      status: 409,
      json: { error: { details: { reason: 'taken', connects: { local: 'tcp:9', remote: 'tcp:3000' } } } },
    })
    const removed = await call(`${own.url}${path('reverses', 'tcp:3000')}`, { method: 'DELETE' })
    expect(removed.json).toMatchObject({ reverse: { local: 'tcp:9', remote: 'tcp:3000' } })
  })

  test.each([
    ['forwards', { local: 'tcp:0', remote: 'tcp:0' }],
    ['forwards', { local: 'tcp:65536', remote: 'tcp:7' }],
    ['forwards', { local: 'tcp:1;tcp:2', remote: 'tcp:7' }],
    ['forwards', { local: 'localabstract:a;b', remote: 'tcp:7' }],
    ['forwards', { local: `localfilesystem:/${'x'.repeat(107)}`, remote: 'tcp:7' }],
    ['forwards', { local: 'tcp:0' }],
    ['reverses', { local: 'tcp:0', remote: 'tcp:0' }],
    ['reverses', { local: 'tcp:1', remote: 'tcp:1', norebind: true }],
  ])('%s of %j is INVALID_BODY', async (kind, body) => {
    const { status, json } = await post(`${own.url}${path(kind)}`, body)
    expect({ status, json }).toMatchObject({ status: 400, json: { error: { code: 'INVALID_BODY' } } })
  })

  test('a device that is not there has none', async () => {
    const { status, json } = await call(`${own.url}/devices/nobody/forwards`)
    expect({ status, json }).toMatchObject({ status: 404, json: { error: { code: 'DEVICE_NOT_FOUND' } } })
  })
})

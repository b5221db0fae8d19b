/** Who may change a phone that somebody else has: ports, recordings and reservations, over HTTP and by commands. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runCliHere } from '../support/cli/cli-here.ts'
import { DEVICE_CONFLICT } from '../support/failure-codes.ts'
import { type ForwardingApp, startForwardingApp } from '../support/forwarding-app.ts'
import { call } from '../support/http/http-client.ts'
import type { HttpLab, ServedApp } from '../support/http/http-server.ts'

let lab: HttpLab
let own: ServedApp
let app: ForwardingApp
const RUN = '01a0c450-6c00-72b0-91e0-586a373dc163'
const FLOW_RUN = `${RUN}.1.1`
const serial = () => lab.serials[0] ?? ''
const path = (rest: string) => `${own.url}/devices/${encodeURIComponent(serial())}/${rest}`
const under = (leaseId: string) => ({ 'Svc-Lease': leaseId })

beforeAll(async () => {
  app = await startForwardingApp()
  ;({ lab, own } = app)
})
afterAll(() => app.close())

const reserve = async (more: object = {}, headers: Record<string, string> = {}) =>
  call(`${own.url}/leases`, { body: { device: serial(), forMs: 60_000, ...more }, headers })
const leaseIn = ({ json }: { json: unknown }) => (json as { lease: { leaseId: string } }).lease.leaseId
const svc = (...args: string[]) =>
  runCliHere(args, {
    env: { HOME: lab.lab.home, SVC_NO_DAEMON: '1', SVC_TCP_DEVICES: serial() },
  })
const CONFLICT = { code: DEVICE_CONFLICT }

describe('a phone that another caller has reserved', () => {
  let leaseId: string
  beforeEach(async () => {
    leaseId = leaseIn(await reserve())
  })
  afterEach(() => call(`${own.url}/leases/${leaseId}`, { method: 'DELETE' }))

  test('takes forwards and reverses from the holder only, and lets only the holder remove them', async () => {
    for (const [kind, ends, end] of [
      ['forwards', { local: 'tcp:0', remote: 'localabstract:echo' }, 'local'],
      ['reverses', { local: 'tcp:9', remote: 'tcp:3000' }, 'remote'],
    ] as const) {
      const refused = await call(path(kind), { body: ends })
      expect([refused.status, refused.json]).toMatchObject([
        423,
        { error: { ...CONFLICT, details: { holder: { leaseId } } } },
      ])
      const added = await call(path(kind), { body: ends, headers: under(leaseId) })
      expect(added.status).toBe(200)
      const led = (added.json as unknown as Record<string, Record<string, string>>)[kind.slice(0, -1)]?.[end] ?? ''
      const one = path(`${kind}/${encodeURIComponent(led)}`)
      expect((await call(one, { method: 'DELETE' })).status).toBe(423)
      // To look is free.
      expect((await call(path(kind))).json).toMatchObject({ count: 1 })
      expect((await call(one, { method: 'DELETE', headers: under(leaseId) })).status).toBe(200)
    }
    const named = await call(path('forwards'), { body: { local: 'tcp:0', remote: 'tcp:7' }, headers: under(RUN) })
    expect([named.status, named.json]).toMatchObject([404, { error: { code: 'LEASE_NOT_FOUND' } }])
  })

  test('records for its holder: others do not stop that recording before the reservation is over', async () => {
    const begun = await call(path('recording'), { body: { forMs: 60_000 }, headers: under(leaseId) })
    expect(begun.status).toBe(200)
    const refused = await call(path('recording'), { method: 'DELETE' })
    expect([refused.status, refused.json]).toMatchObject([423, { error: CONFLICT }])
    const byCommand = await svc('record', 'stop', '--device', serial())
    expect([byCommand.code, byCommand.json()]).toMatchObject([1, { ...CONFLICT, details: { holder: { leaseId } } }])
    expect((await call(path('recording'))).json).toMatchObject({ recording: { state: 'recording' } })
    await call(`${own.url}/leases/${leaseId}`, { method: 'DELETE' })
    expect((await call(path('recording'), { method: 'DELETE' })).status).toBe(200)
  })

  test('its holder stops its recording, by a command too', async () => {
    await call(path('recording'), { body: { forMs: 60_000 }, headers: under(leaseId) })
    const stopped = await svc('record', 'stop', '--device', serial(), '--lease', leaseId)
    expect([stopped.code, stopped.json()]).toMatchObject([0, { recording: { state: 'saved' } }])
  })

  test('a recording that began without the reservation is stopped by anybody', async () => {
    await call(path('recording'), { body: { forMs: 60_000 } })
    expect((await call(path('recording'), { method: 'DELETE' })).status).toBe(200)
  })
})

describe('a reservation in the name of another', () => {
  test.each([
    ['flowRunId', FLOW_RUN, {}],
    ['flowRunId', FLOW_RUN, { 'Svc-Skill-Run': FLOW_RUN }],
    ['flowRunId', FLOW_RUN, { 'Svc-Caller': 'flow', 'Svc-Skill-Run': `${RUN}.1.2` }],
    ['sessionId', RUN, {}],
  ])('%s of %s by a caller with %j is refused', async (field, id, headers) => {
    const { status, json } = await reserve({ [field]: id }, headers as Record<string, string>)
    expect([status, json]).toMatchObject([400, { error: { code: 'INVALID_BODY', details: { field } } }])
    expect((await call(`${own.url}/leases`)).json).toMatchObject({ count: 0 })
  })
})

test('the reservation of an attempt is ended and changed by its runner only', async () => {
  const service = await lab.lab.services.service()
  const runner = { context: { caller: 'flow', skillRunId: FLOW_RUN } } as const
  const made = await service['leases.create']({ device: serial(), forMs: 60_000, flowRunId: FLOW_RUN }, runner)
  if (!made.ok) throw new Error(made.error.message)
  const { leaseId } = made.value.lease
  const one = `${own.url}/leases/${leaseId}`
  const hint = expect.stringContaining(`DELETE /test-runs/${RUN}`)
  for (const refused of [
    await call(one, { method: 'DELETE' }),
    await call(one, { method: 'DELETE', headers: under(leaseId) }),
    await call(one, { method: 'PUT', body: { forMs: 1_000 } }),
  ])
    expect([refused.status, refused.json]).toMatchObject([423, { error: { ...CONFLICT, hint } }])
  for (const args of [
    ['lease', 'end', leaseId],
    ['lease', 'extend', leaseId, '--for', '1s'],
  ])
    expect((await svc(...args)).json()).toMatchObject({ ...CONFLICT, details: { holder: { flowRunId: FLOW_RUN } } })
  expect((await service['leases.extend']({ leaseId, forMs: 70_000 }, runner)).ok).toBe(true)
  expect((await service['leases.end']({ leaseId }, runner)).ok).toBe(true)
})

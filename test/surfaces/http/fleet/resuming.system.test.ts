/** An execution of a fleet is resumed by its host, on a device that is named as everywhere in the fleet. */
import { expect, onTestFinished, test } from 'vitest'
import type { FleetHostStatus } from '../../../../src/contracts/fleet.ts'
import type { Fleet } from '../../../../src/fleet/fleet.ts'
import { payloadOf } from '../../../support/executions/lab.ts'
import { answered, fakeFleet, rowOf } from '../../../support/fleet/fake-fleet.ts'
import { call } from '../../../support/http/http-client.ts'
import { startFake } from '../../../support/http/http-server.ts'

const execution = payloadOf([{ id: 'a', type: 'snapshot' }], { commandId: 'c' })

const rows = [
  rowOf('s1@self'),
  rowOf('only-here@self'),
  rowOf('s1@other'),
  rowOf('s2@other', { phone: 'p2' }),
  rowOf('s9@third', { phone: 'p2', isAlive: true }),
]

const RAN = {
  ok: true,
  deviceId: 's1',
  terminalSource: 'svc_result',
  envelope: { commandId: 'c', taskId: 't', status: 'success', stepResults: [], error: null },
}

const start = async () => {
  const front = fakeFleet({
    rows,
    forward: ({ method, host }) =>
      method === 'POST'
        ? answered(200, RAN)
        : host === 'other'
          ? answered(200, { ok: true, execution: {} })
          : answered(404, { ok: false, error: { code: 'EXECUTION_NOT_FOUND', message: 'No.' } }),
  })
  const server = await startFake({ fleet: front as Fleet })
  onTestFinished(() => server.server.close({ graceMs: 0 }))
  const resume = async (deviceId: unknown) => {
    const answer = await call(`${server.url}/executions/x/resume`, { body: { deviceId, fromStep: 'b' } })
    const sent = front.sent
      .filter(({ method }) => method === 'POST')
      .map(({ host, body }) => [host, JSON.parse(Buffer.from(body).toString())])
    return { ...answer, sent }
  }
  return { resume }
}

test.each([
  ['s1@other', 's1'],
  ['s1', 's1'],
  ['any:host=other', 's1'],
])('%s is told to its host as %s', async (deviceId, serial) => {
  const { resume } = await start()
  expect(await resume(deviceId)).toMatchObject({ status: 200, sent: [['other', { deviceId: serial, fromStep: 'b' }]] })
})

test.each(['s1@self', 'only-here'])(
  'a device of another host is refused, whatever its serial is: %s',
  async deviceId => {
    const { resume } = await start()
    const { status, json, sent } = await resume(deviceId)
    expect({ status, json }).toMatchObject({
      status: 409,
      json: { error: { code: 'RESUME_REFUSED', details: { host: 'other', deviceId, dispatched: false } } },
    })
    expect(sent).toEqual([])
  },
)

test.each(['/execute', '/executions/x/resume'])(
  'a draining host refuses POST %s of another host, and says what ends a drain',
  async path => {
    const front = fakeFleet({ rows })
    front.isServing = () => false
    front.statusOf = () => ({ host: 'self', state: 'draining' }) as FleetHostStatus
    const { deps, executions, server, url } = await startFake({ fleet: front as Fleet, isPrivate: true })
    onTestFinished(() => server.close({ graceMs: 0 }))
    deps.executions().isHere = () => true
    for (const headers of [{ 'svc-fleet-from': 'other' }, {}]) {
      const { status, json } = await call(`${url}${path}`, {
        body: { deviceId: 's1@self', ...(path === '/execute' ? { execution } : {}) },
        headers,
      })
      expect({ status, json }).toMatchObject({
        status: 503,
        json: {
          error: {
            code: 'FLEET_HOST_GONE',
            details: { host: 'self', dispatched: false },
            hint: expect.stringContaining('only a restart ends a drain') as string,
          },
        },
      })
    }
    expect(executions.requests).toEqual([])
    expect(front.sent.filter(({ method }) => method === 'POST')).toEqual([])
  },
)

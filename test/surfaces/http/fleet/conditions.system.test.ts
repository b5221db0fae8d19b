/** The conditions under which a host of a fleet asks another one: what it adds, and what of its own stays with it. */
import { expect, onTestFinished, test } from 'vitest'
import type { Fleet } from '../../../../src/fleet/fleet.ts'
import { payloadOf } from '../../../support/executions/lab.ts'
import { answered, fakeFleet, rowOf } from '../../../support/fleet/fake-fleet.ts'
import { call } from '../../../support/http/http-client.ts'
import { startFake } from '../../../support/http/http-server.ts'
import { connectHttp } from '../../../support/mcp-client.ts'

const execution = payloadOf([{ id: 'a', type: 'snapshot' }], { commandId: 'c' })
const refusal = answered(404, { ok: false, error: { code: 'DEVICE_NOT_FOUND', message: 'No.' } })

const start = async () => {
  const front = fakeFleet({ rows: [rowOf('s@other', { epoch: 4 })], forward: () => refusal })
  const { server, url } = await startFake({ fleet: front as Fleet, operatorPackage: 'com.of.this.host' })
  onTestFinished(() => server.close({ graceMs: 0 }))
  return { front, url }
}

test('the operator of the asked host does not travel, whichever door it was asked through', async () => {
  const { front, url } = await start()
  await call(`${url}/execute`, { body: { execution, deviceId: 's@other' } })
  const mcp = await connectHttp(url, 'modern')
  await mcp.call('execute', { execution, device: 's@other' })
  await mcp.close()
  expect(front.sent).toHaveLength(2)
  for (const { body, headers } of front.sent) {
    expect(JSON.parse(Buffer.from(body).toString())).not.toHaveProperty('operatorPackage')
    expect(headers).not.toHaveProperty('svc-operator-unnamed')
  }
})

test.each([
  ['/execute', { execution }],
  ['/skills/x/run', {}],
])('POST %s holds under the epoch of the fleet', async (path, body) => {
  const { front, url } = await start()
  await call(`${url}${path}`, { body: { ...body, deviceId: 's@other' } })
  const headers = { 'svc-fleet-from': 'self', 'svc-fleet-epoch': '4', 'svc-caller': 'http' }
  expect(front.sent).toMatchObject([{ host: 'other', path, headers }])
})

/** GET /devices/<id>, `svc device info` and the tool `device`: the same answer, on one host and in a fleet. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCli } from '../support/cli/run-cli.ts'
import { type FleetLab, startFleetLab } from '../support/fleet/fleet-lab.ts'
import { call } from '../support/http/http-client.ts'
import { type HttpLab, startHttpLab } from '../support/http/http-server.ts'
import { connectHttp } from '../support/mcp-client.ts'
import { needs } from '../support/needs.ts'

const SIMULATED = {
  model: 'Svc Sim',
  androidVersion: '15',
  display: { width: expect.any(Number), height: expect.any(Number), density: expect.any(Number) },
  battery: { percent: 87 },
  frontApp: expect.stringContaining('.'),
}
type Answer = { device: object }

describe('one host', () => {
  let lab: HttpLab
  const env = () => ({ HOME: lab.lab.home, SVC_TCP_DEVICES: lab.serials.join(','), PATH: '' })
  beforeAll(async () => {
    lab = await startHttpLab()
  })
  afterAll(() => lab.close())

  test('answers alike through every door', async () => {
    const [serial = ''] = lab.serials
    const { status, json } = await call(`${lab.url}/devices/${encodeURIComponent(serial)}`)
    expect({ status, json }).toMatchObject({
      status: 200,
      json: { ok: true, device: { serial, deviceId: serial, ...SIMULATED } },
    })
    /** The clock of the device goes on between two answers. */
    const device = { ...(json as unknown as Answer).device, time: expect.stringMatching(/^\d{4}-/) }
    for (const args of [[], ['--device', serial]]) {
      const printed = await runCli(['device', 'info', '--no-daemon', ...args], { env: env() })
      expect({ code: printed.code, json: printed.json() }).toEqual({ code: 0, json: { device } })
    }
    const mcp = await connectHttp(lab.url, 'modern')
    expect((await mcp.call('device')).structured).toEqual({ device })
    await mcp.close()
  })

  test('says by one code that a device is not there', async () => {
    const { status, json } = await call(`${lab.url}/devices/nobody`)
    expect({ status, json }).toMatchObject({ status: 404, json: { error: { code: 'DEVICE_NOT_FOUND' } } })
    const { error } = json as { error?: object }
    const printed = await runCli(['device', 'info', '--no-daemon', '--device', 'nobody'], { env: env() })
    expect({ code: printed.code, json: printed.json() }).toEqual({
      code: 1,
      json: { ...error, hint: 'Name a device that `svc devices` lists.' },
    })
  })
})

describe.skipIf(!needs('nats-server'))('a fleet', () => {
  let lab: FleetLab
  beforeAll(async () => {
    lab = await startFleetLab({ inProcess: true })
  })
  afterAll(() => lab.close())

  test('answers for a device of another host, whichever host is asked', async () => {
    const deviceId = `${lab.host('lab2').serial(1)}@lab2`
    const expected = { serial: lab.host('lab2').serial(1), deviceId, host: 'lab2', ...SIMULATED }
    for (const id of ['lab1', 'lab2']) {
      const { status, body } = await lab.host(id).get(`/devices/${encodeURIComponent(deviceId)}`)
      expect({ status, body }).toMatchObject({ status: 200, body: { ok: true, device: expected } })
    }
    const mcp = await connectHttp(lab.host('lab1').url(), 'modern')
    expect((await mcp.call('device', { device: deviceId })).structured).toMatchObject({ device: expected })
    await mcp.close()
    const env = { HOME: lab.host('lab1').home, SVC_FLEET: lab.nats.urls.join(','), PATH: '' }
    const printed = await runCli(['device', 'info', '--device', deviceId], { env })
    expect({ code: printed.code, json: printed.json() }).toMatchObject({ code: 0, json: { device: expected } })
  })

  test('reads figures of an application at the host that has the device', async () => {
    const deviceId = encodeURIComponent(`${lab.host('lab2').serial(1)}@lab2`)
    const { status, body } = await lab.host('lab1').get(`/devices/${deviceId}/apps/com.android.settings/memory`)
    expect({ status, body }).toMatchObject({ status: 200, body: { memory: { running: false, totalPss: null } } })
  })
})

/** Hosts of neighbouring versions in one fleet: what one of them says more is passed over, what it says less is not missed. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { FLEET_PROTOCOL } from '../../src/contracts/fleet.ts'
import { connectFleet } from '../../src/fleet/connection.ts'
import { createExchange } from '../../src/fleet/exchange/exchange.ts'
import { namesOf } from '../../src/fleet/names.ts'
import { openStores } from '../../src/fleet/stores.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { fleetLab } from '../support/fleet-lab.ts'
import { needs } from '../support/needs.ts'
import { until, wait } from '../support/until.ts'

const RAN = {
  ok: true,
  deviceId: 'S9',
  terminalSource: 'svc_result',
  envelope: { commandId: 'c', taskId: 't', status: 'success', stepResults: [], error: null },
}

describe.skipIf(!needs('nats-server'))('a host of the next version', () => {
  const make = fleetLab()

  test('is listed, and answers for its phones', async () => {
    const lab = await make({ inProcess: true, hosts: ['lab1'] })
    const one = lab.host('lab1')
    const names = namesOf('svc')
    const self = 'next'
    const clock = systemClock()
    const connection = await connectFleet({ urls: lab.nats.urls, names, self }, clock)
    onTestFinished(() => connection.close())
    const { hosts } = await openStores(connection, names)
    const device = {
      serial: 'S9',
      state: 'device',
      labels: { android: '18' },
      phone: 'device:HW9',
      epoch: 3,
      temperature: 40,
    }
    const revision = await hosts.put(
      self,
      JSON.stringify({
        protocol: FLEET_PROTOCOL + 1,
        host: self,
        instance: 'next-1',
        version: '9.9.9',
        pid: 1,
        startedAt: 1,
        draining: false,
        labels: {},
        devices: [device],
        region: 'north',
      }),
    )
    const asked: string[] = []
    const exchange = createExchange({ connection, names, self, clock })
    const serving = exchange.serve('next-1', async ({ path, headers }) => {
      asked.push(`${path} under ${headers['svc-fleet-epoch']} from ${headers['svc-fleet-from']}`)
      const body = new TextEncoder().encode(JSON.stringify({ ...RAN, news: 1 }))
      return { status: 200, headers: { 'content-type': 'application/json', 'svc-execution-id': 'e9' }, body }
    })
    let isOver = false
    onTestFinished(async () => {
      isOver = true
      await serving.close()
      exchange.close()
    })
    const beat = async () => {
      const said = { instance: 'next-1', revision, head: 5, mirrored: 5, busy: [], load: 0.5 }
      while (!isOver) {
        connection.nc.publish(names.beat(self), JSON.stringify(said))
        await wait(500)
      }
    }
    void beat()
    type Devices = { devices: { serial: string; host: string }[] }
    await until(async () => {
      const { body } = await one.get<Devices>('/devices')
      return body.devices.some(({ serial, host }) => serial === 'S9' && host === self)
    }, 'the phone of the other version to be listed')
    const { body } = await one.get<{ hosts: object[] }>('/fleet')
    expect(body.hosts).toContainEqual(
      expect.objectContaining({ host: self, state: 'serving', version: '9.9.9', protocol: FLEET_PROTOCOL + 1 }),
    )
    const answered = await one.post('/snapshot', { deviceId: 'any:android>=18' })
    expect([answered.status, answered.body]).toEqual([200, RAN])
    expect(asked).toEqual(['/execute under 3 from lab1'])
  })
})

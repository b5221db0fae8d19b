import { createServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import type { Fault } from '../../src/simulator/scenario/fault.ts'
import { type FleetOptions, type SimulatedPhones, startSimulatedPhones } from '../../src/simulator/simulated-phones.ts'
import { rawHost } from '../support/adb/raw-adb-host.ts'
import { broadcast, envelopesIn, operatorLines, requestOf } from '../support/simulator/simulated-phone.ts'
import { appOf, scenarioOf } from '../support/simulator/simulated-ui.ts'
import { until } from '../support/until.ts'

const running: SimulatedPhones[] = []
const start = async (options: Omit<FleetOptions, 'clock'> = {}): Promise<SimulatedPhones> => {
  const fleet = await startSimulatedPhones({ clock: systemClock(), ...options })
  running.push(fleet)
  return fleet
}
afterEach(async () => {
  await Promise.all(running.splice(0).map(fleet => fleet.close()))
})
const only = ({ devices: [device] }: SimulatedPhones) => {
  if (!device) throw new Error('the fleet is empty')
  return device
}
const SLEEP = [{ type: 'sleep', params: { durationMs: 0 } }]

describe('a fleet', () => {
  test('has devices with names, ports, serials and serial numbers of their own', async () => {
    const { devices } = await start({ count: 5 })
    expect(devices.map(({ name }) => name)).toEqual(['sim-1', 'sim-2', 'sim-3', 'sim-4', 'sim-5'])
    expect(devices.every(({ serial, port }) => serial === `127.0.0.1:${port}`)).toBe(true)
    expect(new Set(devices.map(({ port }) => port)).size).toBe(5)
    expect(new Set(devices.map(({ phone }) => phone.properties.get('ro.serialno'))).size).toBe(5)
  })

  test('answers hosts on every port', async () => {
    const { devices } = await start({ count: 3 })
    for (const { port } of devices) {
      const host = await rawHost(port)
      expect((await host.hello()).payload.toString()).toContain('ro.product.model=Svc Sim')
      host.end()
    }
  })

  test('takes consecutive ports, and the same serial numbers on them again', async () => {
    const first = only(await start()).port
    await running.pop()?.close()
    const serials = async () => {
      const { devices, close } = await startSimulatedPhones({ clock: systemClock(), count: 1, port: first })
      await close()
      return devices.map(({ port, phone }) => [port, phone.properties.get('ro.serialno')])
    }
    expect(await serials()).toEqual([[first, `SVCSIM${first}`]])
    expect(await serials()).toEqual(await serials())
  })

  test('leaves nothing behind when a port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => taken.once('listening', resolve))
    const address = taken.address()
    const port = typeof address === 'object' && address ? address.port : 0
    await expect(start({ count: 3, port: port - 1 })).rejects.toThrow(/EADDRINUSE/)
    await new Promise(resolve => taken.close(resolve))
    await expect(start({ port })).resolves.toBeDefined()
  })

  test.each([{ count: 0 }, { count: 1.5 }, { count: 100_000 }, { port: 65_535, count: 2 }, { port: -1 }])(
    'of %j is refused',
    async options => {
      await expect(start(options)).rejects.toThrow(RangeError)
    },
  )

  test('can be given a serial number by its scenario', async () => {
    const scenario = scenarioOf({
      ...appOf({ main: { nodes: [] } }),
      device: { properties: { 'ro.serialno': 'MINE' } },
    })
    const { devices } = await start({ scenario, count: 2 })
    expect(devices.map(({ phone }) => phone.properties.get('ro.serialno'))).toEqual(['MINE', 'MINE-2'])
  })
})

describe('states', () => {
  test.each([
    ['device', { adb: 'device', awake: true, locked: false, operator: true }],
    ['unauthorized', { adb: 'unauthorized', awake: true, locked: false, operator: true }],
    ['offline', { adb: 'offline', awake: true, locked: false, operator: true }],
    ['screen-off', { adb: 'device', awake: false, locked: true, operator: true }],
    ['locked', { adb: 'device', awake: true, locked: true, operator: true }],
    ['no-operator', { adb: 'device', awake: true, locked: false, operator: false }],
  ] as const)('%s', async (state, expected) => {
    const { phone, adbd } = only(await start({ state }))
    expect({
      adb: adbd.state,
      awake: phone.isAwake(),
      locked: phone.isLocked(),
      operator: phone.packages().includes('com.svc.operator'),
    }).toEqual(expected)
  })

  test.each(['socket', 'broadcast', 'none'] as const)('an operator that offers %s', async operator => {
    const { phone } = only(await start({ operator }))
    expect(phone.connect('com.svc.operator') !== undefined).toBe(operator === 'socket')
    expect(broadcast(phone, requestOf('id-1.0', SLEEP))).toBe(operator === 'none' ? undefined : 1)
  })
})

describe('faults of the link', () => {
  const fault = (kind: Fault['do']): Fault => ({ after: 0, do: kind, times: 1 })

  test.each([
    ['link-lost-before', 0],
    ['link-lost-after', 1],
  ] as const)('%s ends every connection and takes new ones', async (kind, results) => {
    const { phone, port } = only(await start({ faults: [fault(kind)] }))
    const host = await rawHost(port)
    await host.hello()
    broadcast(phone, requestOf('id-1.0', SLEEP))
    await host.closed()
    const again = await rawHost(port)
    expect((await again.hello()).command).toBe('CNXN')
    again.end()
    broadcast(phone, requestOf('id-2.0', SLEEP))
    await until(() => envelopesIn(operatorLines(phone)).length === results + 1, 'the results')
  })

  test('device-gone takes no new connections', async () => {
    const { phone, port } = only(await start({ faults: [fault('device-gone')] }))
    const host = await rawHost(port)
    await host.hello()
    broadcast(phone, requestOf('id-1.0', SLEEP))
    await host.closed()
    await expect(rawHost(port)).rejects.toThrow(/ECONNREFUSED/)
  })
})

test('two hundred devices all execute at once, each exactly what it was asked', async () => {
  const { devices } = await start({ count: 200 })
  const steps = [
    { type: 'open_app', params: { applicationId: 'com.android.settings' } },
    { type: 'read_text', params: { matcher: { textEquals: 'Network & internet' } } },
  ]
  for (const { phone, name } of devices) broadcast(phone, requestOf(`${name}.0`, steps))
  const answers = () => devices.map(({ phone }) => envelopesIn(operatorLines(phone)))
  await until(() => answers().every(({ length }) => length === 1), 'every answer', 50_000)
  expect(
    answers()
      .flat()
      .map(({ commandId }) => commandId),
  ).toEqual(devices.map(({ name }) => `${name}.0`))
  expect(
    answers()
      .flat()
      .every(({ status }) => status === 'success'),
  ).toBe(true)
  expect(devices.every(({ phone }) => phone.executions().length === 1)).toBe(true)
})

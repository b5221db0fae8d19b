/** The simulated device over both transports: what an execution needs of a link. */
import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createInteractiveCheck } from '../../../src/device/link/interactive.ts'
import type { Links } from '../../../src/device/link/links.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import {
  type FleetOptions,
  type SimulatedDevice,
  startSimulatedPhones,
} from '../../../src/simulator/simulated-phones.ts'
import { createRealAdb } from '../../support/adb/real-adb.ts'
import { needs } from '../../support/needs.ts'
import { temporary } from '../../support/temporary.ts'
import { until, wait } from '../../support/until.ts'
import { codeOf, within } from './link-suite.ts'
import { linksFor } from './links-for-tests.ts'

const folder = temporary('svc-simulated-')
const clock = systemClock()
const soon = () => within(20_000)
const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

interface Way {
  /** Links that have the device. */
  attach(device: SimulatedDevice): Promise<Links>
  start(): Promise<void>
  stop(): Promise<void>
}

const directly = (): Way => ({
  attach: async ({ serial }) =>
    linksFor({ tcp: serial, keyPath: `${folder()}/adbkey`, limits: { probeMs: 300, handshakeMs: 400 } }),
  start: async () => {},
  stop: async () => {},
})

const overServer = (): Way => {
  const adb = createRealAdb()
  return {
    async attach({ serial }) {
      await adb.run('connect', serial)
      return linksFor({ server: { path: adb.socketPath } })
    },
    start: adb.start,
    stop: adb.stop,
  }
}

const suite = (createWay: () => Way) => {
  const way = createWay()
  const ends: (() => Promise<void>)[] = []
  beforeAll(way.start)
  afterAll(way.stop)
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  const start = async (options: Partial<FleetOptions> = {}) => {
    const fleet = await startSimulatedPhones({ clock, ...options })
    ends.push(() => fleet.close())
    const [device] = fleet.devices
    if (!device) throw new Error('a fleet without a device')
    const links = await way.attach(device)
    ends.push(() => links.close())
    return { device, links }
  }
  const open = async (options: Partial<FleetOptions> = {}) => {
    const { device, links } = await start(options)
    return { device, links, link: await links.get(device.serial, soon()) }
  }

  test('is listed, and says who it is', async () => {
    const { device, links } = await start({ state: 'device' })
    expect((await links.list(soon())).devices).toContainEqual({ serial: device.serial, state: 'device' })
    const link = await links.get(device.serial, soon())
    expect(await link.hardwareSerial(soon())).toBe(device.phone.properties.get('ro.serialno'))
  })

  test('runs commands', async () => {
    const { link } = await open()
    expect(await link.shell('getprop ro.product.model; echo oops >&2; exit 7', soon())).toEqual({
      exitCode: 7,
      stdout: 'Svc Sim\n',
      stderr: 'oops\n',
    })
  })

  test('gives its screen byte for byte', async () => {
    const { device, link } = await open()
    expect(hash(await link.exec('screencap -p', soon()))).toBe(hash(device.phone.screenshot()))
  })

  test('takes and gives files of any size', async () => {
    const { device, link } = await open()
    for (const size of [0, 500, 5_000_000]) {
      const content = Buffer.alloc(size, 'svc ')
      await link.push('/data/local/tmp/svc-test', content, soon())
      expect(hash(device.phone.files.read('/data/local/tmp/svc-test')?.content ?? Buffer.from('none'))).toBe(
        hash(content),
      )
      expect(hash(await link.pull('/data/local/tmp/svc-test', soon()))).toBe(hash(content))
    }
    expect(await codeOf(link.pull('/data/local/tmp/none', soon()))).toBe('LINK_SOCKET_REFUSED')
  })

  test('is followed in its log', async () => {
    const { device, link } = await open()
    const stream = await link.stream('logcat -b main -v raw -T 1 SvcOperator:I *:S', soon())
    const seen: string[] = []
    const reading = (async () => {
      for await (const chunk of stream.chunks) {
        seen.push(Buffer.from(chunk).toString())
        if (seen.join('').includes('line 99')) return
      }
    })()
    for (let i = 0; i < 100; i++) device.phone.log.write('I', 'SvcOperator', `line ${i}`)
    await reading
    expect(
      seen
        .join('')
        .match(/line \d+/g)
        ?.at(-1),
    ).toBe('line 99')
    stream.close()
  })

  test('opens the socket of its operator, and no other', async () => {
    const { link } = await open({ operator: 'socket' })
    const socket = await link.socket('localabstract:com.svc.operator', soon())
    for await (const chunk of socket.chunks) {
      expect(Buffer.from(chunk).toString()).toContain('"hello"')
      break
    }
    socket.close()
    expect(await codeOf(link.socket('localabstract:nobody', soon()))).toBe('LINK_SOCKET_REFUSED')
  })

  test('is woken when its screen is off', async () => {
    const { device, link } = await open({ state: 'screen-off' })
    expect(await createInteractiveCheck(clock)(link, soon())).toEqual({ ok: true })
    expect(device.phone.isAwake()).toBe(true)
  })

  test('stays locked when only a person can unlock it', async () => {
    const { link } = await open({ state: 'locked' })
    expect(await createInteractiveCheck(clock)(link, soon())).toMatchObject({
      error: { code: 'DEVICE_NOT_INTERACTIVE', details: { awake: true, locked: true } },
    })
  })

  test('is found to be lost', async () => {
    const { device, link } = await open()
    const waiting = codeOf(link.shell('sleep 60', soon()))
    device.adbd.vanish()
    expect(await waiting).toBe('DEVICE_LINK_LOST')
    await until(() => link.lost.aborted, 'the loss')
  })

  test('is listed as unauthorized, and opened once it is allowed', async () => {
    const { device, links } = await start({ state: 'unauthorized' })
    expect((await links.list(soon())).devices).toContainEqual({ serial: device.serial, state: 'unauthorized' })
    expect(await codeOf(links.get(device.serial, within(300)))).toBe('DEVICE_UNAUTHORIZED')
    device.adbd.allow()
    const isReady = async () => (await codeOf(links.get(device.serial, within(1_000)))).startsWith('resolved')
    for (let tries = 0; tries < 20 && !(await isReady()); tries++) await wait(50)
    expect((await (await links.get(device.serial, soon())).shell('echo in', soon())).stdout).toBe('in\n')
  })
}

describe('directly', () => {
  suite(directly)

  test('a device that accepts and says nothing is offline', async () => {
    const fleet = await startSimulatedPhones({ clock, state: 'offline' })
    const [serial = ''] = fleet.devices.map(device => device.serial)
    const links = linksFor({ tcp: serial, limits: { probeMs: 300, handshakeMs: 400 } })
    expect((await links.list(soon())).devices).toEqual([{ serial, state: 'offline' }])
    expect(await codeOf(links.get(serial, soon()))).toBe('DEVICE_OFFLINE')
    await links.close()
    await fleet.close()
  })
})
describe.skipIf(!needs('adb'))('over a real adb server', () => suite(overServer))

/** A device that sends without end: each call ends at its bound with a failure of its own, and the memory stays small. */

import { afterEach, describe, expect, test } from 'vitest'
import { validateExecution } from '../../../src/service/executions/validate.ts'
import { createServices } from '../../../src/start/command.ts'
import { executeIn } from '../../support/executions/execute-in.ts'
import { payloadOf } from '../../support/executions/lab.ts'
import { temporary } from '../../support/temporary.ts'
import { until } from '../../support/until.ts'
import { type FakeAdbdOptions, startFakeAdbd } from './fake-adbd.ts'
import { startFakeServer } from './fake-server.ts'
import { fakeDevice, floodShell } from './fake-services.ts'
import { codeOf, within } from './link-suite.ts'
import { linksFor } from './links-for-tests.ts'

const FLOOD = 300 * 1_024 * 1_024
const soon = () => within(30_000)

const folder = temporary('svc-flood-')
const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const overServer = async () => {
  const device = fakeDevice()
  const server = await startFakeServer()
  server.attach('usb-1', device)
  const links = linksFor({ server: server.address })
  ends.push(server.stop, links.close)
  return { device, links, serial: 'usb-1' }
}

const overTcp = async (options: FakeAdbdOptions = {}) => {
  const device = fakeDevice()
  const adbd = await startFakeAdbd(device, options)
  const links = linksFor({ tcp: adbd.serial })
  ends.push(adbd.stop, links.close)
  return { device, links, serial: adbd.serial }
}

const peakMegabytes = () => process.resourceUsage().maxRSS / 1_024

/** By how much the largest size that this process ever had has grown since. */
const growthMegabytes = () => {
  const before = peakMegabytes()
  return () => peakMegabytes() - before
}

describe.each([
  ['over the adb server', overServer],
  ['over direct TCP', () => overTcp()],
])('%s', (_, start) => {
  const opened = async () => {
    const way = await start()
    return { ...way, link: await way.links.get(way.serial, soon()) }
  }

  test.each(['shell', 'exec'] as const)('300 MiB of %s end early, and the link stays', async kind => {
    const { device, link } = await opened()
    const growth = growthMegabytes()
    expect(await codeOf(link[kind](`flood ${FLOOD}`, soon()))).toBe('DEVICE_OUTPUT_TOO_LARGE')
    expect(growth()).toBeLessThan(200)
    await until(() => device.open.size === 0, 'the command to be ended on the device')
    expect((await link.shell('echo fine', soon())).stdout).toBe('fine\n')
    expect(link.lost.aborted).toBe(false)
  })

  test('single bytes weigh no more than what they say', async () => {
    const { link } = await opened()
    const growth = growthMegabytes()
    const call = link.shell(`flood ${FLOOD} 1`, { ...soon(), maxBytes: 2 * 1_024 * 1_024 })
    expect(await codeOf(call)).toBe('DEVICE_OUTPUT_TOO_LARGE')
    expect(growth()).toBeLessThan(200)
  })

  test('the bound of a call is exact', async () => {
    const { link } = await opened()
    const shell = (bytes: number) => link.shell(`head -c ${bytes} /dev/zero`, { ...soon(), maxBytes: 5_000 })
    expect((await shell(5_000)).stdout).toHaveLength(5_000)
    expect(await codeOf(shell(5_001))).toBe('DEVICE_OUTPUT_TOO_LARGE')
    const both = link.shell('head -c 3000 /dev/zero; head -c 3000 /dev/zero >&2', { ...soon(), maxBytes: 5_000 })
    expect(await codeOf(both)).toBe('DEVICE_OUTPUT_TOO_LARGE')
  })

  test.each([
    ['100 MiB', undefined],
    ['300 characters', 'x'.repeat(300)],
    ['control characters', "$(printf 'a\\033[2Jb')"],
    ['another script', '电话'],
  ])('a serial number of %s is none', async (__, serialNumber) => {
    const { device, link, serial } = await opened()
    const { accept } = device
    device.accept = (service, stream) => {
      if (serialNumber !== undefined || !service.includes('ro.serialno')) return accept(service, stream)
      floodShell(stream, FLOOD / 3)
      return true
    }
    device.serialNumber = serialNumber ?? ''
    const growth = growthMegabytes()
    expect(await link.hardwareSerial(soon())).toBe(serial)
    expect(await link.hardwareSerial(soon())).toBe(serial)
    expect(growth()).toBeLessThan(200)
  })
})

test('an execution says what it was, and that nothing was sent', async () => {
  const { device, serial } = await overTcp()
  const { accept } = device
  device.accept = (service, stream) => {
    if (!service.includes('dumpsys')) return accept(service, stream)
    floodShell(stream, FLOOD)
    return true
  }
  const home = folder()
  const services = createServices({ env: { HOME: home, PATH: '', SVC_TCP_DEVICES: serial }, cwd: home, note: () => {} })
  ends.push(() => services.close())
  const validation = validateExecution(payloadOf([{ id: 's', type: 'snapshot' }]))
  if (!validation.ok) throw new Error(validation.error.message)
  const growth = growthMegabytes()
  const { execution } = validation
  const { result } = await executeIn(services, { execution, deviceId: serial, operatorPackage: 'com.svc.operator' })
  expect(result).toMatchObject({
    ok: false,
    error: { code: 'DEVICE_OUTPUT_TOO_LARGE', retriable: false, details: { dispatched: false } },
  })
  expect(growth()).toBeLessThan(200)
})

describe('a TCP device', () => {
  test('that sends without waiting is lost', async () => {
    const { links, serial, device } = await overTcp({ isRude: true })
    const link = await links.get(serial, soon())
    const { accept } = device
    device.accept = (service, stream) => {
      if (service !== 'localabstract:rude') return accept(service, stream)
      setImmediate(() => {
        for (let sent = 0; sent < 64; sent++) stream.send(Buffer.alloc(1_024 * 1_024))
      })
      return true
    }
    await link.socket('localabstract:rude', soon())
    await until(() => link.lost.aborted, 'the link to be given up')
    expect(link.lost.reason).toMatchObject({
      code: 'DEVICE_LINK_LOST',
      message: expect.stringContaining('more data than was requested'),
    })
  })

  test.each([
    ['introduces itself at length', { features: 'x'.repeat(100_000) }],
    ['takes no packets to speak of', { payloadMax: 100 }],
  ])('that %s is none', async (_, options) => {
    const { links, serial } = await overTcp(options)
    expect(await codeOf(links.get(serial, soon()))).toBe('DEVICE_OFFLINE')
  })

  test('has one word for what it is', async () => {
    const { links, serial } = await overTcp({ kind: 'x'.repeat(1_000) })
    const { devices } = await links.list(soon())
    expect(devices).toEqual([{ serial, state: 'host' }])
  })
})

/** A link that is lost ends everything that waits on it, at once, over both transports. */
import { afterEach, describe, expect, test } from 'vitest'
import type { Link } from '../../../src/device/link/link.ts'
import type { Links } from '../../../src/device/link/links.ts'
import { until } from '../../support/until.ts'
import { startFakeAdbd } from './fake-adbd.ts'
import { startFakeServer } from './fake-server.ts'
import { type FakeDevice, fakeDevice } from './fake-services.ts'
import { codeOf, within } from './link-suite.ts'
import { linksFor } from './links-for-tests.ts'

const soon = () => within(20_000)

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})
const own = (links: Links): Links => {
  ends.push(() => links.close())
  return links
}

const direct = async (limits = {}) => {
  const device = fakeDevice()
  const adbd = await startFakeAdbd(device)
  ends.push(() => adbd.stop())
  const links = own(linksFor({ tcp: adbd.serial, limits }))
  return { device, adbd, links, link: await links.get(adbd.serial, soon()) }
}

const overServer = async () => {
  const device = fakeDevice()
  const server = await startFakeServer()
  ends.push(() => server.stop())
  server.attach('usb-1', device)
  const links = own(linksFor({ server: server.address }))
  const link = await links.get('usb-1', soon())
  await until(() => server.requests.some(request => request.includes('wait-for')), 'the link to watch')
  return { device, server, links, link }
}

/** Everything that can wait on a link. */
const waitOn = async (link: Link) => {
  const stream = await link.stream('sleep 60', soon())
  const socket = await link.socket('localabstract:silent', soon())
  const read = async (chunks: AsyncIterable<Uint8Array>) => {
    for await (const _ of chunks);
  }
  return Promise.all([
    codeOf(link.shell('sleep 60', soon())),
    codeOf(link.exec('sleep 60', soon())),
    codeOf(link.socket('never:answers', soon())),
    codeOf(read(stream.chunks)),
    codeOf(read(socket.chunks)),
  ])
}
const ALL_LOST = Array(5).fill('DEVICE_LINK_LOST')

const lostWithin = async (link: Link, device: FakeDevice, lose: () => unknown) => {
  const before = device.opened.length
  const waiting = waitOn(link)
  await until(() => device.opened.length === before + ALL_LOST.length, 'all of them to wait')
  const from = Date.now()
  const ended = new Promise<number>(resolve => {
    link.lost.addEventListener('abort', () => resolve(Date.now() - from))
  })
  await lose()
  return { codes: await waiting, ms: await ended }
}

describe('direct TCP', () => {
  test('a connection that is reset', async () => {
    const { link, device, adbd } = await direct()
    const { codes, ms } = await lostWithin(link, device, () => adbd.cut())
    expect(codes).toEqual(ALL_LOST)
    expect(ms).toBeLessThan(2_000)
    expect(await codeOf(link.shell('echo no', soon()))).toBe('DEVICE_LINK_LOST')
    expect(await codeOf(link.push('/x', new Uint8Array(9), soon()))).toBe('DEVICE_LINK_LOST')
  })

  test('a device that falls silent is found out by the first call that times out', async () => {
    const { link, adbd } = await direct({ aliveMs: 100 })
    adbd.hush()
    expect(await codeOf(link.shell('true', within(100)))).toBe('LINK_TIMEOUT')
    await until(() => link.lost.aborted, 'the link to be given up')
  })

  test('a write that the device does not take, on a socket that nobody reads', async () => {
    const { link, adbd } = await direct()
    const socket = await link.socket('localabstract:flood', soon())
    await until(() => adbd.sent() > 3_000_000, 'all that is read ahead to have come')
    adbd.hush()
    const writes = ['taken', 'waits'].map(word => codeOf(socket.write(Buffer.from(word))))
    expect(await writes[0]).toBe('resolved: undefined')
    adbd.cut()
    expect(await writes[1]).toBe('DEVICE_LINK_LOST')
  })

  test('a device that is only slow keeps its link', async () => {
    const { link } = await direct({ aliveMs: 5_000 })
    expect(await codeOf(link.shell('sleep 60', within(50)))).toBe('LINK_TIMEOUT')
    expect(await codeOf(link.socket('never:answers', within(50)))).toBe('LINK_TIMEOUT')
    expect((await link.shell('echo on', soon())).stdout).toBe('on\n')
    expect(link.lost.aborted).toBe(false)
  })

  test('the next call opens another link', async () => {
    const { link, links, adbd } = await direct()
    adbd.cut()
    await until(() => link.lost.aborted, 'the loss')
    const next = await links.get(adbd.serial, soon())
    expect(next).not.toBe(link)
    expect((await next.shell('echo back', soon())).stdout).toBe('back\n')
  })
})

describe('the adb server', () => {
  test('a device that leaves', async () => {
    const { link, device, server } = await overServer()
    const { codes, ms } = await lostWithin(link, device, () => server.detach('usb-1'))
    expect(codes).toEqual(ALL_LOST)
    expect(ms).toBeLessThan(2_000)
  })

  test('a server that ends', async () => {
    const { link, device, server } = await overServer()
    const { codes } = await lostWithin(link, device, () => server.stop())
    expect(codes).toEqual(ALL_LOST)
  })

  test('a device that has gone without closing is found out by the next call', async () => {
    const { link, server } = await overServer()
    server.forget('usb-1')
    expect(await codeOf(link.shell('true', soon()))).toBe('DEVICE_LINK_LOST')
    expect(link.lost.aborted).toBe(true)
  })

  test('a command that ends without an exit code, on a device that is there, may have executed', async () => {
    const { link, device } = await overServer()
    const call = codeOf(link.shell('sleep 60', soon()))
    await until(() => device.open.size === 1, 'the command to run')
    for (const stream of device.open) stream.end()
    expect(await call).toBe('DEVICE_LINK_LOST')
    expect(link.lost.aborted).toBe(false)
  })

  test('a device that comes back under its serial gets a new link', async () => {
    const { link, links, server, device } = await overServer()
    server.detach('usb-1')
    await until(() => link.lost.aborted, 'the loss')
    expect(await codeOf(links.get('usb-1', soon()))).toBe('DEVICE_NOT_FOUND')
    server.attach('usb-1', device)
    const next = await links.get('usb-1', soon())
    expect((await next.shell('echo back', soon())).stdout).toBe('back\n')
  })
})

test('closing ends what waits, and nothing opens afterwards', async () => {
  const { links, link, adbd } = await direct()
  const waiting = codeOf(link.shell('sleep 60', soon()))
  await links.close()
  expect(await waiting).toBe('LINK_CANCELLED')
  expect(await codeOf(links.get(adbd.serial, soon()))).toBe('LINK_CANCELLED')
  expect(await codeOf(links.list(soon()))).toBe('LINK_CANCELLED')
  await until(() => adbd.connections.size === 0, 'the connection to be closed')
})

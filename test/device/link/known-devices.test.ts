/** What is known of the devices without asking the adb server: never more than is certain. */

import { afterEach, describe, expect, test } from 'vitest'
import { reachDevice } from '../../../src/service/executions/prepare.ts'
import { UNNAMED_DEVICE } from '../../support/failure-codes.ts'
import { until, wait } from '../../support/until.ts'
import { startFakeAdbd } from './fake-adbd.ts'
import { startFakeServer } from './fake-server.ts'
import { fakeDevice } from './fake-services.ts'
import { codeOf, within } from './link-suite.ts'
import { type LinksForTests, linksFor } from './links-for-tests.ts'

const soon = () => within(20_000)
const LONG = { knownMs: 600_000 }

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})
const server = async () => {
  const started = await startFakeServer()
  ends.push(() => started.stop())
  const listings = () => started.requests.filter(request => request === 'host:devices').length
  return { ...started, listings }
}
const adbd = async () => {
  const started = await startFakeAdbd(fakeDevice())
  ends.push(() => started.stop())
  return started
}
const linked = (options: LinksForTests, isTracking = true) => {
  const links = linksFor(options)
  ends.push(() => links.close())
  if (isTracking) links.track()
  /** Lists until the server tells of changes. */
  const tracked = () =>
    until(async () => {
      await links.list(soon())
      return (await links.known(soon())) !== undefined
    }, 'the listing to be kept')
  const reached = async () => {
    const device = await reachDevice(links, undefined, soon())
    return device.ok ? device.deviceId : device.error.code
  }
  return { links, tracked, reached }
}

describe('over an adb server', () => {
  test('a request that names no device asks once, until a phone comes or goes', async () => {
    const adb = await server()
    adb.attach('a', fakeDevice())
    const { tracked, reached } = linked({ server: adb.address, limits: LONG })
    await tracked()
    expect(await reached()).toBe('a')
    const before = adb.listings()
    for (let i = 0; i < 20; i++) expect(await reached()).toBe('a')
    expect(adb.listings()).toBe(before)
    adb.attach('b', fakeDevice())
    await until(async () => (await reached()) === UNNAMED_DEVICE, 'the second phone')
    adb.detach('b')
    await until(async () => (await reached()) === 'a', 'it to go')
    adb.detach('a')
    await until(async () => (await reached()) === 'NO_DEVICES', 'the first phone to go')
    adb.attach('a', fakeDevice())
    expect(await reached()).toBe('a')
  })

  test('is asked when a phone is missing or its link is lost, and before long in any case', async () => {
    const adb = await server()
    const { links, tracked, reached } = linked({ server: adb.address, limits: { knownMs: 200 } })
    await tracked()
    // A server that says nothing of a change.
    for (const socket of adb.trackers) socket.pause()
    adb.trackers.clear()
    adb.attach('a', fakeDevice())
    expect(await reached()).toBe('a')
    adb.attach('b', fakeDevice())
    await until(async () => (await reached()) !== 'a', 'the listing to be too old')
    adb.forget('b')
    await wait(200)
    expect(await reached()).toBe('a')
    adb.detach('a')
    await until(() => links.current('a') === undefined, 'the loss')
    expect(await reached()).toBe('NO_DEVICES')
  })

  test('a process that does not track keeps nothing and opens nothing', async () => {
    const adb = await server()
    adb.attach('a', fakeDevice())
    const { links } = linked({ server: adb.address, limits: LONG }, false)
    await links.list(soon())
    expect(await links.known(soon())).toBeUndefined()
    expect(adb.requests).toEqual(['host:devices'])
  })

  test('one connection at a time, which ends with the links', async () => {
    const adb = await server()
    const { links, tracked } = linked({ server: adb.address, limits: LONG })
    await Promise.all(Array.from({ length: 50 }, () => links.list(soon())))
    await tracked()
    expect(adb.trackers.size).toBe(1)
    for (const socket of adb.trackers) socket.destroy()
    await until(async () => (await links.known(soon())) === undefined, 'the end to be noticed')
    await tracked()
    expect(adb.trackers.size).toBe(1)
    await links.close()
    await until(() => adb.sockets.size === 0, 'the connection to be closed')
    expect(await codeOf(links.known(soon()))).toBe('LINK_CANCELLED')
  })
})

describe('without an adb server', () => {
  test('a direct phone is found without asking for the server each time', async () => {
    const device = await adbd()
    const { links, reached } = linked({ tcp: device.serial, limits: LONG })
    expect(await links.known(soon())).toBeUndefined()
    expect(await reached()).toBe(device.serial)
    expect(await links.known(soon())).toEqual({ devices: [{ serial: device.serial, state: 'device' }] })
    expect(await reached()).toBe(device.serial)
    await device.stop()
    await until(() => links.current(device.serial) === undefined, 'the loss')
    expect(await reached()).toBe('NO_DEVICES')
  })

  test('and without direct phones nothing is known', async () => {
    const { links } = linked({ limits: LONG })
    expect(await codeOf(links.list(soon()))).toBe('ADB_NOT_FOUND')
    expect(await links.known(soon())).toBeUndefined()
  })

  test('one that is found at last is known before long', async () => {
    const device = await adbd()
    const gone = await startFakeServer()
    const { links, reached } = linked({
      server: { host: '127.0.0.2', port: gone.port },
      tcp: device.serial,
      limits: { knownMs: 200 },
    })
    await gone.stop()
    expect(await reached()).toBe(device.serial)
    expect((await links.known(soon()))?.problem?.code).toBe('ADB_SERVER_FAILED')
    await wait(200)
    expect(await links.known(soon())).toBeUndefined()
  })
})

/** The link over a real adb server: the same suite as over the one made for tests, and what only a real one does. */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createKeyring } from '../../../src/device/link/adb-key.ts'
import { createRealAdb, type RealAdb } from '../../support/adb/real-adb.ts'
import { needs, programOnPath } from '../../support/needs.ts'
import { until, wait } from '../../support/until.ts'
import { startFakeAdbd } from './fake-adbd.ts'
import { fakeDevice } from './fake-services.ts'
import { codeOf, linkSuite, within } from './link-suite.ts'
import { linksFor } from './links-for-tests.ts'

const soon = () => within(20_000)

/** Makes the server take a device as an emulator, as an emulator itself does when it starts. */
const registerEmulator = (adb: RealAdb, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = `host:emulator:${port}`
    const socket = connect(adb.socketPath, () => {
      // Not ended from here: the server drops a request whose sender has gone.
      socket.write(`${request.length.toString(16).padStart(4, '0')}${request}`)
    })
    socket.on('close', () => resolve()).on('error', reject)
  })

describe.skipIf(!needs('adb'))('a real adb server', () => {
  const adb = createRealAdb()
  const ends: (() => Promise<void>)[] = []
  beforeAll(() => adb.start())
  afterAll(() => adb.stop())
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  const links = () => {
    const created = linksFor({ server: { path: adb.socketPath } })
    ends.push(() => created.close())
    return created
  }

  linkSuite('the link suite', async () => {
    const device = fakeDevice()
    const adbd = await startFakeAdbd(device)
    await adb.run('connect', adbd.serial)
    const own = linksFor({ server: { path: adb.socketPath } })
    const close = async () => {
      await own.close()
      await adb.run('disconnect', adbd.serial)
      await adbd.stop()
    }
    return { device, link: await own.get(adbd.serial, soon()), close }
  })

  test('a TCP device that goes and comes back', async () => {
    const device = fakeDevice()
    const first = await startFakeAdbd(device)
    await adb.run('connect', first.serial)
    const all = links()
    const link = await all.get(first.serial, soon())
    const waiting = codeOf(link.shell('sleep 60', soon()))
    await until(() => device.open.size === 1, 'the command to run')
    await first.stop()
    expect(await waiting).toBe('DEVICE_LINK_LOST')
    await until(() => link.lost.aborted, 'the loss')
    expect(await codeOf(all.get(first.serial, soon()))).toBe('DEVICE_OFFLINE')

    const second = await startFakeAdbd(device, { port: first.port })
    ends.push(() => second.stop())
    await adb.run('disconnect', first.serial)
    await adb.run('connect', first.serial)
    expect((await (await all.get(first.serial, soon())).shell('echo back', soon())).stdout).toBe('back\n')
    await adb.run('disconnect', first.serial)
  })

  test('an emulator that starts anew is opened by its serial', async () => {
    const device = fakeDevice()
    const first = await startFakeAdbd(device)
    const serial = `emulator-${first.port - 1}`
    const all = links()
    const isListed = async () =>
      (await all.list(soon())).devices.some(one => one.serial === serial && one.state === 'device')
    /** The server takes a port again only when it is done with what was there before. */
    const comeUp = async () => {
      for (let tries = 0; tries < 100 && !(await isListed()); tries++) {
        await registerEmulator(adb, first.port)
        await wait(100)
      }
    }
    await comeUp()
    const link = await all.get(serial, soon())
    expect((await link.shell('echo one', soon())).stdout).toBe('one\n')
    await first.stop()
    await until(() => link.lost.aborted, 'the loss')
    const second = await startFakeAdbd(device, { port: first.port })
    ends.push(() => second.stop())
    await comeUp()
    expect((await (await all.get(serial, soon())).shell('echo two', soon())).stdout).toBe('two\n')
  })

  test('a device that has not been allowed', async () => {
    const adbd = await startFakeAdbd(fakeDevice(), { auth: 'ask' })
    ends.push(() => adbd.stop())
    await adb.run('connect', adbd.serial)
    const all = links()
    expect((await all.list(soon())).devices).toContainEqual({ serial: adbd.serial, state: 'unauthorized' })
    expect(await codeOf(all.get(adbd.serial, soon()))).toBe('DEVICE_UNAUTHORIZED')
    await adb.run('disconnect', adbd.serial)
  })

  test('both ways make the same of the same key', async () => {
    const path = `${adb.home}/.android/adbkey`
    const [base64] = (await createKeyring(path).load()).publicKey().split(' ')
    expect(readFileSync(`${path}.pub`, 'utf8').split(' ')[0]?.trim()).toBe(base64)
  })
})

describe.skipIf(!needs('adb'))('no server yet', () => {
  const adb = createRealAdb()
  afterAll(async () => {
    await adb.run('kill-server')
    await adb.stop()
  })

  test('one is started, used by all, and started again when it has gone', async () => {
    const { env } = adb
    const program = { path: programOnPath('adb'), env }
    const all = linksFor({ server: { path: adb.socketPath }, program })
    const listings = await Promise.all(Array.from({ length: 5 }, () => all.list(soon())))
    expect(listings).toEqual(Array.from({ length: 5 }, () => ({ devices: [] })))
    const device = fakeDevice()
    const adbd = await startFakeAdbd(device)
    await adb.run('connect', adbd.serial)
    const link = await all.get(adbd.serial, soon())
    await adb.run('kill-server')
    await until(() => link.lost.aborted, 'the loss')
    expect((await all.list(soon())).devices).toEqual([])
    await all.close()
    await adbd.stop()
  })

  test('what is known follows phones that come and go, and a server that ends and is started again', async () => {
    const program = { path: programOnPath('adb'), env: adb.env }
    const [one, two] = [await startFakeAdbd(fakeDevice()), await startFakeAdbd(fakeDevice())]
    // Only what the server tells counts here, not that a listing grows old.
    const all = linksFor({ server: { path: adb.socketPath }, program, limits: { knownMs: 600_000 } })
    const ready = async () => {
      const known = (await all.known(soon())) ?? (await all.list(soon()))
      return known.devices.flatMap(({ serial, state }) => (state === 'device' ? [serial] : [])).sort()
    }
    const isKnown = async () => (await all.known(soon())) !== undefined
    all.track()
    for (const round of ['first', 'after the end of the server']) {
      expect(await ready(), round).toEqual([])
      await until(async () => (await ready()) && isKnown(), 'the listing to be kept')
      await adb.run('connect', one.serial)
      await until(async () => (await ready()).join() === one.serial, 'the first phone')
      await until(isKnown, 'it to be kept')
      await adb.run('connect', two.serial)
      await until(async () => (await ready()).length === 2, 'the second phone')
      await adb.run('disconnect', one.serial)
      await until(async () => (await ready()).join() === two.serial, 'the first one to go')
      await until(isKnown, 'that to be kept')
      await adb.run('kill-server')
      await until(async () => !(await isKnown()), 'the end of the server to be known')
    }
    await all.close()
    await Promise.all([one.stop(), two.stop()])
  })
})

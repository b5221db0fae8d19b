/** A call leaves nothing behind: not a socket, not a listener, not a byte that grows with the number of calls. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import type { Link } from '../../../src/device/link/link.ts'
import { until } from '../../support/until.ts'
import { startFakeAdbd } from './fake-adbd.ts'
import { startFakeServer } from './fake-server.ts'
import { fakeDevice } from './fake-services.ts'
import { within } from './link-suite.ts'
import { linksFor } from './links-for-tests.ts'

const CALLS = 1_000
/** The package's own transport would keep some 13 KB of each call. */
const KEPT_BYTES_MAX = CALLS * 3_000

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const heapAfter = async (link: Link, calls: number) => {
  for (let i = 0; i < calls; i++) await link.shell('true', within(20_000))
  collect()
  return process.memoryUsage().heapUsed
}

const growth = async (link: Link) => {
  const before = await heapAfter(link, CALLS)
  return (await heapAfter(link, CALLS)) - before
}

test('over the adb server', async () => {
  const device = fakeDevice()
  const server = await startFakeServer()
  server.attach('usb-1', device)
  const links = linksFor({ server: server.address })
  const link = await links.get('usb-1', within(20_000))
  expect(await growth(link)).toBeLessThan(KEPT_BYTES_MAX)
  const WATCHER = 1
  await until(() => server.sockets.size === WATCHER, 'the sockets of the calls to be closed')
  await links.close()
  await until(() => server.sockets.size === 0, 'the watcher to be closed')
  await server.stop()
})

test('over direct TCP', async () => {
  const device = fakeDevice()
  const adbd = await startFakeAdbd(device)
  const links = linksFor({ tcp: adbd.serial })
  const link = await links.get(adbd.serial, within(20_000))
  expect(await growth(link)).toBeLessThan(KEPT_BYTES_MAX)
  await until(() => device.open.size === 0, 'the services of the calls to be closed')
  await links.close()
  await adbd.stop()
})

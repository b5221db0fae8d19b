/** The link over both transports, against a device and a server made of nothing but sockets. */

import { tcpDevices } from '../../../src/contracts/device/addresses.ts'
import { createLinks } from '../../../src/device/link/links.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { temporary } from '../../support/temporary.ts'
import { startFakeAdbd } from './fake-adbd.ts'
import { startFakeServer } from './fake-server.ts'
import { fakeDevice } from './fake-services.ts'
import { linkSuite, within } from './link-suite.ts'

const folder = temporary('svc-link-')

linkSuite('over the adb server', async () => {
  const device = fakeDevice()
  const server = await startFakeServer()
  server.attach('usb-1', device)
  const links = createLinks({
    clock: systemClock(),
    server: server.address,
    program: { path: undefined, env: {} },
    tcpDevices: [],
    keyPath: `${folder()}/adbkey`,
  })
  const link = await links.get('usb-1', within(10_000))
  return {
    device,
    link,
    close: async () => {
      await links.close()
      await server.stop()
    },
  }
})

linkSuite('over direct TCP', async () => {
  const device = fakeDevice()
  const adbd = await startFakeAdbd(device)
  const links = createLinks({
    clock: systemClock(),
    server: { path: `${folder()}/nobody` },
    program: { path: undefined, env: {} },
    tcpDevices: tcpDevices(adbd.serial),
    keyPath: `${folder()}/adbkey`,
  })
  const link = await links.get(adbd.serial, within(10_000))
  return {
    device,
    link,
    close: async () => {
      await links.close()
      await adbd.stop()
    },
  }
})

/** A stub phone's debug daemon and raw hosts at it; all of it ends after each test. */
import { afterEach } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { type Adbd, type AdbdOptions, startAdbd } from '../../../src/simulator/adbd/adbd.ts'
import { type StubPhone, stubPhone } from '../device/stub-phone.ts'
import { type RawHost, rawHost } from './raw-adb-host.ts'

const clock = systemClock()

export const rawDevices = () => {
  const running: Adbd[] = []
  const hosts: RawHost[] = []

  afterEach(async () => {
    for (const host of hosts.splice(0)) host.end()
    for (const adbd of running.splice(0)) await adbd.close()
  })

  const start = async ({ phone = stubPhone(clock), ...options }: Partial<AdbdOptions> & { phone?: StubPhone } = {}) => {
    const adbd = await startAdbd({ phone, clock, ...options })
    running.push(adbd)
    const connectHost = async () => {
      const made = await rawHost(adbd.port)
      hosts.push(made)
      return made
    }
    return { phone, adbd, connectHost }
  }

  /** With one host that is through with the handshake. */
  const online = async (options: Partial<AdbdOptions> & { phone?: StubPhone } = {}) => {
    const device = await start(options)
    const host = await device.connectHost()
    await host.hello()
    return { ...device, host }
  }

  return { start, online }
}

/** Simulated devices at a real adb server; both end with the test file, the devices after each test. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { type Adbd, type AdbdOptions, startAdbd } from '../../../src/simulator/adbd/adbd.ts'
import { disconnectFromServer } from '../../../src/simulator/attach.ts'
import { stubPhone } from '../device/stub-phone.ts'
import { until } from '../until.ts'
import { createRealAdb } from './real-adb.ts'

const clock = systemClock()

export const realAdbDevices = () => {
  const adb = createRealAdb()
  const open: Adbd[] = []
  const server = { server: { path: adb.socketPath }, clock }

  beforeAll(adb.start)
  afterAll(adb.stop)
  afterEach(async () => {
    for (const adbd of open.splice(0)) {
      await disconnectFromServer(server, `127.0.0.1:${adbd.port}`)
      await adbd.close()
    }
  })

  const start = async (options: Partial<AdbdOptions> = {}) => {
    const phone = stubPhone(clock)
    const adbd = await startAdbd({ phone, clock, ...options })
    open.push(adbd)
    return { phone, adbd, serial: `127.0.0.1:${adbd.port}` }
  }

  /** A device that the server has connected to. */
  const attached = async (options: Partial<AdbdOptions> = {}) => {
    const device = await start(options)
    expect((await adb.run('connect', device.serial)).stdout).toContain(`connected to ${device.serial}`)
    return { ...device, run: (...args: string[]) => adb.run('-s', device.serial, ...args) }
  }

  /** An adb program whose streams the test holds. */
  const child = (serial: string, ...args: string[]) => {
    const program = spawn('adb', ['-s', serial, ...args], { env: adb.env, stdio: ['pipe', 'pipe', 'inherit'] })
    const chunks: Buffer[] = []
    program.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    return { program, out: () => Buffer.concat(chunks), ended: once(program, 'close') }
  }

  const stateOf = async (serial: string) => {
    const { stdout } = await adb.run('devices')
    const line = stdout.split('\n').find(one => one.startsWith(`${serial}\t`))
    return line?.split('\t')[1]
  }

  const untilState = (serial: string, wanted: string | undefined) =>
    until(async () => (await stateOf(serial)) === wanted, `${serial} to be ${wanted}`)

  return { adb, server, start, attached, child, stateOf, untilState }
}

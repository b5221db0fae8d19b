/** How a connection begins, in each state of the device. */
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { rawDevices } from '../../support/adb/raw-device.ts'
import { stubPhone } from '../../support/device/stub-phone.ts'

const clock = systemClock()
const { start } = rawDevices()

describe('the handshake', () => {
  test('answers with the banner, its limit and its version', async () => {
    const { connectHost } = await start()
    const { command, arg0, arg1, payload } = await (await connectHost()).hello()
    expect({ command, arg0, arg1 }).toEqual({ command: 'CNXN', arg0: 0x0100_0001, arg1: 1_024 * 1_024 })
    expect(payload.toString()).toBe(
      'device::ro.product.name=sim;ro.product.model=Svc Sim;ro.product.device=sim;features=shell_v2,cmd,stat_v2,ls_v2,fixed_push_mkdir',
    )
  })

  test('an old host gets checksums, a new one none', async () => {
    const { connectHost } = await start()
    for (const [version, summed] of [
      [0x0100_0000, true],
      [0x0100_0001, false],
    ] as const) {
      const one = await connectHost()
      await one.hello(4_096, version)
      await one.open(1, 'exec:echo hi')
      const { payload } = await one.next()
      expect(payload.toString()).toBe('hi\n')
      expect(one.checksums.at(-1)).toBe(summed ? payload.reduce((sum, byte) => sum + byte, 0) : 0)
    }
  })

  test('keeps to the payload that the host can take', async () => {
    const { connectHost, phone } = await start()
    const one = await connectHost()
    await one.hello(4_096)
    const id = await one.open(1, 'exec:screencap -p')
    let size = 0
    for (;;) {
      const { command, payload } = await one.next()
      if (command === 'CLSE') break
      expect(payload.length).toBeLessThanOrEqual(4_096)
      size += payload.length
      one.send('OKAY', 1, id)
    }
    expect(size).toBe(phone.png.length)
  })

  test('opens nothing before it is done', async () => {
    const { connectHost } = await start()
    const one = await connectHost()
    one.send('OPEN', 1, 0, 'exec:echo early\0')
    await one.hello()
    expect((await one.open(2, 'exec:echo late')) > 0).toBe(true)
    expect((await one.next()).payload.toString()).toBe('late\n')
  })

  test('unauthorized: a token twice, then silence, until somebody allows it', async () => {
    const { adbd, connectHost } = await start({ state: 'unauthorized' })
    const one = await connectHost()
    const first = await one.hello()
    expect([first.command, first.arg0, first.payload.length]).toEqual(['AUTH', 1, 20])
    one.send('OPEN', 1, 0, 'exec:echo in\0')
    one.send('AUTH', 2, 0, Buffer.alloc(256))
    const second = await one.next()
    expect([second.command, second.arg0, second.payload.equals(first.payload)]).toEqual(['AUTH', 1, false])
    one.send('AUTH', 3, 0, Buffer.alloc(710))
    adbd.allow()
    expect((await one.next()).command).toBe('CNXN')
    await one.open(2, 'exec:echo in')
    expect((await one.next()).payload.toString()).toBe('in\n')
    expect(adbd.state).toBe('device')
  })

  test('offline: takes whatever comes and never answers', async () => {
    const { adbd, connectHost } = await start({ state: 'offline' })
    const one = await connectHost()
    one.send('CNXN', 0x0100_0001, 4_096, 'host::')
    one.socket.write(Buffer.alloc(3_000_000, 7))
    const other = await start()
    await (await other.connectHost()).hello()
    expect(one.packets).toEqual([])
    expect(adbd.connections()).toBe(1)
    adbd.setState('device')
    await one.closed()
    expect((await (await connectHost()).hello()).command).toBe('CNXN')
  })

  test('a model cannot forge the banner', async () => {
    const phone = stubPhone(clock, { 'ro.product.model': 'x;features=abb::y\n' })
    const { connectHost } = await start({ phone })
    expect((await (await connectHost()).hello()).payload.toString()).toContain('ro.product.model=x_features_abb_y_;')
  })
})

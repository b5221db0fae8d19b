/** `reverse:` and what listens on a phone, packet by packet. */
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { createNetwork } from '../../../src/simulator/network.ts'
import type { RawHost } from '../../support/adb/raw-adb-host.ts'
import { rawDevices } from '../../support/adb/raw-device.ts'
import { stubPhone } from '../../support/device/stub-phone.ts'

const { online } = rawDevices()
const withNetwork = () => online({ phone: { ...stubPhone(systemClock()), network: createNetwork() } })

let lastId = 100
/** The answer to one request of the debug daemon. */
const ask = async (host: RawHost, service: string): Promise<string> => {
  const id = ++lastId
  const remote = await host.open(id, service)
  const { payload } = await host.next()
  host.send('OKAY', id, remote)
  expect((await host.next()).command).toBe('CLSE')
  host.send('CLSE', id, remote)
  return payload.toString()
}

describe('a connection of the phone', () => {
  test('opens a stream to the host, whose bytes go both ways', async () => {
    const { host, phone } = await withNetwork()
    expect(await ask(host, 'reverse:forward:tcp:3000;tcp:8080')).toBe('OKAY')
    const socket = phone.network?.connect('tcp:3000')
    const heard: string[] = []
    socket?.onData(bytes => void heard.push(Buffer.from(bytes).toString()))
    socket?.write(Buffer.from('hello'))
    const opening = await host.next()
    expect({ ...opening, payload: opening.payload.toString() }).toMatchObject({
      command: 'OPEN',
      payload: 'tcp:8080\0',
    })
    host.send('OKAY', 7, opening.arg0)
    const written = await host.next()
    expect([written.command, written.payload.toString()]).toEqual(['WRTE', 'hello'])
    host.send('OKAY', 7, opening.arg0)
    // Bytes right before the end are not lost.
    host.send('WRTE', 7, opening.arg0, 'back')
    const closed = new Promise<void>(resolve => socket?.onClose(resolve))
    host.send('CLSE', 7, opening.arg0)
    await closed
    expect(heard).toEqual(['back'])
  })

  test('is closed when the host refuses the stream', async () => {
    const { host, phone } = await withNetwork()
    await ask(host, 'reverse:forward:tcp:3000;tcp:8080')
    const socket = phone.network?.connect('tcp:3000')
    const closed = new Promise<void>(resolve => socket?.onClose(resolve))
    const { arg0 } = await host.next()
    host.send('CLSE', 0, arg0)
    await closed
  })
})

test('a second use of an end replaces the first, unless that is forbidden, and others cannot be listened on', async () => {
  const { host } = await withNetwork()
  await ask(host, 'reverse:forward:tcp:3000;tcp:1')
  expect(await ask(host, 'reverse:forward:norebind:tcp:3000;tcp:2')).toBe('FAIL001dcannot rebind existing socket')
  expect(await ask(host, 'reverse:forward:tcp:3000;tcp:2')).toBe('OKAY')
  expect(await ask(host, 'reverse:list-forward')).toBe('0016UsbFfs tcp:3000 tcp:2\n')
  expect(await ask(host, 'reverse:forward:tcp:7;tcp:2')).toContain('Address already in use')
  expect(await ask(host, 'reverse:forward:tcp:0;tcp:2')).toMatch(/^OKAY0005\d{5}$/)
})

test('a host that goes takes its listeners with it', async () => {
  const { host, connectHost, phone } = await withNetwork()
  await ask(host, 'reverse:forward:tcp:3000;tcp:1')
  host.end()
  await host.closed()
  const next = await connectHost()
  await next.hello()
  expect(await ask(next, 'reverse:list-forward')).toBe('0000')
  expect(phone.network?.connect('tcp:3000')).toBeUndefined()
})

test('an end that was removed listens no more, and is not found again', async () => {
  const { host, phone } = await withNetwork()
  await ask(host, 'reverse:forward:tcp:3000;tcp:1')
  expect(await ask(host, 'reverse:killforward:tcp:3000')).toBe('OKAY')
  expect(phone.network?.connect('tcp:3000')).toBeUndefined()
  expect(await ask(host, 'reverse:killforward:tcp:3000')).toContain("listener 'tcp:3000' not found")
})

test('hosts reach what listens on the phone', async () => {
  const { host } = await withNetwork()
  for (const end of ['tcp:7', 'localabstract:echo']) {
    const id = ++lastId
    const remote = await host.open(id, end)
    host.send('WRTE', id, remote, 'hello')
    const packets = [await host.next(), await host.next()].map(({ command, payload }) => `${command} ${payload}`)
    expect(packets.sort()).toEqual(['OKAY ', 'WRTE hello'])
    host.send('CLSE', id, remote)
    await host.next()
  }
})

/** Hosts that break the rules, links that are cut, and devices that vanish: nothing else is touched, nothing is left. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { startAdbd } from '../../../src/simulator/adbd/adbd.ts'
import { encode } from '../../support/adb/raw-adb-host.ts'
import { rawDevices } from '../../support/adb/raw-device.ts'
import { stubPhone } from '../../support/device/stub-phone.ts'
import { propertyRuns } from '../../support/property-runs.ts'
import { until } from '../../support/until.ts'

const clock = systemClock()
const { start, online } = rawDevices()

describe('connections', () => {
  test('garbage closes that connection and no other', async () => {
    const { host, connectHost: another, adbd } = await online()
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 24, maxLength: 400 }), fc.boolean(), async (bytes, afterHello) => {
        const hostile = await another()
        if (afterHello) await hostile.hello()
        hostile.socket.write(bytes)
        await hostile.closed()
      }),
      { numRuns: propertyRuns(40) },
    )
    await host.open(1, 'exec:true')
    await until(() => adbd.connections() === 1, 'the hostile ones to be forgotten')
  })

  test('any sequence of well-formed packets leaves the daemon standing', async () => {
    const { host, connectHost: another, adbd } = await online()
    const id = fc.integer({ min: 0, max: 4 })
    const packet = fc.tuple(
      fc.constantFrom('CNXN', 'AUTH', 'OPEN', 'OKAY', 'WRTE', 'CLSE', 'SYNC', 'STLS', 'WHAT'),
      id,
      id,
      fc.oneof(
        fc.constantFrom(
          'exec:cat\0',
          'shell,v2:\0',
          'sync:\0',
          'reverse:list-forward\0',
          'QUIT\0\0\0\0',
          'shell:logcat\0',
        ),
        fc.string({ maxLength: 40 }),
      ),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(packet, { maxLength: 30 }), async packets => {
        const hostile = await another()
        await hostile.hello()
        hostile.socket.write(Buffer.concat(packets.map(one => encode(...one))))
        hostile.socket.end()
        await hostile.closed()
      }),
      { numRuns: propertyRuns(60) },
    )
    await host.open(1, 'exec:true')
    await until(() => adbd.connections() === 1, 'the hostile ones to be forgotten')
  })

  test('half a packet and an end leave nothing behind', async () => {
    const { adbd, connectHost: another } = await online()
    const hostile = await another()
    await hostile.hello()
    hostile.socket.end(encode('OPEN', 1, 0, 'exec:true').subarray(0, 30))
    await hostile.closed()
    await until(() => adbd.connections() === 1, 'the hostile one to be forgotten')
  })

  test('a new CNXN starts over: old streams are gone', async () => {
    const { host, phone } = await online()
    await host.open(1, 'exec:logcat')
    await until(() => phone.following() === 1, 'logcat to follow')
    expect((await host.hello()).command).toBe('CNXN')
    expect(phone.following()).toBe(0)
  })

  test('cut links end what ran on them; the port goes on', async () => {
    const { adbd, host, connectHost: another, phone } = await online()
    await host.open(1, 'exec:logcat')
    await until(() => phone.following() === 1, 'logcat to follow')
    adbd.cutLinks()
    await host.closed()
    expect(phone.following()).toBe(0)
    expect((await (await another()).hello()).command).toBe('CNXN')
  })

  test('a vanished device is refused, and comes back on its port', async () => {
    const { adbd, host, connectHost: another } = await online()
    await adbd.vanish()
    await host.closed()
    await expect(another()).rejects.toThrow('ECONNREFUSED')
    await adbd.comeBack()
    await (await another()).hello()
    const gone = adbd.vanish()
    await Promise.all([adbd.comeBack(), gone])
    await adbd.comeBack()
    expect((await (await another()).hello()).command).toBe('CNXN')
  })

  test('a taken port is an error, not a crash', async () => {
    const { adbd } = await start()
    await expect(startAdbd({ phone: stubPhone(clock), clock, port: adbd.port })).rejects.toThrow('EADDRINUSE')
  })

  test('a service that breaks costs its stream only', async () => {
    const phone = stubPhone(clock)
    const broken = Object.assign(phone, {
      connect: () => {
        throw new Error('broken app')
      },
      screenshot: () => {
        throw new Error('no screen')
      },
    })
    const { host } = await online({ phone: broken })
    host.send('OPEN', 1, 0, 'localabstract:x\0')
    expect((await host.next()).command).toBe('CLSE')
    await host.open(2, 'exec:screencap -p')
    expect((await host.next()).payload.toString()).toContain('no screen')
    expect(phone.log.entries().at(-1)?.message).toContain('broken app')
  })
})

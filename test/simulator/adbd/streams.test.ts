/** What holds for every stream: one write in flight, ends in order, back-pressure both ways. */
import { describe, expect, test } from 'vitest'
import { encode, type RawHost } from '../../support/adb/raw-adb-host.ts'
import { rawDevices } from '../../support/adb/raw-device.ts'
import { until } from '../../support/until.ts'

const { online } = rawDevices()

describe('streams', () => {
  /** By the time this is answered, whatever the device had to say has been said. */
  const roundTrip = async (host: RawHost, id: number) => {
    host.send('OPEN', id, 0, 'exec:\0')
    await until(() => host.packets.some(({ arg1 }) => arg1 === id), 'another stream to open')
    host.packets.splice(
      host.packets.findIndex(({ arg1 }) => arg1 === id),
      1,
    )
  }

  test('one write in flight', async () => {
    const { host, phone } = await online()
    const id = await host.open(1, 'exec:logcat -b main -v raw')
    await until(() => phone.following() === 1, 'logcat to follow')
    phone.log.write('I', 'T', 'one')
    expect((await host.next()).payload.toString()).toBe('one\n')
    for (const [at, line] of ['two', 'three', 'four'].entries()) {
      phone.log.write('I', 'T', line)
      await roundTrip(host, 100 + at)
    }
    expect(host.packets).toEqual([])
    host.send('OKAY', 1, id)
    expect((await host.next()).payload.toString()).toBe('two\nthree\nfour\n')
  })

  test('an ending only after the last write was taken', async () => {
    const { host } = await online()
    const id = await host.open(1, 'exec:echo out; sleep 0.01')
    expect((await host.next()).payload.toString()).toBe('out\n')
    host.send('OPEN', 2, 0, 'exec:sleep 0.02\0')
    await until(
      () => host.packets.some(({ command, arg1 }) => command === 'CLSE' && arg1 === 2),
      'a later stream to end',
    )
    expect(host.packets.splice(0).filter(({ arg1 }) => arg1 === 1)).toEqual([])
    host.send('OKAY', 1, id)
    expect(await host.next()).toMatchObject({ command: 'CLSE', arg0: id, arg1: 1 })
  })

  test('the shell protocol keeps stdout, stderr and the exit code apart', async () => {
    const { host } = await online()
    const id = await host.open(5, 'shell,v2,raw:echo out; echo err >&2; exit 3')
    let bytes = ''
    for (let packet = await host.next(); packet.command !== 'CLSE'; packet = await host.next()) {
      bytes += packet.payload.toString('latin1')
      host.send('OKAY', 5, id)
    }
    expect(bytes).toBe('\u0001\u0004\0\0\0out\n\u0002\u0004\0\0\0err\n\u0003\u0001\0\0\0\u0003')
  })

  test('refuses what it does not have, and goes on', async () => {
    const { host } = await online()
    for (const service of [
      'root:',
      'tcpip:5555',
      'reboot:',
      'track-jdwp',
      'jdwp:1',
      'tcp:80',
      'localabstract:nobody',
      '',
      'framebuffer:',
      'abb_exec:x',
    ]) {
      host.send('OPEN', 9, 0, `${service}\0`)
      expect(await host.next()).toMatchObject({ command: 'CLSE', arg0: 0, arg1: 9 })
    }
    await host.open(10, 'exec:true')
  })

  test('answers for streams that it does not know, and is silent about closed ones', async () => {
    const { host } = await online()
    host.send('WRTE', 3, 999, 'x')
    expect(await host.next()).toMatchObject({ command: 'CLSE', arg0: 0, arg1: 3 })
    host.send('CLSE', 3, 999)
    const id = await host.open(4, 'exec:sleep 1000')
    host.send('CLSE', 4, id)
    expect(await host.next()).toMatchObject({ command: 'CLSE', arg0: id, arg1: 4 })
    host.send('WRTE', 4, id, 'late')
    host.send('CLSE', 4, id)
    await host.open(6, 'exec:true')
  })

  test('the host closing a stream ends the command behind it', async () => {
    const { host, phone } = await online()
    const id = await host.open(1, 'shell,v2,raw:logcat; input tap 1 1')
    await until(() => phone.following() === 1, 'logcat to follow')
    host.send('CLSE', 1, id)
    await until(() => phone.following() === 0, 'logcat to end')
    await host.next()
    const next = await host.open(2, 'exec:true')
    host.send('CLSE', 2, next)
    expect(phone.done).toEqual([])
  })

  test('a command that does not read holds back what the host sends', async () => {
    const { host } = await online()
    const id = await host.open(1, 'exec:sleep 1000')
    host.send('WRTE', 1, id, Buffer.alloc(200_000))
    expect((await host.next()).command).toBe('OKAY')
    host.send('WRTE', 1, id, Buffer.alloc(200_000))
    await host.open(2, 'exec:true')
    await until(() => host.packets.some(({ command }) => command === 'CLSE'), 'the other stream')
    expect(host.packets.filter(({ arg1 }) => arg1 === 1)).toEqual([])
  })

  test('a host that does not read holds back the command', async () => {
    const { host, phone } = await online()
    phone.files.write('/sdcard/big', new Uint8Array(40 * 1_024 * 1_024))
    const before = process.memoryUsage().arrayBuffers
    const id = await host.open(1, 'exec:cat /sdcard/big; input tap 1 1')
    expect((await host.next()).payload.length).toBeLessThanOrEqual(1_024 * 1_024)
    await host.open(2, 'exec:true')
    expect(phone.done).toEqual([])
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1_024 * 1_024)
    host.send('CLSE', 1, id)
  })

  test('a log reader that stalls misses the oldest entries and is told how many', async () => {
    const { host, phone } = await online()
    const id = await host.open(1, 'exec:logcat -v raw')
    await until(() => phone.following() === 1, 'logcat to follow')
    phone.log.write('I', 'T', 'first')
    expect((await host.next()).payload.toString()).toContain('first\n')
    const line = 'x'.repeat(3_900)
    const written = 2_000
    for (let at = 0; at < written; at++) {
      phone.log.write('I', 'T', `${at} ${line}`)
      if (at % 100 === 0) await new Promise(resolve => setImmediate(resolve))
    }
    let text = ''
    while (!text.includes(`\n${written - 1} x`)) {
      host.send('OKAY', 1, id)
      text += (await host.next()).payload.toString()
    }
    const lost = [...text.matchAll(/^-{9} (\d+) entries lost/gm)].reduce((sum, [, count]) => sum + Number(count), 0)
    const kept = text.split('\n').filter(row => /^\d+ x/.test(row)).length
    expect(lost).toBeGreaterThan(written / 2)
    expect(lost + kept).toBe(written)
    expect(text.length).toBeLessThan(1_500_000)
  })

  test('bytes that the host writes right before it closes reach the app, and then the app is told', async () => {
    const { host, phone } = await online()
    const heard: string[] = []
    let closed = () => false
    phone.listeners.set('app', socket => {
      closed = () => socket.closed
      socket.onHeard(bytes => void heard.push(Buffer.from(bytes).toString()))
    })
    const id = await host.open(1, 'localabstract:app')
    host.socket.write(Buffer.concat([encode('WRTE', 1, id, 'last words'), encode('CLSE', 1, id)]))
    await until(closed, 'the app to be told')
    expect(heard).toEqual(['last words'])
  })

  test('an app that sends more than anybody may keep is cut off', async () => {
    const { host, phone } = await online()
    let closed = () => false
    phone.listeners.set('app', socket => {
      closed = () => socket.closed
      for (let at = 0; at < 70; at++) socket.say(new Uint8Array(1_024 * 1_024))
    })
    await host.open(1, 'localabstract:app')
    expect(closed()).toBe(true)
  })
})

/** The real adb and svc agree about connections, forwards and reverses of a simulated phone. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { createNetwork } from '../../src/simulator/network.ts'
import { realAdbDevices } from '../support/adb/real-adb-devices.ts'
import { runCliHere } from '../support/cli/cli-here.ts'
import { stubPhone } from '../support/device/stub-phone.ts'
import { needs } from '../support/needs.ts'

const echoed = async (port: number, text: string): Promise<string> => {
  const socket = connect(port, '127.0.0.1')
  socket.write(text)
  const [said] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return said.toString()
}

describe.skipIf(!needs('adb'))('a real adb server', () => {
  const { adb, start, attached } = realAdbDevices()
  const phone = () => ({ ...stubPhone(systemClock()), network: createNetwork() })
  const svc = async (...words: string[]) => {
    const { code, json } = await runCliHere(words, { env: { ...adb.env, SVC_HOME: `${adb.home}/.svc` } })
    return { code, json: json() as Record<string, never> }
  }

  test('is connected and disconnected by svc', async () => {
    const { serial } = await start({ phone: phone() })
    const device = { serial, deviceId: serial, state: 'device' }
    expect(await svc('devices', 'connect', serial)).toEqual({ code: 0, json: { device, already: false } })
    expect(await svc('devices', 'connect', serial)).toEqual({ code: 0, json: { device, already: true } })
    expect((await adb.run('devices')).stdout).toContain(`${serial}\tdevice`)
    expect(await svc('devices', 'disconnect', serial)).toEqual({ code: 0, json: { disconnected: [serial] } })
    expect((await adb.run('devices')).stdout).not.toContain(serial)
    expect(await svc('devices', 'disconnect', serial)).toMatchObject({ code: 1, json: { code: 'DEVICE_NOT_FOUND' } })
  })

  test('one that nobody listens for is refused', async () => {
    const { serial, adbd } = await start({ phone: phone() })
    await adbd.close()
    expect(await svc('devices', 'connect', serial)).toMatchObject({
      json: { code: 'CONNECT_FAILED', details: { reason: 'refused' } },
    })
  })

  test('keeps forwards that svc adds, and svc those of adb', async () => {
    const { serial, run } = await attached({ phone: phone() })
    const added = await svc('forward', 'add', 'tcp:0', 'localabstract:echo')
    const { forward } = added.json as unknown as { forward: { local: string } }
    expect(forward).toMatchObject({ deviceId: serial, remote: 'localabstract:echo', heldBy: 'adb-server' })
    expect(await echoed(Number(forward.local.slice('tcp:'.length)), 'hello')).toBe('hello')
    expect((await run('forward', '--list')).stdout).toContain(`${serial} ${forward.local} localabstract:echo`)
    const { stdout } = await run('forward', 'tcp:0', 'tcp:7')
    const local = `tcp:${stdout.trim()}`
    expect((await svc('forward', 'list')).json).toMatchObject({ count: 2 })
    expect(await svc('forward', 'add', local, 'tcp:8')).toMatchObject({ json: { details: { reason: 'taken' } } })
    expect((await svc('forward', 'remove', local)).json).toMatchObject({ removed: { local, remote: 'tcp:7' } })
    expect((await run('forward', '--list')).stdout).not.toContain(local)
    expect(await svc('forward', 'remove', local)).toMatchObject({ json: { details: { reason: 'not_found' } } })
  })

  test('carries reverses that svc adds, and svc lists those of adb', async () => {
    const { run } = await attached({ phone: phone() })
    const server = createServer(socket => socket.once('data', data => socket.end(`host says ${data}`)))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const local = `tcp:${(server.address() as { port: number }).port}`
    expect((await svc('reverse', 'add', 'tcp:3000', local)).json).toMatchObject({
      reverse: { local, remote: 'tcp:3000', heldBy: 'adb-server' },
    })
    expect((await run('shell', 'echo hi | nc localhost 3000')).stdout).toBe('host says hi\n')
    expect((await run('reverse', 'tcp:3001', local)).code).toBe(0)
    expect((await svc('reverse', 'list')).json).toMatchObject({ count: 2 })
    expect((await svc('reverse', 'remove', 'tcp:3001')).code).toBe(0)
    expect((await run('shell', 'nc localhost 3001')).stderr).toContain('Connection refused')
    expect((await run('reverse', '--remove', 'tcp:3001')).stderr).toContain("listener 'tcp:3001' not found")
    server.close()
  })
})

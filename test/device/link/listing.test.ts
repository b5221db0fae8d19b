/** The listing, and the ways in which there can be none: each has its own code, and none of them is an empty listing. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { temporary } from '../../support/temporary.ts'
import { startFakeAdbd } from './fake-adbd.ts'
import { type FakeServerOptions, startFakeServer } from './fake-server.ts'
import { fakeDevice } from './fake-services.ts'
import { codeOf, within } from './link-suite.ts'
import { type LinksForTests, linksFor } from './links-for-tests.ts'

const folder = temporary('svc-listing-')
const soon = () => within(20_000)

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})
const server = async (options: FakeServerOptions = {}) => {
  const started = await startFakeServer(options)
  ends.push(() => started.stop())
  return started
}
const adbd = async () => {
  const started = await startFakeAdbd(fakeDevice())
  ends.push(() => started.stop())
  return started
}
const linked = (options: LinksForTests) => {
  const links = linksFor(options)
  ends.push(() => links.close())
  return links
}

/** An adb program that does what a shell script says; each start leaves a line behind. */
const program = (name: string, script: string) => {
  const path = join(folder(), name)
  const log = `${path}.log`
  writeFileSync(path, `#!/bin/sh\necho "$@" >> '${log}'\n${script}\n`)
  chmodSync(path, 0o755)
  const starts = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [])
  return { path, starts, program: { path, env: { PATH: process.env.PATH } } }
}

describe('what is listed', () => {
  test('every state, asked anew each time', async () => {
    const adb = await server()
    const links = linked({ server: adb.address })
    expect(await links.list(soon())).toEqual({ devices: [] })
    adb.attach('a', fakeDevice())
    adb.attach('b', fakeDevice(), 'offline')
    adb.attach('c', fakeDevice(), 'unauthorized')
    expect((await links.list(soon())).devices).toEqual([
      { serial: 'a', state: 'device' },
      { serial: 'b', state: 'offline' },
      { serial: 'c', state: 'unauthorized' },
    ])
    adb.detach('a')
    expect((await links.list(soon())).devices.length).toBe(2)
  })

  test('a device that is not ready is refused with its state', async () => {
    const adb = await server()
    adb.attach('b', fakeDevice(), 'offline')
    adb.attach('c', fakeDevice(), 'unauthorized')
    const links = linked({ server: adb.address })
    const codes = await Promise.all(['b', 'c', 'd'].map(serial => codeOf(links.get(serial, soon()))))
    expect(codes).toEqual(['DEVICE_OFFLINE', 'DEVICE_UNAUTHORIZED', 'DEVICE_NOT_FOUND'])
  })

  test('TCP devices beside those of the server, which wins for what both have', async () => {
    const adb = await server()
    const [one, two] = [await adbd(), await adbd()]
    const overServer = fakeDevice('ON-SERVER')
    adb.attach('usb-1', fakeDevice())
    adb.attach(one.serial, overServer)
    const links = linked({ server: adb.address, tcp: `${one.serial},${two.serial}` })
    expect((await links.list(soon())).devices).toEqual([
      { serial: 'usb-1', state: 'device' },
      { serial: one.serial, state: 'device' },
      { serial: two.serial, state: 'device' },
    ])
    expect([one.connects(), two.connects()]).toEqual([0, 1])
    await (await links.get(one.serial, soon())).shell('echo', soon())
    await (await links.get(two.serial, soon())).shell('echo', soon())
    expect([one.connects(), two.connects(), overServer.opened.length]).toEqual([0, 1, 1])
  })

  test('two hundred listings at once open one connection, without a warning', async () => {
    const warnings: string[] = []
    const warn = (warning: Error) => warnings.push(warning.message)
    process.on('warning', warn)
    const device = await adbd()
    const links = linked({ tcp: device.serial })
    const { signal } = new AbortController()
    await Promise.all(Array.from({ length: 200 }, () => links.list({ ...soon(), signal })))
    expect(device.connects()).toBe(1)
    await new Promise(resolve => setImmediate(resolve))
    process.off('warning', warn)
    expect(warnings.filter(text => text.includes('MaxListeners'))).toEqual([])
  })
})

describe('a server that is of no use', () => {
  test.each(['garbage', 'drops', 'hangs'] as const)('one that %s is ADB_SERVER_FAILED', async mode => {
    const adb = await server({ mode })
    const limits = { serverAnswerMs: 200, openMs: 200 }
    const links = linked({ server: adb.address, limits })
    expect(await codeOf(links.list(soon()))).toBe('ADB_SERVER_FAILED')
    expect(await codeOf(links.get('usb-1', soon()))).toBe('ADB_SERVER_FAILED')
  })

  test('an address that is none is ADB_SERVER_FAILED', async () => {
    const links = linked({ server: { unusable: 'ADB_SERVER_SOCKET is nonsense' } })
    expect(await codeOf(links.list(soon()))).toBe('ADB_SERVER_FAILED')
  })

  test.each(['garbage', 'hangs'] as const)('TCP devices are listed beside one that %s', async mode => {
    const adb = await server({ mode })
    const device = await adbd()
    const limits = { serverAnswerMs: 200, serverAsideMs: 100 }
    const links = linked({ server: adb.address, tcp: device.serial, limits })
    const listing = await links.list(soon())
    expect(listing.devices).toEqual([{ serial: device.serial, state: 'device' }])
    expect(listing.problem?.code).toBe('ADB_SERVER_FAILED')
  })
})

describe('no server', () => {
  test('and no adb program is ADB_NOT_FOUND', async () => {
    const links = linked({})
    expect(await codeOf(links.list(soon()))).toBe('ADB_NOT_FOUND')
    expect(await codeOf(links.get('usb-1', soon()))).toBe('ADB_NOT_FOUND')
  })

  test('is nothing to miss when there are TCP devices', async () => {
    const device = await adbd()
    expect(await linked({ tcp: device.serial }).list(soon())).toEqual({
      devices: [{ serial: device.serial, state: 'device' }],
    })
  })

  test('is started once by all who find it missing', async () => {
    const adb = program('slow-adb', 'sleep 0.3; echo cannot bind >&2; exit 3')
    const links = linked({ program: adb.program })
    const errors = await Promise.all(
      Array.from({ length: 5 }, () => links.list(soon()).catch((error: Error) => error.message)),
    )
    expect(new Set(errors)).toEqual(
      new Set([`${adb.path} start-server for /nonexistent/svc-adb-server ended with 3: cannot bind`]),
    )
    expect(await codeOf(links.list(soon()))).toBe('ADB_SERVER_FAILED')
    expect(adb.starts()).toEqual(['-L localfilesystem:/nonexistent/svc-adb-server start-server'])
  })

  test.each([
    ['hangs', 'exec sleep 60'],
    ['starts none', 'exit 0'],
  ])('and an adb that %s is ADB_SERVER_FAILED', async (name, script) => {
    const adb = program(name.replace(' ', '-'), script)
    const links = linked({ program: adb.program, limits: { startServerMs: 300 } })
    expect(await codeOf(links.list(soon()))).toBe('ADB_SERVER_FAILED')
    expect(adb.starts().length).toBe(1)
  })

  test('is started without the token of our server, and as part of no skill run', async () => {
    const adb = program('telling-adb', `env > '${join(folder(), 'adb-env')}'; exit 3`)
    const env = { ...adb.program.env, KEPT: '1', SVC_SERVE_TOKEN: 'a-token-of-the-server', SVC_SKILL_RUN_ID: 'run-1' }
    expect(await codeOf(linked({ program: { ...adb.program, env } }).list(soon()))).toBe('ADB_SERVER_FAILED')
    const seen = readFileSync(join(folder(), 'adb-env'), 'utf8')
    expect(seen).toContain('KEPT=1')
    expect(seen).not.toMatch(/SVC_SERVE_TOKEN|SVC_SKILL_/)
  })

  test('and an adb that cannot be run is ADB_SERVER_FAILED', async () => {
    const links = linked({ program: { path: join(folder(), 'missing'), env: {} } })
    expect(await codeOf(links.list(soon()))).toBe('ADB_SERVER_FAILED')
  })

  test('on another machine is not started from here', async () => {
    const adb = program('never', 'exit 0')
    const { address, stop } = await startFakeServer()
    await stop()
    const remote = linked({ server: { host: '127.0.0.2', port: address.port }, program: adb.program })
    expect(await codeOf(remote.list(soon()))).toBe('ADB_SERVER_FAILED')
    expect(adb.starts()).toEqual([])
  })
})

/** The states of a device, and how it makes itself known, as a real adb sees them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { connectThroughServer, registerEmulator } from '../../src/simulator/attach.ts'
import { realAdbDevices } from '../support/adb/real-adb-devices.ts'
import { startEmulatorConsole } from '../support/emulators/emulator-console.ts'
import { needs } from '../support/needs.ts'
import { until } from '../support/until.ts'

describe.skipIf(!needs('adb'))('a real adb', () => {
  const { adb, server, start, attached, stateOf, untilState } = realAdbDevices()

  test('unauthorized, until the person allows it', async () => {
    const { adbd, serial } = await start({ state: 'unauthorized' })
    expect((await adb.run('connect', serial)).stdout).toContain('failed to authenticate')
    expect(await stateOf(serial)).toBe('unauthorized')
    adbd.allow()
    await untilState(serial, 'device')
    expect((await adb.run('-s', serial, 'shell', 'echo in')).stdout).toBe('in\n')
  })

  test('recovery', async () => {
    const { serial } = await attached({ state: 'recovery' })
    expect(await stateOf(serial)).toBe('recovery')
  })

  test('offline: a device that accepts and never answers', async () => {
    const { serial } = await start({ state: 'offline' })
    const connecting = adb.run('connect', serial)
    await untilState(serial, 'offline')
    expect((await connecting).stdout).toContain('failed to connect')
  })

  test('changes its state at run time, and comes back after its links were cut', async () => {
    const { adbd, serial, run } = await attached()
    adbd.setState('recovery')
    await untilState(serial, 'recovery')
    adbd.setState('device')
    await untilState(serial, 'device')
    const hanging = run('shell', 'sleep 1000')
    await until(() => adbd.connections() > 0, 'a connection')
    adbd.cutLinks()
    expect((await hanging).code).not.toBe(0)
    await untilState(serial, 'device')
    await adbd.vanish()
    await untilState(serial, 'offline')
  })

  test('emulators and TCP devices can make themselves known', async () => {
    const { adbd, serial } = await start()
    expect(await registerEmulator(server, adbd.port)).toEqual({ ok: true })
    const emulator = `emulator-${adbd.port - 1}`
    await untilState(emulator, 'device')
    expect((await adb.run('-s', emulator, 'shell', 'getprop ro.serialno')).stdout).toBe('SIM0001\n')
    await adbd.close()
    await untilState(emulator, undefined)
    await adbd.comeBack()
    expect(await connectThroughServer(server, serial)).toEqual({ ok: true })
    expect(await stateOf(serial)).toBe('device')
    await adbd.vanish()
    expect(await connectThroughServer(server, '127.0.0.1:1')).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/failed|refused/),
    })
  })

  test('adb emu names the AVD and kills it', async () => {
    let killed = 0
    const emulator = await startEmulatorConsole({ name: 'pixel_sim', onKill: () => killed++ })
    const emu = (...args: string[]) => adb.run('-s', `emulator-${emulator.port}`, 'emu', ...args)
    expect((await emu('avd', 'name')).stdout).toBe('pixel_sim\r\nOK\r\n')
    expect((await emu('kill')).stdout).toContain('killing emulator')
    expect(killed).toBe(1)
    writeFileSync(join(adb.home, '.emulator_console_auth_token'), 'secret')
    expect((await emu('avd', 'name')).stdout).toBe('pixel_sim\r\nOK\r\n')
    await emulator.close()
  })
})

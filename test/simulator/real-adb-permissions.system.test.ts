/** A real adb and svc agree on the permissions of a simulated phone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { type SimulatedDevice, startDevice } from '../../src/simulator/simulated-phones.ts'
import { realAdbDevices } from '../support/adb/real-adb-devices.ts'
import { runCliHere } from '../support/cli/cli-here.ts'
import { needs } from '../support/needs.ts'
import { appOf, scenarioOf } from '../support/simulator/simulated-ui.ts'
import { temporary } from '../support/temporary.ts'

const CAMERA = 'android.permission.CAMERA'
const scenario = scenarioOf(appOf({ main: { nodes: [{ text: 'a' }] } }, { permissions: [CAMERA] }))

describe.skipIf(!needs('adb'))('a real adb', () => {
  const { adb } = realAdbDevices()
  const home = temporary('svc-permissions-')
  let device: SimulatedDevice
  beforeAll(async () => {
    device = await startDevice({ name: 'sim', serialno: 'SIM', scenario, clock: systemClock() })
    await adb.run('connect', device.serial)
  })
  afterAll(() => device.close())

  const shell = (line: string) => adb.run('-s', device.serial, 'shell', line)
  const svc = async (...words: string[]) => {
    const env = { HOME: home(), SVC_TCP_DEVICES: device.serial, PATH: '' }
    return (await runCliHere([...words, '--no-daemon'], { env })).json()
  }

  test('grants what svc then shows, and sees in dumpsys what svc denied', async () => {
    expect(await shell(`pm grant com.example ${CAMERA}`)).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await svc('apps', 'info', 'com.example')).toMatchObject({
      app: { permissions: [{ permission: CAMERA, granted: true, state: 'allow' }] },
    })
    expect(await svc('apps', 'permission', 'com.example', 'camera', 'deny')).toMatchObject({
      envelope: { stepResults: [{ success: true, data: { previous: 'allow' } }] },
    })
    const { stdout } = await shell('dumpsys package com.example')
    expect(stdout).toMatch(/android\.permission\.CAMERA: granted=false, flags=\[ .*USER_SET\|USER_FIXED/)
    const refused = await shell('pm grant com.example android.permission.READ_SMS')
    expect(refused).toMatchObject({ code: 255, stderr: expect.stringContaining('has not requested permission') })
  })
})

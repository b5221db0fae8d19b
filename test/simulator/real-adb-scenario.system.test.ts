/** The windows and the state of a simulated phone, driven by nothing but a real adb. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { type SimulatedDevice, startDevice } from '../../src/simulator/simulated-phones.ts'
import { realAdbDevices } from '../support/adb/real-adb-devices.ts'
import { needs } from '../support/needs.ts'
import { readPng } from '../support/pictures/png-picture.ts'
import { appOf, scenarioOf } from '../support/simulator/simulated-ui.ts'

const scenario = scenarioOf({
  timeScale: 0.01,
  device: { durations: { dump: 2_000 } },
  ...appOf(
    {
      main: {
        nodes: [
          { text: 'tried {tries}', bounds: [0, 100, 1_080, 200] },
          {
            text: 'sign in',
            bounds: [0, 300, 1_080, 400],
            onTap: {
              count: { tries: 1 },
              firstOf: [{ if: { counter: { tries: { atLeast: 2 } } }, goTo: 'locked' }, { toast: 'no' }],
            },
          },
          { hint: 'name', bounds: [0, 500, 1_080, 600] },
        ],
      },
      locked: { dialog: {}, nodes: [{ text: 'Too many tries' }] },
    },
    { counters: { tries: 0 } },
  ),
})

describe.skipIf(!needs('adb'))('a real adb', () => {
  const { adb, child } = realAdbDevices()
  let device: SimulatedDevice
  beforeAll(async () => {
    device = await startDevice({ name: 'sim', serialno: 'SIM', scenario, clock: systemClock() })
    await adb.run('connect', device.serial)
  })
  afterAll(() => device.close())

  const shell = async (line: string) => (await adb.run('-s', device.serial, 'shell', line)).stdout
  const texts = async () => {
    const { stdout } = await adb.run('-s', device.serial, 'exec-out', 'uiautomator dump /dev/tty')
    return [...stdout.matchAll(/ text="([^"]+)"/g)].map(([, text]) => text)
  }
  const focus = async () => /mCurrentFocus=Window\{\w+ u0 ([^}]+)\}/.exec(await shell('dumpsys window'))?.[1]

  test('taps until a counter opens a dialog, and ends the app to begin again', async () => {
    await shell('for i in 1 2; do input tap 500 350; done')
    expect(await texts()).toEqual(['Too many tries'])
    await shell('input keyevent BACK')
    expect(await texts()).toEqual(['tried 2', 'sign in', 'name'])
    await shell('am force-stop com.example; monkey -p com.example -c android.intent.category.LAUNCHER 1')
    expect(await texts()).toEqual(['tried 0', 'sign in', 'name'])
  })

  test('sees the keyboard and the shade come and go', async () => {
    const shown = 'if dumpsys input_method | grep -q mInputShown=true; then echo shown; else echo hidden; fi'
    await shell('input tap 500 550')
    expect(await shell(shown)).toBe('shown\n')
    await shell('cmd statusbar expand-notifications')
    expect(await focus()).toBe('NotificationShade')
    await shell('input keyevent BACK')
    expect([await focus(), await shell(shown)]).toEqual(['com.example/com.example.MainActivity', 'hidden\n'])
  })

  test('takes an RGBA screenshot', async () => {
    const shot = child(device.serial, 'exec-out', 'screencap', '-p')
    await shot.ended
    const { width, height } = readPng(shot.out())
    expect([width, height]).toEqual([1_080, 2_400])
    expect([...shot.out().subarray(24, 26)]).toEqual([8, 6])
  })
})

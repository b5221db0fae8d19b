/** The services of the simulated phone that change how it behaves, in the words of several versions of Android. */
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { createPhone } from '../../../../src/simulator/device.ts'
import { createShell } from '../../../../src/simulator/shell/shell.ts'
import { runIn } from '../../../support/device/shell-run.ts'
import { appOf, scenarioOf } from '../../../support/simulator/simulated-ui.ts'

const phoneWith = (sdk: number, properties: object = {}) => {
  const scenario = scenarioOf({
    ...appOf({ main: { nodes: [{ text: 'a' }] } }),
    device: { properties: { 'ro.build.version.sdk': String(sdk), ...properties } },
  })
  const clock = systemClock()
  const phone = createPhone({ name: 'sim', serialno: 'S', scenario, clock })
  const shell = createShell({ phone, clock })
  const said = async (line: string) => {
    const { code, out, err } = await runIn(shell, line)
    return { code, out, err }
  }
  return { phone, said, out: async (line: string) => (await said(line)).out }
}

test.each([
  [35, 'cmd uimode night', 'Night mode: no\n', 0],
  [35, 'cmd uimode night yes', 'Night mode: yes\n', 0],
  [29, 'cmd connectivity airplane-mode', 'disabled\n', 0],
  [35, 'cmd wifi status', 'Wifi is enabled\nWifi scanning is only available when wifi is enabled\n', 0],
  [29, 'cmd wifi status', 'Unknown command: status\n', 255],
  [35, 'cmd locale get-app-locales com.example', 'Locales for com.example for user 0 are []\n', 0],
  [35, 'cmd appops get com.android.shell android:mock_location', 'No operations.\nDefault mode: deny\n', 0],
  [35, 'wm user-rotation', 'lock 0\n', 0],
  [35, 'service check activity', 'Service activity: found\n', 0],
])('API level %i, %s', async (sdk, line, out, code) => {
  expect(await phoneWith(sdk).said(line)).toEqual({ code, out, err: '' })
})

test.each([
  [28, 'cmd uimode night', 'No shell command implementation.\n', 0],
  [28, 'cmd connectivity airplane-mode', 'No shell command implementation.\n', 0],
  [32, 'cmd locale get-app-locales com.example', "cmd: Can't find service: locale\n", 20],
  [35, 'cmd uimode night maybe', "Error: mode must be 'yes', 'no', or 'auto'\n", 255],
  [35, 'wm user-rotation sideways', 'Error: argument needs to be either -d, free or lock.\n', 255],
  [35, 'wm user-rotation lock 4', 'Error: bad rotation value 4\n', 255],
])('API level %i refuses %s', async (sdk, line, err, code) => {
  expect(await phoneWith(sdk).said(line)).toEqual({ code, out: '', err })
})

test('airplane mode takes the Wi-Fi along, and gives it back', async () => {
  const { out, phone } = phoneWith(35)
  await out('cmd connectivity airplane-mode enable')
  expect(await out('cmd wifi status; settings get global wifi_on')).toMatch(/^Wifi is disabled\n.*\n3\n$/)
  await out('svc wifi enable')
  expect(phone.settings.get('global/wifi_on')).toBe('2')
  await out('svc wifi disable; cmd connectivity airplane-mode disable')
  expect(phone.settings.get('global/wifi_on')).toBe('0')
})

test('a place is reported by test providers alone, and only where the shell may mock it', async () => {
  const { said, out } = phoneWith(35)
  const add = 'cmd location providers add-test-provider gps'
  expect(await said(add)).toMatchObject({ code: 255, err: expect.stringContaining('MOCK_LOCATION') })
  await out('cmd appops set com.android.shell android:mock_location allow')
  const place = 'cmd location providers set-test-provider-location gps --location 48.85,-2.35'
  expect(await said(place)).toMatchObject({ code: 255, err: expect.stringContaining('is not a test provider') })
  await out(`${add}; ${place}`)
  expect(await out('dumpsys location')).toMatch(
    / gps provider \[mock\]:\n.*\n +last location=Location\[gps 48\.850000,-2\.350000 /,
  )
  await out('cmd location providers remove-test-provider gps')
  expect(await out('dumpsys location')).not.toContain('mock')
  expect(await phoneWith(30).said(add)).toMatchObject({ code: 255, out: 'Unknown command: providers\n' })
})

test('a battery stays as it is set until it is reset', async () => {
  const { out } = phoneWith(35)
  const real = await out('dumpsys battery')
  expect(real).toMatch(/ {2}USB powered: true\n(.*\n)* {2}level: 87\n/)
  expect(await out('dumpsys battery set level 15; dumpsys battery unplug')).toBe('')
  expect(await out('dumpsys battery')).toMatch(/UPDATES STOPPED(.*\n)* {2}USB powered: false\n(.*\n)* {2}level: 15\n/)
  expect(await out('dumpsys power')).toContain('mBatteryLevel=15')
  expect(await out('dumpsys battery set level many')).toBe('Bad value: many\n')
  expect(await out('dumpsys battery set colour 1')).toBe('Unknown set option: colour\n')
  await out('dumpsys battery reset')
  expect(await out('dumpsys battery')).toBe(real)
})

test('the language of the system is for root alone', async () => {
  const line = 'setprop persist.sys.locale fr-FR'
  expect(await phoneWith(35).said(line)).toMatchObject({ code: 1, err: expect.stringContaining('Failed to set') })
  const root = phoneWith(35, { 'service.adb.root': '1' })
  expect(await root.out(`${line}; getprop persist.sys.locale; id -u`)).toBe('fr-FR\n0\n')
})

describe('a screen that is turned', () => {
  const turned = async (...lines: string[]) => {
    const made = phoneWith(35)
    for (const line of lines) await made.out(line)
    return made
  }

  test.each([
    ['wm user-rotation lock 1', 1],
    ['settings put system user_rotation 1', 1],
    ['wm set-user-rotation lock 3', 3],
    ['wm user-rotation lock 2', 2],
  ])('%s', async (line, rotation) => {
    const { phone, out } = await turned(line)
    const [width, height] = rotation % 2 === 1 ? [2_400, 1_080] : [1_080, 2_400]
    expect(await out('uiautomator dump /dev/tty')).toContain(`<hierarchy rotation="${rotation}">`)
    expect(phone.tree()?.roots[0]?.bounds).toEqual({ left: 0, top: 0, right: width, bottom: height })
    const displays = await out('dumpsys window displays')
    expect(displays).toContain(`init=1080x2400 420dpi cur=${width}x${height}`)
    expect(displays).toContain(`mCurrentRotation=ROTATION_${rotation * 90}`)
    expect(await out('dumpsys window windows')).toContain(`frame=[0,0][${width},${height}]`)
    const png = Buffer.from(phone.screenshot())
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([width, height])
    expect(await out('wm size')).toBe('Physical size: 1080x2400\n')
  })

  test('stands upright again once it turns by itself', async () => {
    const { phone } = await turned('wm user-rotation lock 1', 'wm user-rotation free')
    expect([phone.rotation(), phone.screenSize().width]).toEqual([0, 1_080])
  })

  test('of a real dump stays as it was', () => {
    const scenario = scenarioOf(
      appOf({
        main: { frame: false, nodes: [{ text: 'a', bounds: [0, 0, 9, 9] }] },
      } as never),
    )
    const phone = createPhone({ name: 'sim', serialno: 'S', scenario, clock: systemClock() })
    phone.settings.set('system/user_rotation', '1')
    expect([phone.rotation(), phone.tree()?.rotation, phone.screenSize().width]).toEqual([0, 0, 1_080])
  })
})

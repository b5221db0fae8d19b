/** change_setting on simulated phones of several versions of Android, and in the words of phones that refuse. */
import { describe, expect, test } from 'vitest'
import { settingBench } from '../../support/device/setting-bench.ts'

const APP = 'com.android.settings'

describe('a setting is changed, read back, and told with what was there before', () => {
  test.each([
    ['orientation', 'landscape_left', 'portrait'],
    ['orientation', 'auto', 'portrait'],
    ['dark_mode', true, 'false'],
    ['animations', false, 'true'],
    ['wifi', false, 'true'],
    ['mobile_data', false, 'true'],
    ['airplane_mode', true, 'false'],
    ['stay_awake', true, 'false'],
    ['font_scale', 1.3, 'null'],
    ['brightness', 200, '102'],
    ['location', { latitude: 48.85, longitude: -2.35 }, 'null'],
    ['battery', { level: 15, plugged: 'ac' }, 'null'],
  ])('%s to %j', async (setting, value, previous) => {
    const bench = settingBench()
    const { data, error } = await bench.set(setting, value)
    expect(error).toBeNull()
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    expect(data).toEqual({ setting, value: text, previous })
    expect(bench.open()).toHaveLength(1)
    const again = await bench.set(setting, value)
    expect(again.data).toEqual({ setting, value: text, previous: text })
  })

  test.each([
    ['dark_mode', 'on', 'true'],
    ['wifi', 'off', 'false'],
  ])('%s takes %s', async (setting, value, told) => {
    expect((await settingBench().set(setting, value)).data).toMatchObject({ setting, value: told })
  })

  test('the language of one application', async () => {
    const bench = settingBench()
    const { data } = await bench.set('locale', 'pt-br', { applicationId: APP })
    expect(data).toEqual({ setting: 'locale', value: 'pt-BR', previous: 'null' })
    expect(bench.commands).toContain(`cmd locale set-app-locales ${APP} --user 0 --locales pt-BR`)
  })

  test('a level without a plug leaves the plug', async () => {
    const bench = settingBench()
    expect((await bench.set('battery', { level: 15 })).data.value).toBe('{"level":15,"plugged":"usb"}')
  })

  test('a wide device is upright on its long edge: portrait is a quarter turn', async () => {
    const bench = settingBench({
      answer: command => (command === 'wm size' ? { stdout: 'Physical size: 2560x1600\n' } : undefined),
    })
    expect((await bench.set('orientation', 'portrait')).data).toMatchObject({ previous: 'landscape_left' })
    expect(bench.phone.settings.get('system/user_rotation')).toBe('1')
  })

  test('what is already so is neither remembered nor sent', async () => {
    const bench = settingBench()
    expect((await bench.set('wifi', true)).data).toEqual({ setting: 'wifi', value: 'true', previous: 'true' })
    expect(bench.open()).toEqual([])
    expect(bench.commands.filter(command => command.startsWith('svc '))).toEqual([])
  })

  test('the previous value is in the journal before the first command that changes something', async () => {
    const seen: number[] = []
    const bench = settingBench({
      answer(command) {
        if (command.startsWith('settings put')) seen.push(bench.open().length)
        return undefined
      },
    })
    await bench.set('animations', false)
    expect(seen).toEqual([1, 1, 1])
  })
})

describe('older versions of Android', () => {
  test.each([
    [26, 'wifi', false],
    [28, 'wifi', false],
    [29, 'wifi', false],
    [26, 'animations', false],
    [26, 'orientation', 'upside_down'],
    [26, 'battery', { level: 5, plugged: 'none' }],
    [29, 'dark_mode', true],
    [29, 'airplane_mode', true],
    [31, 'location', { latitude: 1.5, longitude: 2 }],
    [33, 'font_scale', 0.85],
  ])('API level %i changes %s', async (sdk, setting, value) => {
    const { data, error } = await settingBench({ sdk }).set(setting, value)
    expect(error).toBeNull()
    expect(data.value).toBe(typeof value === 'string' ? value : JSON.stringify(value))
  })

  test.each([
    [28, 'dark_mode', true, {}],
    [28, 'airplane_mode', true, {}],
    [30, 'location', { latitude: 1, longitude: 2 }, {}],
    [32, 'locale', 'fr-FR', { applicationId: APP }],
  ])('API level %i cannot change %s, and nothing is changed', async (sdk, setting, value, more) => {
    const bench = settingBench({ sdk })
    const before = new Map(bench.phone.settings)
    const { data, error } = await bench.set(setting, value, more)
    expect(error).toMatchObject({ code: 'SETTING_REFUSED', hint: expect.stringMatching(/\w/) })
    expect(data.reason).toBe('unsupported')
    expect(bench.phone.settings).toEqual(before)
  })
})

describe('refusals', () => {
  const DENIED =
    'Exception occurred while executing:\njava.lang.SecurityException: Permission denial: writing to settings requires:android.permission.WRITE_SECURE_SETTINGS\n'

  test('a maker that lets no shell write settings', async () => {
    const { data, error } = await settingBench({
      answer: command => (command.startsWith('settings put') ? { stderr: DENIED, exitCode: 255 } : undefined),
    }).set('animations', false)
    expect(error).toMatchObject({
      code: 'SETTING_REFUSED',
      message: expect.stringContaining('WRITE_SECURE_SETTINGS'),
      hint: expect.stringContaining('USB debugging (Security settings)'),
    })
    expect(data.reason).toBe('refused')
  })

  test('a phone that says nothing and does nothing', async () => {
    const { data, error } = await settingBench({
      answer: command => (command.startsWith('svc wifi') ? {} : undefined),
    }).set('wifi', false)
    expect(error).toMatchObject({ code: 'SETTING_REFUSED', message: expect.stringContaining('but it is true') })
    expect(data.reason).toBe('not_applied')
  })

  test('a phone that makes something else of it: that is put back, too', async () => {
    const bench = settingBench()
    const put = bench.phone.settings.set.bind(bench.phone.settings)
    bench.phone.settings.set = (key, value) => put(key, key === 'system/screen_brightness' ? '180' : value)
    const { data, error } = await bench.set('brightness', 255)
    expect(error?.code).toBe('SETTING_REFUSED')
    expect(data.reason).toBe('not_applied')
    bench.phone.settings.set = put
    expect((await bench.restore()).data).toEqual({ restored: '1', left: '[]' })
    expect(bench.phone.settings.get('system/screen_brightness')).toBe('102')
  })

  test.each(['com.example.absent', "x'; reboot #"])('%s has no language', async applicationId => {
    const bench = settingBench()
    const { data, error } = await bench.set('locale', 'fr-FR', { applicationId })
    expect(error?.code).toBe('SETTING_REFUSED')
    expect(data.reason).toBe('application_not_found')
    expect(bench.commands.some(command => command.includes('reboot'))).toBe(false)
  })

  test('the language of the system: only where adb runs as root', async () => {
    const user = settingBench()
    expect((await user.set('locale', 'fr-FR')).data.reason).toBe('application_required')
    expect(user.open()).toHaveLength(1)
    const root = settingBench({ properties: { 'service.adb.root': '1' } })
    expect((await root.set('locale', 'fr-FR')).data).toEqual({ setting: 'locale', value: 'fr-FR', previous: 'en-US' })
  })

  test('a journal that cannot be written: nothing is sent', async () => {
    const bench = settingBench()
    bench.journal.append = () => Promise.reject(new Error('unexpected'))
    await expect(bench.set('animations', false)).rejects.toThrow('unexpected')
    expect(bench.commands.filter(command => command.startsWith('settings put'))).toEqual([])
  })
})

describe('what would cut the link', () => {
  const CUTTING = [
    ['wifi', false],
    ['airplane_mode', true],
  ] as const
  test.each(CUTTING)('%s %s of a phone that is reached through the network', async (setting, value) => {
    for (const serial of ['192.168.1.7:5555', 'adb-R5-abc._adb-tls-connect._tcp', '[fe80::1]:5555']) {
      const bench = settingBench({ serial })
      const { data, error } = await bench.set(setting, value)
      expect(error).toMatchObject({ code: 'SETTING_REFUSED', message: expect.stringContaining(serial) })
      expect(data.reason).toBe('would_cut_link')
      expect(bench.commands).toEqual([])
      expect((await bench.set(setting, value, { force: true })).error).toBeNull()
    }
  })

  test.each(['R5CT10ABCDE', 'emulator-5554', '127.0.0.1:5555', 'localhost:6000'])('not of %s', async serial => {
    for (const [setting, value] of CUTTING) {
      expect((await settingBench({ serial }).set(setting, value)).error).toBeNull()
    }
  })

  test('to put it back, either', async () => {
    const bench = settingBench()
    bench.phone.settings.set('global/wifi_on', '0')
    await bench.set('wifi', true)
    Object.assign(bench.link, { serial: '192.168.1.7:5555' })
    const { data, error } = await bench.restore()
    expect(error?.code).toBe('SETTING_REFUSED')
    expect(data).toMatchObject({ reason: 'would_cut_link', restored: '0' })
    expect(bench.open()).toHaveLength(1)
  })
})

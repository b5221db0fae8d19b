/** restore_settings: what svc changed is put back, once, whoever asks and whatever broke before. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { StepFailure } from '../../../src/device/screen/step-failure.ts'
import { stepChanges } from '../../../src/device/settings/changes/step-changes.ts'
import { restoreSettings } from '../../../src/device/settings/restore-settings.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { isAlive } from '../../../src/runtime/processes/processes.ts'
import { settingBench } from '../../support/device/setting-bench.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-restore-')
const APP = 'com.android.settings'

const everything = async (bench: ReturnType<typeof settingBench>) => {
  for (const [setting, value, more] of [
    ['orientation', 'landscape_right', {}],
    ['dark_mode', true, {}],
    ['animations', false, {}],
    ['wifi', false, {}],
    ['mobile_data', false, {}],
    ['stay_awake', true, {}],
    ['font_scale', 2, {}],
    ['brightness', 0, {}],
    ['locale', 'fr-FR', { applicationId: APP }],
    ['location', { latitude: 1, longitude: 2 }, {}],
    ['battery', { level: 1, plugged: 'none' }, {}],
    ['airplane_mode', true, {}],
  ] as const) {
    expect((await bench.set(setting, value, more)).error).toBeNull()
  }
}

const stateOf = ({ phone }: ReturnType<typeof settingBench>) => ({
  settings: new Map(phone.settings),
  system: structuredClone(phone.system),
  size: phone.screenSize(),
})

test('everything is as it was before, and what was absent is absent again', async () => {
  const bench = settingBench()
  const before = stateOf(bench)
  await everything(bench)
  expect((await bench.restore()).data).toEqual({ restored: '12', left: '[]' })
  const { settings, ...rest } = stateOf(bench)
  // The phone writes its night mode down when it is set for the first time.
  expect(settings.get('secure/ui_night_mode')).toBe('1')
  settings.delete('secure/ui_night_mode')
  expect({ settings, ...rest }).toEqual(before)
  expect((await bench.restore()).data).toEqual({ restored: '0', left: '[]' })
})

test('several changes of one setting lead back to the first value', async () => {
  const bench = settingBench()
  for (const value of [1.1, 1.5, 2]) await bench.set('font_scale', value)
  expect((await bench.restore()).data).toEqual({ restored: '1', left: '[]' })
  expect(bench.phone.settings.has('system/font_scale')).toBe(false)
})

test('what somebody else has changed since is left and named, and is nothing of svc any more', async () => {
  const bench = settingBench()
  await bench.set('font_scale', 1.3)
  await bench.set('brightness', 200)
  await bench.set('locale', 'fr-FR', { applicationId: APP })
  bench.phone.settings.set('system/font_scale', '0.9')
  bench.phone.system.appLocales.set(APP, 'de-DE')
  expect((await bench.restore()).data).toEqual({ restored: '1', left: `["locale of ${APP}","font_scale"]` })
  expect(bench.phone.settings.get('system/font_scale')).toBe('0.9')
  expect(bench.open()).toEqual([])
})

test('a change between two of svc: back to what the other set, and no further', async () => {
  const bench = settingBench()
  await bench.set('brightness', 10)
  bench.phone.settings.set('system/screen_brightness', '55')
  await bench.set('brightness', 20)
  expect((await bench.restore()).data).toEqual({ restored: '1', left: '["brightness"]' })
  expect(bench.phone.settings.get('system/screen_brightness')).toBe('55')
})

test('an application that was removed meanwhile has nothing to put back', async () => {
  const bench = settingBench()
  await bench.set('locale', 'fr-FR', { applicationId: APP })
  const gone = settingBench({
    ...bench,
    answer: command => (command.startsWith('pm path') ? { exitCode: 1 } : undefined),
  })
  expect((await gone.restore()).data).toEqual({ restored: '0', left: `["locale of ${APP}"]` })
})

test('one that the device refuses stays open; the others are put back, and the next time it is tried again', async () => {
  let isRefused = false
  const bench = settingBench({
    answer: command =>
      isRefused && command.startsWith('svc wifi') ? { stderr: 'Error: no\n', exitCode: 1 } : undefined,
  })
  await bench.set('font_scale', 2)
  await bench.set('wifi', false)
  await bench.set('brightness', 1)
  isRefused = true
  const { data, error } = await bench.restore()
  expect(error).toMatchObject({ code: 'SETTING_REFUSED', message: expect.stringContaining('1 of 3 changes') })
  expect(data).toMatchObject({ reason: 'refused', restored: '2', left: '[]' })
  isRefused = false
  expect((await bench.restore()).data).toEqual({ restored: '1', left: '[]' })
})

describe('permissions', () => {
  const camera = {
    kind: 'permission',
    applicationId: APP,
    permission: 'android.permission.CAMERA',
    previous: 'unset',
    value: 'allow',
  } as const

  const restoreFrom = async (held: string | StepFailure) => {
    const bench = settingBench()
    await bench.changes.remember(camera, { device: 'device:SIM', executionId: 'e1', step: 's1' })
    let state = held
    const options = { link: bench.link, clock: bench.clock, deadline: bench.clock.now() + 60_000 }
    const place = { device: 'device:SIM', executionId: 'e2', step: 's1' }
    const { openChanges } = stepChanges(bench.changes, place, () => {})
    const restored = restoreSettings(
      { ...options, signal: new AbortController().signal, openChanges },
      {
        async read() {
          if (typeof state !== 'string') throw state
          return state
        },
        async putBack(_, previous) {
          state = String(previous)
        },
      },
    )
    return { ...(await restored), state, open: bench.open().length }
  }

  test('are put back the same way', async () => {
    expect(await restoreFrom('allow')).toEqual({ restored: '1', left: '[]', state: 'unset', open: 0 })
    const left = `["android.permission.CAMERA of ${APP}"]`
    expect(await restoreFrom('deny')).toEqual({ restored: '0', left, state: 'deny', open: 0 })
  })

  test('of an application that is gone, or asks for it no more, are left', async () => {
    const gone = new StepFailure('APP_NOT_FOUND', 'gone')
    expect(await restoreFrom(gone)).toMatchObject({ restored: '0', open: 0 })
    await expect(restoreFrom(new StepFailure('ACTION_FAILED', 'the device refused'))).rejects.toMatchObject({
      code: 'SETTING_REFUSED',
    })
  })
})

const BROKEN = new Error('the process is killed here')

test.each([
  ['before the command', (command: string) => command.startsWith('settings put'), '0'],
  ['after the command', (command: string) => /^settings get .*font_scale/.test(command), '1'],
])('a process that ended %s, and another one that restores', async (_, isWhere, restored) => {
  const path = join(folder(), 'journal.db')
  const open = () => openJournal({ path, alive: isAlive, clock: systemClock() })
  const first = open()
  let isArmed = false
  const bench = settingBench({
    journal: first,
    answer(command) {
      // The first look at the setting is before it is remembered.
      if (isArmed && isWhere(command)) throw BROKEN
      if (command.includes('font_scale')) isArmed = true
      return undefined
    },
  })
  await expect(bench.set('font_scale', 1.3)).rejects.toBe(BROKEN)
  first.close()

  const second = open()
  const after = settingBench({ phone: bench.phone, clock: bench.clock, journal: second })
  expect((await after.restore()).data).toEqual({ restored, left: '[]' })
  expect(after.phone.settings.has('system/font_scale')).toBe(false)
  expect((await after.restore()).data).toEqual({ restored: '0', left: '[]' })
  second.close()
})

const CHANGES = [
  ['orientation', 'landscape_right', {}],
  ['animations', false, {}],
  ['brightness', 0, {}],
  ['location', { latitude: 1, longitude: 2 }, {}],
  ['battery', { level: 1, plugged: 'ac' }, {}],
  ['battery', { level: 1, plugged: 'none' }, {}],
  ['airplane_mode', true, {}],
  ['locale', 'fr-FR', { applicationId: APP }],
] as const

/** Runs until the command of this number, which the phone carries out, and whose answer nobody hears. */
const endingAt = (count: number, bench: ReturnType<typeof settingBench>) => {
  let seen = 0
  const { link } = bench
  const { shell } = link
  Object.assign(link, {
    shell: async (...given: Parameters<typeof shell>) => {
      const answer = await shell(...given)
      seen += 1
      if (seen === count) throw BROKEN
      return answer
    },
  })
  return () => Object.assign(link, { shell })
}

const isBroken = async (work: Promise<unknown>) =>
  work.then(
    () => false,
    error => {
      if (error !== BROKEN) throw error
      return true
    },
  )

test.each(CHANGES)(
  'wherever a process ends that sets %s to %j, the change is put back',
  async (setting, value, more) => {
    for (let count = 1; ; count++) {
      const bench = settingBench()
      const before = stateOf(bench)
      const mend = endingAt(count, bench)
      const broke = await isBroken(bench.set(setting, value, more))
      mend()
      expect({ count, left: (await bench.restore()).data.left }).toEqual({ count, left: '[]' })
      expect({ count, ...stateOf(bench) }).toEqual({ count, ...before })
      if (!broke) return
    }
  },
)

test.each(CHANGES)(
  'wherever a process ends that puts %s back from %j, the next one goes on',
  async (setting, value, more) => {
    for (let count = 1; ; count++) {
      const bench = settingBench()
      const before = stateOf(bench)
      await bench.set(setting, value, more)
      const mend = endingAt(count, bench)
      const broke = await isBroken(bench.restore())
      mend()
      expect({ count, left: (await bench.restore()).data.left }).toEqual({ count, left: '[]' })
      expect({ count, ...stateOf(bench) }).toEqual({ count, ...before })
      if (!broke) return
    }
  },
)

test('a restoring that ended in its middle goes on where it stopped', async () => {
  const bench = settingBench()
  await bench.set('font_scale', 2)
  await bench.set('brightness', 1)
  await bench.set('stay_awake', true)
  const broken = settingBench({
    ...bench,
    answer(command) {
      if (command.startsWith('settings put') && command.includes('brightness')) throw BROKEN
      return undefined
    },
  })
  await expect(broken.restore()).rejects.toBe(BROKEN)
  expect(bench.phone.settings.get('global/stay_on_while_plugged_in')).toBe('0')
  expect((await bench.restore()).data).toEqual({ restored: '2', left: '[]' })
})

test('only the settings that are named are put back, and the others stay open', async () => {
  const bench = settingBench()
  await bench.set('animations', false)
  await bench.set('font_scale', 2)
  expect((await bench.restore({ settings: ['animations'] })).data).toEqual({ restored: '1', left: '[]' })
  expect((await bench.restore({ settings: ['animations'] })).data).toEqual({ restored: '0', left: '[]' })
  expect(bench.open().map(({ target }) => target)).toEqual([expect.objectContaining({ setting: 'font_scale' })])
  expect((await bench.restore()).data).toEqual({ restored: '1', left: '[]' })
})

/** set_permission on simulated phones of several versions of Android, and in the words with which devices refuse. */
import { describe, expect, test } from 'vitest'
import type { PermissionState } from '../../../src/contracts/device/permissions.ts'
import { permissionsToRestore } from '../../../src/device/apps/set-permission.ts'
import { StepFailure } from '../../../src/device/screen/step-failure.ts'
import type { DeviceChange } from '../../../src/device/settings/changes/ledger.ts'
import { runHostStep } from '../../../src/device/steps/run-host-step.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { type PhoneLink, phoneLink } from '../../support/adb/phone-link.ts'
import { scriptedLink } from '../../support/device/scripted-link.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { phoneOf } from '../../support/simulator/simulated-phone.ts'
import { appOf, scenarioOf, type WrittenApp } from '../../support/simulator/simulated-ui.ts'

const NAME = 'com.example'
const full = (name: string) => `android.permission.${name}`

const optionsOf = (link: PhoneLink, mayAct?: () => void) => {
  const clock = manualClock()
  const remembered: DeviceChange[] = []
  const commandsBefore: number[] = []
  const signal = new AbortController().signal
  const remember = async (change: DeviceChange) => {
    remembered.push(change)
    commandsBefore.push(
      link.commands.filter(command => /^pm (?:grant|revoke|set|clear)|appops set/.test(command)).length,
    )
  }
  const options = { link, clock, deadline: clock.now() + 30_000, signal, screenshotPath: () => '', mayAct, remember }
  return { options, remembered, commandsBefore }
}

const phoneWith = (permissions: NonNullable<WrittenApp['permissions']>, sdk = 35) => {
  const device = { properties: { 'ro.build.version.sdk': String(sdk) } }
  const scenario = scenarioOf({ ...appOf({ main: { nodes: [{ text: 'a' }] } }, { permissions }), device })
  const phone = phoneOf({ scenario })
  const link = phoneLink(phone, systemClock())
  const made = optionsOf(link)
  const set = async (permission: string, state: PermissionState) => {
    const params = { applicationId: NAME, permission, state }
    const outcome = await runHostStep({ id: 'a', type: 'set_permission', params }, made.options)
    return { ...outcome, data: outcome.stepResults[0]?.data }
  }
  const states = () => Object.fromEntries(phone.permissions?.held(NAME).map(one => [one.permission, one.granted]) ?? [])
  return { ...made, phone, link, set, states }
}

const changes = ({ commands }: PhoneLink) =>
  commands.filter(command => /^pm (?:grant|revoke|set|clear)|appops set/.test(command))

describe('one permission', () => {
  test.each([27, 29, 30, 33, 35])('is allowed, denied and unset at API level %i', async sdk => {
    const { set, states } = phoneWith([full('CAMERA')], sdk)
    expect((await set('camera', 'allow')).data).toEqual({ permission: 'camera', previous: 'unset' })
    expect(states()).toEqual({ [full('CAMERA')]: true })
    expect((await set(full('CAMERA'), 'deny')).data).toEqual({ permission: full('CAMERA'), previous: 'allow' })
    expect(states()).toEqual({ [full('CAMERA')]: false })
    expect((await set('camera', 'unset')).data).toMatchObject({ previous: sdk >= 33 ? 'deny' : 'unset' })
  })

  test('that is so already needs no command, and nothing is remembered', async () => {
    const { set, link, remembered } = phoneWith([{ name: full('CAMERA'), state: 'allow' }])
    expect((await set('camera', 'allow')).data).toMatchObject({ previous: 'allow' })
    expect([changes(link), remembered]).toEqual([[], []])
  })

  test('denied is final where Android can say so: an app that asks gets no dialog', async () => {
    const { set, phone, link } = phoneWith([full('CAMERA')])
    await set('camera', 'deny')
    expect(phone.permissions?.requests(NAME, [full('CAMERA')])).toEqual([])
    await set('camera', 'unset')
    expect(phone.permissions?.requests(NAME, [full('CAMERA')])).toHaveLength(1)
    expect(changes(link)).toEqual([
      `pm set-permission-flags --user 0 ${NAME} ${full('CAMERA')} user-set user-fixed`,
      `pm clear-permission-flags --user 0 ${NAME} ${full('CAMERA')} user-set user-fixed`,
    ])
  })

  test('is remembered with what was there, before the command is sent', async () => {
    const { set, remembered, commandsBefore } = phoneWith([full('CAMERA')])
    await set('camera', 'allow')
    const change = { kind: 'permission', applicationId: NAME, permission: full('CAMERA'), user: '0' }
    expect(remembered).toEqual([{ ...change, previous: 'unset', value: 'allow' }])
    expect(commandsBefore).toEqual([0])
  })

  test('is not changed where it could not be remembered', async () => {
    const { link, options, states } = phoneWith([full('CAMERA')])
    const remember = async () => {
      throw new StepFailure('JOURNAL_UNAVAILABLE', 'the disk is full')
    }
    const params = { applicationId: NAME, permission: 'camera', state: 'allow' } as const
    const { error } = await runHostStep({ id: 'a', type: 'set_permission', params }, { ...options, remember })
    expect(error).toMatchObject({ code: 'JOURNAL_UNAVAILABLE' })
    expect([changes(link), states()]).toEqual([[], { [full('CAMERA')]: false }])
  })

  test('is not changed by a host that lost the phone', async () => {
    const { link, options } = phoneWith([full('CAMERA')])
    const mayAct = () => {
      throw new StepFailure('FLEET_HOST_GONE', 'another host owns it')
    }
    const params = { applicationId: NAME, permission: 'camera', state: 'allow' } as const
    const { error } = await runHostStep({ id: 'a', type: 'set_permission', params }, { ...options, mayAct })
    expect(error).toMatchObject({ code: 'FLEET_HOST_GONE' })
    expect(changes(link)).toEqual([])
  })

  test.each([
    ['MANAGE_EXTERNAL_STORAGE', 'MANAGE_EXTERNAL_STORAGE'],
    ['PACKAGE_USAGE_STATS', 'GET_USAGE_STATS'],
  ])('%s is an app operation', async (permission, op) => {
    const { set, link, phone } = phoneWith([full(permission)])
    expect((await set(full(permission), 'allow')).data).toMatchObject({ previous: 'unset' })
    expect(phone.permissions?.mode(NAME, op)).toBe('allow')
    expect((await set(full(permission), 'deny')).data).toMatchObject({ previous: 'allow' })
    expect((await set(full(permission), 'unset')).data).toMatchObject({ previous: 'deny' })
    expect(changes(link)).toEqual(
      ['allow', 'deny', 'default'].map(mode => `cmd appops set --user 0 ${NAME} ${op} ${mode}`),
    )
  })
})

describe('an app operation in the words of a device', () => {
  const OP = 'MANAGE_EXTERNAL_STORAGE'
  const DUMP = `Packages:\n  Package [${NAME}] (a):\n    requested permissions:\n      ${full(OP)}\n    User 0: installed=true\n`

  const deviceWith = (said: readonly string[]) => {
    const left = [...said]
    return scriptedLink(command => {
      if (command.startsWith('dumpsys package')) return DUMP
      if (command.startsWith('getprop')) return '34\n'
      if (command.startsWith('cmd appops get')) return (left.length > 1 ? left.shift() : left[0]) ?? ''
      return command === 'am get-current-user' ? '10\n' : ''
    })
  }
  const setOn = async (link: ReturnType<typeof deviceWith>) => {
    const params = { applicationId: NAME, permission: full(OP), state: 'allow' } as const
    const { error, stepResults } = await runHostStep(
      { id: 'a', type: 'set_permission', params },
      optionsOf(link).options,
    )
    return { code: error?.code, previous: stepResults[0]?.data.previous }
  }
  const set = (...scope: string[]) => ['cmd appops set --user 10', ...scope, NAME, OP, 'allow'].join(' ')

  test.each([
    ['No operations.\nDefault mode: default\n', 'unset', [set()]],
    [`${OP}: ignore; rejectTime=+2s ago\n`, 'deny', [set()]],
    [`Uid mode: ${OP}: deny\n${OP}: allow; time=+1d2h ago\n`, 'deny', [set('--uid'), set()]],
    [`Uid mode: ${OP}: default\n${OP}: deny\n`, 'deny', [set('--uid'), set()]],
  ])('%j', async (before, previous, commands) => {
    const link = deviceWith([before, `Uid mode: ${OP}: allow\n`])
    expect(await setOn(link)).toEqual({ code: undefined, previous })
    expect(changes(link)).toEqual(commands)
  })

  test('that is as before is no success', async () => {
    expect(await setOn(deviceWith([`${OP}: deny\n`]))).toMatchObject({ code: 'PERMISSION_REFUSED' })
  })

  test('that this Android does not know is refused', async () => {
    const link = deviceWith([`Error: Unknown operation string: ${OP}\n`])
    expect(await setOn(link)).toMatchObject({ code: 'PERMISSION_REFUSED' })
    expect(changes(link)).toEqual([])
  })
})

describe('short names', () => {
  const MEDIA = ['READ_MEDIA_IMAGES', 'READ_MEDIA_VIDEO', 'READ_MEDIA_AUDIO'].map(full)
  const STORAGE = ['READ_EXTERNAL_STORAGE', 'WRITE_EXTERNAL_STORAGE'].map(full)
  const LOCATION = ['ACCESS_FINE_LOCATION', 'ACCESS_COARSE_LOCATION', 'ACCESS_BACKGROUND_LOCATION'].map(full)

  test.each([
    [32, 'media', STORAGE.slice(0, 1)],
    [33, 'media', MEDIA],
    [32, 'storage', STORAGE],
    [27, 'phone', [full('CALL_PHONE'), full('READ_CALL_LOG')]],
    [28, 'phone', [full('CALL_PHONE')]],
    [33, 'notifications', [full('POST_NOTIFICATIONS')]],
    [31, 'bluetooth', [full('BLUETOOTH_SCAN')]],
  ])('at API level %i %s is %j', async (sdk, name, expected) => {
    const others = ['CALL_PHONE', 'READ_CALL_LOG', 'POST_NOTIFICATIONS', 'BLUETOOTH_SCAN'].map(full)
    const { set, link } = phoneWith([...MEDIA, ...STORAGE, ...others], sdk)
    expect((await set(name, 'allow')).error).toBeNull()
    expect(changes(link)).toEqual(expected.map(permission => `pm grant --user 0 ${NAME} ${permission}`))
  })

  test('the location in the background is allowed last and denied first', async () => {
    const { set, link } = phoneWith(LOCATION, 30)
    await set('location', 'allow')
    await set('location', 'deny')
    const [fine, coarse, background] = LOCATION
    const names = changes(link).map(command => command.split(' ').at(-1))
    expect(names).toEqual([coarse, fine, background, background, fine, coarse])
  })

  test('several that differed were mixed, and each is remembered as it was', async () => {
    const { set, remembered } = phoneWith([
      { name: full('READ_CONTACTS'), state: 'allow' },
      { name: full('WRITE_CONTACTS'), state: 'deny' },
    ])
    expect((await set('contacts', 'unset')).data).toEqual({ permission: 'contacts', previous: 'mixed' })
    expect(remembered.map(({ previous }) => previous).sort()).toEqual(['allow', 'deny'])
  })

  test('all leaves out what is fixed, and what only the settings switch', async () => {
    const { set, states, phone } = phoneWith([
      full('CAMERA'),
      { name: full('RECORD_AUDIO'), fixed: 'policy' },
      full('SYSTEM_ALERT_WINDOW'),
      full('INTERNET'),
      'com.example.permission.OWN',
    ])
    expect((await set('all', 'allow')).error).toBeNull()
    expect(states()).toEqual({
      [full('CAMERA')]: true,
      [full('RECORD_AUDIO')]: false,
      'com.example.permission.OWN': true,
    })
    expect(phone.permissions?.mode(NAME, 'SYSTEM_ALERT_WINDOW')).toBeUndefined()
  })

  test('all of an application that asks for nothing is nothing', async () => {
    const { set, link } = phoneWith([])
    expect((await set('all', 'deny')).error).toBeNull()
    expect(changes(link)).toEqual([])
  })
})

describe('refusals', () => {
  test.each([
    ['camera', 35, 'not_requested', /asks for no permission of the group camera \(CAMERA\)/],
    ['storage', 33, 'not_requested', /group storage/],
    [full('CAMERA'), 35, 'not_requested', /does not ask for android.permission.CAMERA/],
    ['notifications', 32, 'not_in_this_android', /at API level 32 Android asks nobody about notifications/],
    ['bluetooth', 30, 'not_in_this_android', /bluetooth/],
    ['microphone', 35, 'fixed', /held by the system or a device policy/],
    [full('INTERNET'), 35, 'not_changeable', /not a changeable permission type/],
  ])('%s at API level %i: %s', async (permission, sdk, reason, message) => {
    const { set, link } = phoneWith([full('INTERNET'), { name: full('RECORD_AUDIO'), fixed: 'policy' }], sdk)
    const { error, data } = await set(permission, 'allow')
    expect(error).toMatchObject({ code: 'PERMISSION_REFUSED', message: expect.stringMatching(message) })
    expect(error?.hint).toEqual(expect.any(String))
    expect(data).toMatchObject({ reason })
    if (reason !== 'not_changeable') expect(changes(link)).toEqual([])
  })

  test.each(['camera', full('CAMERA'), 'storage', 'all'])('%s is passed over with ifRequested', async permission => {
    const { link, options } = phoneWith([full('INTERNET')])
    const params = { applicationId: NAME, permission, state: 'allow', ifRequested: true } as const
    expect((await runHostStep({ id: 'a', type: 'set_permission', params }, options)).error).toBeNull()
    expect(changes(link)).toEqual([])
  })

  test('ifRequested passes over nothing else', async () => {
    const { options } = phoneWith([{ name: full('RECORD_AUDIO'), fixed: 'policy' }])
    const params = { applicationId: NAME, permission: 'microphone', state: 'allow', ifRequested: true } as const
    const { error } = await runHostStep({ id: 'a', type: 'set_permission', params }, options)
    expect(error?.code).toBe('PERMISSION_REFUSED')
  })

  test.each(["x'; reboot #", '--all', '$(reboot)', 'com.absent'])('%s is no application', async applicationId => {
    const { link, options } = phoneWith([full('CAMERA')])
    const params = { applicationId, permission: 'camera', state: 'allow' } as const
    expect((await runHostStep({ id: 'a', type: 'set_permission', params }, options)).error?.code).toBe('APP_NOT_FOUND')
    expect(changes(link)).toEqual([])
  })

  const DUMP = [
    'Packages:',
    `  Package [${NAME}] (abc):`,
    '    requested permissions:',
    `      ${full('CAMERA')}`,
    '    User 0: installed=true enabled=0',
    '      runtime permissions:',
    `        ${full('CAMERA')}: granted=false, flags=[ USER_SET|APPLY_RESTRICTION]`,
  ].join('\n')

  const scripted = (answer: { exitCode?: number; stdout?: string; stderr?: string }, sdk = 30) => {
    const link = scriptedLink(command => {
      if (command.startsWith('dumpsys package')) return DUMP
      if (command.startsWith('getprop')) return `${sdk}\n`
      return command === 'am get-current-user' ? '0\n' : answer
    })
    const set = (state: PermissionState) => {
      const params = { applicationId: NAME, permission: 'camera', state }
      return runHostStep({ id: 'a', type: 'set_permission', params }, optionsOf(link).options)
    }
    return { link, set }
  }
  const SWITCH = 'Neither user 2000 nor current process has android.permission.GRANT_RUNTIME_PERMISSIONS.'

  test.each([
    [
      'Xiaomi',
      {
        exitCode: 255,
        stderr: `\nException occurred while executing 'grant':\njava.lang.SecurityException: ${SWITCH}\n\tat android.os.Parcel.x(Parcel.java)\n`,
      },
      'vendor_switch',
    ],
    [
      'Android 8',
      { exitCode: 1, stderr: `Operation not allowed: java.lang.SecurityException: ${SWITCH}\n` },
      'vendor_switch',
    ],
    ['exit code 0', { stdout: `Operation not allowed: java.lang.SecurityException: ${SWITCH}\n` }, 'vendor_switch'],
    [
      'Android 10',
      {
        exitCode: 255,
        stderr: `Security exception: Package ${NAME} has not requested permission x\n\njava.lang.SecurityException: y\n`,
      },
      'not_requested',
    ],
    [
      'a system',
      {
        exitCode: 255,
        stderr: `java.lang.SecurityException: Cannot grant system fixed permission x for package ${NAME}\n`,
      },
      'fixed',
    ],
    ['Android 14', { exitCode: 255, stderr: 'java.lang.IllegalArgumentException: Unknown permission: x\n' }, 'unknown'],
    ['another', { exitCode: 1, stderr: 'Failure calling service package: Broken pipe (32)\n' }, 'refused'],
    ['one that says nothing', {}, 'fixed'],
  ])('%s: %j', async (_, answer, reason) => {
    const { error, stepResults } = await scripted(answer).set('allow')
    expect(error).toMatchObject({ code: 'PERMISSION_REFUSED' })
    expect(stepResults[0]?.data).toMatchObject({ reason })
    expect(error?.message).not.toMatch(/\n|\tat /)
  })

  test('an answer of a person that this Android cannot forget is left as it is', async () => {
    const { set, link } = scripted({ exitCode: 255, stderr: 'Unknown command: clear-permission-flags\n' })
    const { error, stepResults } = await set('unset')
    expect(stepResults[0]?.data).toMatchObject({ reason: 'not_in_this_android' })
    expect(error?.hint).toContain('clear_app')
    expect(link.commands.some(command => command.startsWith('pm revoke'))).toBe(false)
  })
})

describe('the way back', () => {
  test.each([27, 35])('each change is put back at API level %i', async sdk => {
    const { set, remembered, options, phone } = phoneWith([{ name: full('CAMERA'), state: 'allow' }], sdk)
    await set('camera', 'deny')
    const [change] = remembered
    if (change?.kind !== 'permission') throw new Error('nothing was remembered')
    const { read, putBack } = permissionsToRestore(options)
    expect(await read(change)).toBe(change.value)
    await putBack(change, change.previous)
    expect(await read(change)).toBe('allow')
    expect(phone.permissions?.state(NAME, full('CAMERA'))).toBe('allow')
    expect(remembered).toHaveLength(1)
  })

  test('is not there for what the application asks for no more, or for a state of a later version', async () => {
    const { options } = phoneWith([full('CAMERA')])
    const { read, putBack } = permissionsToRestore(options)
    const gone = { applicationId: NAME, permission: full('READ_SMS') }
    await expect(read(gone)).rejects.toMatchObject({ data: { reason: 'not_requested' } })
    await expect(read({ ...gone, applicationId: 'com.absent' })).rejects.toMatchObject({ code: 'APP_NOT_FOUND' })
    const camera = { applicationId: NAME, permission: full('CAMERA') }
    await expect(putBack(camera, { state: 'ask' })).rejects.toMatchObject({ code: 'PERMISSION_REFUSED' })
  })
})

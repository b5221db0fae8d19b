/** `pm grant` and its kin, `appops` and `am start`, in the words of several versions of Android. */
import { describe, expect, test } from 'vitest'
import { complaintOf } from '../../../../src/device/operators/shell/device-shell.ts'
import { runIn, shellOf } from '../../../support/device/shell-run.ts'
import { phoneOf } from '../../../support/simulator/simulated-phone.ts'
import { appOf, scenarioOf } from '../../../support/simulator/simulated-ui.ts'

const NAME = 'com.example'
const CAMERA = 'android.permission.CAMERA'

const shellWith = (sdk = 35) => {
  const device = { properties: { 'ro.build.version.sdk': String(sdk) } }
  const permissions = [
    CAMERA,
    'android.permission.INTERNET',
    { name: 'android.permission.RECORD_AUDIO', fixed: 'system' as const },
  ]
  const phone = phoneOf({
    scenario: scenarioOf({ ...appOf({ main: { nodes: [{ text: 'a' }] } }, { permissions }), device }),
  })
  const shell = shellOf(phone)
  const run = (line: string) => runIn(shell, line)
  const dumped = async () =>
    (await run(`dumpsys package ${NAME}`)).out.split('\n').filter(line => line.includes('granted='))
  return { phone, run, dumped }
}

test('a permission that is granted and revoked, in the dump', async () => {
  const { run, dumped } = shellWith()
  const flags = 'flags=[ USER_SENSITIVE_WHEN_GRANTED|USER_SENSITIVE_WHEN_DENIED]'
  expect(await dumped()).toContain(`        ${CAMERA}: granted=false, ${flags}`)
  expect(await run(`pm grant --user 0 ${NAME} ${CAMERA}`)).toMatchObject({ code: 0, out: '', err: '' })
  expect(await dumped()).toContain(`        ${CAMERA}: granted=true, ${flags}`)
  expect(await dumped()).toContain('      android.permission.INTERNET: granted=true')
  await run(`pm revoke ${NAME} ${CAMERA}`)
  expect(await dumped()).toContain(`        ${CAMERA}: granted=false, ${flags}`)
})

test('an app that loses a permission is ended', async () => {
  const { run, phone } = shellWith()
  await run(`pm grant ${NAME} ${CAMERA}`)
  expect(phone.foreground().packageName).toBe(NAME)
  await run(`pm revoke ${NAME} ${CAMERA}`)
  expect(phone.foreground().packageName).not.toBe(NAME)
})

test('flags of a person, and forgetting them', async () => {
  const { run, phone } = shellWith()
  await run(`pm set-permission-flags ${NAME} ${CAMERA} user-set user-fixed`)
  expect(phone.permissions?.state(NAME, CAMERA)).toBe('deny')
  await run(`pm clear-permission-flags ${NAME} ${CAMERA} user-set user-fixed`)
  expect(phone.permissions?.state(NAME, CAMERA)).toBe('unset')
  await run(`pm grant ${NAME} ${CAMERA}`)
  await run(`pm reset-permissions -p ${NAME}`)
  expect(phone.permissions?.state(NAME, CAMERA)).toBe('unset')
  const old = await shellWith(32).run(`pm clear-permission-flags ${NAME} ${CAMERA} user-set`)
  expect(old).toMatchObject({ code: 255, err: 'Unknown command: clear-permission-flags\n' })
})

describe('refusals', () => {
  test.each([
    ['com.absent', CAMERA, 'Unknown package: com.absent'],
    [NAME, 'android.permission.READ_SMS', `Package ${NAME} has not requested permission android.permission.READ_SMS`],
    [NAME, 'android.permission.NONE', 'Unknown permission: android.permission.NONE'],
    [NAME, 'android.permission.INTERNET', 'is not a changeable permission type'],
    [NAME, 'android.permission.RECORD_AUDIO', 'Cannot grant system fixed permission'],
  ])('pm grant %s %s', async (name, permission, message) => {
    const { run } = shellWith()
    const { code, out, err } = await run(`pm grant ${name} ${permission}`)
    expect([code, out]).toEqual([255, ''])
    expect(err).toMatch(/^\nException occurred while executing 'grant':\njava\.lang\.\w+Exception: /)
    expect(err).toContain(message)
  })

  test.each([
    [27, /^Operation not allowed: java\.lang\.SecurityException: Package/],
    [29, /^Security exception: Package .*\n\njava\.lang\.SecurityException: Package .*\n\tat /],
    [30, /^\nException occurred while executing 'grant':\njava\.lang\.SecurityException: Package .*\n\tat /],
  ])('at API level %i', async (sdk, expected) => {
    const { code, err, out } = await shellWith(sdk).run(`pm grant ${NAME} android.permission.READ_SMS`)
    expect(code).toBe(255)
    expect(err).toMatch(expected)
    expect(complaintOf({ exitCode: code, stdout: out, stderr: err })).toContain('has not requested permission')
  })
})

describe('appops', () => {
  const OP = 'MANAGE_EXTERNAL_STORAGE'

  test.each(['appops', 'cmd appops'])('%s sets and gets a mode', async tool => {
    const { run } = shellWith()
    expect((await run(`${tool} get --user 0 ${NAME} ${OP}`)).out).toBe('No operations.\nDefault mode: default\n')
    expect(await run(`${tool} set --user 0 ${NAME} ${OP} allow`)).toMatchObject({ code: 0, out: '', err: '' })
    expect((await run(`${tool} get ${NAME} ${OP}`)).out).toMatch(/^MANAGE_EXTERNAL_STORAGE: allow; time=/)
    await run(`${tool} set ${NAME} ${OP} default`)
    expect((await run(`${tool} get ${NAME} ${OP}`)).out).toMatch(/^No operations\./)
  })

  test.each([
    [`set ${NAME} nonsense allow`, 'Error: Unknown operation string: nonsense'],
    [`get com.absent ${OP}`, 'Error: No UID for com.absent in user 0'],
    [`set ${NAME} ${OP} perhaps`, 'Error: Mode perhaps is not valid'],
  ])('%s', async (words, expected) => {
    const { code, err } = await shellWith().run(`appops ${words}`)
    expect([code, err]).toEqual([255, `${expected}\n`])
  })
})

test.each([
  [30, 0],
  [31, 1],
])('at API level %i a start that fails exits with %i', async (sdk, expected) => {
  const { code, err } = await shellWith(sdk).run(`am start -n ${NAME}/.Absent`)
  expect(code).toBe(expected)
  expect(err).toContain('Error type 3\nError: Activity class {com.example/com.example.Absent} does not exist.')
})

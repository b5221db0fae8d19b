/** `svc operator` as a person calls it, before simulated phones. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Fault } from '../../../../src/simulator/scenario/fault.ts'
import { runCliHere } from '../../../support/cli/cli-here.ts'
import { keyboardApk, snapshotApk } from '../../../support/device/helper-apks.ts'
import { type Lab, type LabOptions, startLab } from '../../../support/executions/lab.ts'
import { DEVICE_CONFLICT } from '../../../support/failure-codes.ts'
import { until } from '../../../support/until.ts'

const [SNAPSHOT, KEYBOARD] = ['com.callstack.agentdevice.snapshothelper', 'com.callstack.agentdevice.imehelper']
const labs: Lab[] = []
afterAll(async () => {
  for (const lab of labs) await lab.close()
})

const setup = async (options: LabOptions = {}) => {
  const lab = await startLab({ operator: 'none', ...options })
  labs.push(lab)
  const [device] = lab.fleet.devices
  const cwd = mkdtempSync(join(lab.home, 'cwd-'))
  const env = { HOME: lab.home, SVC_TCP_DEVICES: device?.serial ?? '' }
  const svc = async (...args: string[]) => {
    const ended = await runCliHere(['operator', ...args], { env, cwd })
    return { ...ended, output: ended.json() }
  }
  return { lab, cwd, svc, phone: device?.phone, serial: device?.serial }
}

const packagesIn = (output: Record<string, unknown>, key: string) =>
  Object.fromEntries((output.packages as Record<string, string>[]).map(one => [one.packageName, one[key]]))

test.concurrent('install, look, use, remove; and each of them twice', async () => {
  const { lab, svc, phone, serial } = await setup()
  expect((await svc('status')).output).toMatchObject({ ok: true, deviceId: serial, ready: false, running: false })
  const first = await svc('install')
  expect(first.code).toBe(0)
  expect(packagesIn(first.output, 'status')).toEqual({ [SNAPSHOT]: 'installed', [KEYBOARD]: 'installed' })
  const doctor = async (more: Record<string, string> = {}) =>
    (await runCliHere(['doctor'], { env: { HOME: lab.home, SVC_TCP_DEVICES: serial ?? '', ...more } })).json<{
      devices: object[]
    }>().devices
  const inUse = { operator: true, operatorPackage: 'svc.uiautomator' }
  expect(await doctor()).toMatchObject([inUse])
  expect(await doctor({ SVC_OPERATOR_PACKAGE: 'svc.uiautomator' })).toMatchObject([inUse])
  expect(JSON.stringify(first.output.notes)).toMatch(
    /any app on the phone.*accessibility services.*simulated phones only/,
  )
  expect(first.stderr).toMatch(/SHA-256 e77b65f5[0-9a-f]+\n/)
  const again = await svc('install')
  expect(packagesIn(again.output, 'status')).toEqual({
    [SNAPSHOT]: 'already_installed',
    [KEYBOARD]: 'already_installed',
  })
  const status = await svc('status')
  expect(status.output).toMatchObject({ ready: true })
  expect(packagesIn(status.output, 'is')).toEqual({ [SNAPSHOT]: 'ours', [KEYBOARD]: 'ours' })
  const open = [{ id: 'open', type: 'open_app', params: { applicationId: 'com.android.settings' } }]
  const used = await lab.execute(open, { operatorPackage: 'svc.uiautomator' })
  expect(used.result.ok).toBe(true)
  expect((await svc('status')).output).toMatchObject({ running: true })
  expect(packagesIn((await svc('uninstall')).output, 'status')).toEqual({
    [SNAPSHOT]: 'uninstalled',
    [KEYBOARD]: 'uninstalled',
  })
  expect(phone?.helpers?.snapshot.pid()).toBeUndefined()
  const gone = await svc('uninstall')
  expect(gone.code).toBe(0)
  expect(packagesIn(gone.output, 'status')).toEqual({ [SNAPSHOT]: 'not_installed', [KEYBOARD]: 'not_installed' })
})

test.concurrent('without the keyboard there is one package', async () => {
  const { svc, phone } = await setup()
  const { output } = await svc('install', '--no-keyboard')
  expect(packagesIn(output, 'status')).toEqual({ [SNAPSHOT]: 'installed' })
  expect(phone?.packages()).not.toContain(KEYBOARD)
})

describe('a phone that refuses', () => {
  test.concurrent.each([
    ['INSTALL_FAILED_USER_RESTRICTED', 'Install via USB'],
    ['INSTALL_FAILED_INSUFFICIENT_STORAGE', 'storage'],
    ['INSTALL_FAILED_UPDATE_INCOMPATIBLE', 'svc operator uninstall'],
    ['INSTALL_FAILED_VERIFICATION_FAILURE', 'Play Protect'],
    ['INSTALL_FAILED_ABORTED', 'accept it there'],
    ['INSTALL_FAILED_SOMETHING_NEW', 'screen of the phone'],
  ])('with %s says what to do', async (code, hint) => {
    const faults: Fault[] = [{ after: 0, do: 'install-refused', times: 1, code }]
    const { svc, serial } = await setup({ faults })
    const refused = await svc('install')
    expect(refused.code).toBe(1)
    expect(refused.output).toMatchObject({
      code: 'OPERATOR_INSTALL_FAILED',
      message: expect.stringContaining(code),
      details: { reason: code, packageName: SNAPSHOT, deviceId: serial },
      hint: expect.stringContaining(hint),
    })
    // The cause has passed, and nothing is in the way.
    expect((await svc('install')).code).toBe(0)
  })
})

test.concurrent('another build under the same name is said to be one, and makes room', async () => {
  const other = Buffer.concat([snapshotApk(), Buffer.from('x')])
  const { svc } = await setup({ apks: [other, keyboardApk()] })
  const { output } = await svc('status')
  expect(output).toMatchObject({ ready: false })
  expect(packagesIn(output, 'is')).toEqual({ [SNAPSHOT]: 'other', [KEYBOARD]: 'ours' })
  expect(packagesIn((await svc('install')).output, 'status')).toEqual({
    [SNAPSHOT]: 'updated',
    [KEYBOARD]: 'already_installed',
  })
  expect((await svc('status')).output).toMatchObject({ ready: true })
})

test.concurrent('a device that is busy is left alone', async () => {
  const { lab, svc, phone, serial } = await setup()
  const nap = [{ id: 'nap', type: 'sleep', params: { durationMs: 6_000 } }]
  const running = lab.execute(nap, { operatorPackage: 'svc.shell', commandId: 'busy' })
  await until(() => lab.services.journal().receipts({ commandId: 'busy' })[0]?.state === 'dispatched', 'the nap')
  const refused = await svc('install')
  expect(refused.output).toMatchObject({
    code: DEVICE_CONFLICT,
    details: { deviceId: serial, holder: { pid: process.pid, commandId: 'busy' } },
  })
  expect(phone?.packages()).not.toContain(SNAPSHOT)
  await running
})

test.concurrent('a keyboard that was left switched is switched back before it is removed', async () => {
  const { svc, phone } = await setup({ apks: [snapshotApk(), keyboardApk()] })
  const usual = phone?.settings.get('secure/default_input_method') ?? ''
  phone?.helpers?.keyboards.setEnabled(`${KEYBOARD}/.TestInputMethodService`, true)
  phone?.helpers?.keyboards.select(`${KEYBOARD}/.TestInputMethodService`)
  phone?.settings.set('secure/svc_previous_input_method', usual)
  expect((await svc('status')).output).toMatchObject({ keyboardToRestore: usual })
  await svc('uninstall')
  expect(phone?.settings.get('secure/default_input_method')).toBe(usual)
  expect(phone?.settings.has('secure/svc_previous_input_method')).toBe(false)
})

test.concurrent('a report has numbers and no screen contents, and overwrites nothing', async () => {
  const { lab, svc, cwd, phone } = await setup({ apks: [snapshotApk(), keyboardApk()] })
  const open = [{ id: 'open', type: 'open_app', params: { applicationId: 'com.android.settings' } }]
  await lab.execute(open, { operatorPackage: 'svc.shell' })
  const field = 'com.android.settings:id/search'
  const done = await svc('report', '--to', 'phone.json', '--field', field)
  expect(done.code).toBe(0)
  const text = readFileSync(join(cwd, 'phone.json'), 'utf8')
  expect(JSON.parse(text)).toEqual(done.output.report)
  expect(done.output.report).toMatchObject({
    phone: { model: 'Svc Sim', sdk: '35' },
    start: { ok: 1, failures: [] },
    snapshots: { ok: 20, failures: [] },
    taps: { ok: 20, failures: [] },
    text: { status: 'ok' },
  })
  expect(text).not.toMatch(/Wi-Fi|Network|世界/)
  expect(phone?.helpers?.snapshot.pid()).toBeUndefined()
  expect((await svc('report', '--to', 'phone.json')).output).toMatchObject({ code: 'USAGE' })
  rmSync(join(cwd, 'phone.json'))
})

test.concurrent('a report on a phone that fails says how', async () => {
  const faults: Fault[] = [
    { after: 3, do: 'helper-dies-before', times: 1 },
    { after: 30, do: 'touch-refused', times: 2 },
  ]
  const { svc } = await setup({ apks: [snapshotApk()], faults })
  const { output } = await svc('report')
  expect(output.report).toMatchObject({
    snapshots: { ok: 20 },
    taps: { ok: 18, failures: Array(2).fill('refused: injectInputEvent returned false') },
    text: { status: 'skipped' },
  })
  const { svc: bare } = await setup()
  expect((await bare('report')).output).toMatchObject({
    report: { start: { ok: 0, failures: [expect.stringContaining('OPERATOR_NOT_INSTALLED')] }, snapshots: { ok: 0 } },
  })
})

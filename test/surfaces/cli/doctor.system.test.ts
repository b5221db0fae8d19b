/** `svc doctor`: what is right, what is wrong, and what to do about it. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Check } from '../../../src/service/doctor/check.ts'
import { checkHome, checkNode } from '../../../src/surfaces/cli/doctor/host.ts'
import { runCliHere } from '../../support/cli/cli-here.ts'
import { startLab } from '../../support/executions/lab.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-doctor-')
const NO_SERVER = { ADB_SERVER_SOCKET: 'localfilesystem:/nowhere/adb.sock' }

interface Told {
  ok: boolean
  version: string
  operatorPackage: string
  checks: Check[]
  devices: { serial: string; state: string; operator?: boolean | null }[]
}

const doctor = async (env: NodeJS.ProcessEnv, ...args: string[]) => {
  const ended = await runCliHere(['doctor', ...args], { env })
  const told = ended.json<Told>()
  expect(ended.code).toBe(told.ok ? 0 : 1)
  const of = (name: string) => told.checks.find(check => check.name === name)
  return { ...told, of }
}

test('all is well with a device that is ready', async () => {
  const lab = await startLab()
  const serial = lab.fleet.devices[0]?.serial ?? ''
  try {
    await lab.execute([{ id: 'a', type: 'sleep', params: { durationMs: 0 } }])
    const told = await doctor({ HOME: lab.home, SVC_TCP_DEVICES: serial })
    expect(told).toMatchObject({
      ok: true,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      operatorPackage: 'com.svc.operator',
      devices: [{ serial, state: 'device', operator: true }],
    })
    expect(told.checks.map(({ name, status }) => `${name}: ${status}`)).toEqual([
      'node: ok',
      'home: ok',
      'disk: ok',
      'journal: ok',
      'policy: ok',
      'agents: ok',
      'daemon: ok',
      'adb: ok',
      `device ${serial}: ok`,
      'emulators: ok',
    ])
  } finally {
    await lab.close()
  }
})

test('an entry of SVC_TCP_DEVICES that is not an address is not a device to reconnect', async () => {
  const { of } = await doctor({ ...NO_SERVER, HOME: folder(), SVC_TCP_DEVICES: '127.0.0.1:99999,127.0.0.1:1' })
  expect(of('device 127.0.0.1:99999')).toMatchObject({
    status: 'warning',
    hint: expect.stringContaining('<host>:<port>'),
  })
  expect(of('device 127.0.0.1:1')).toMatchObject({ message: 'its state is offline' })
})

test('a device without the operator app, with one that was named and is missing, and one that is not authorised', async () => {
  const shell = { state: 'device', operator: true, operatorPackage: 'svc.shell' }
  const missing = { state: 'device', operator: false, operatorPackage: 'com.other' }
  const helperless = { state: 'device', operator: false, operatorPackage: 'svc.uiautomator' }
  for (const [state, seen, status, hint, named] of [
    ['no-operator', shell, 'ok', 'svc operator install', {}],
    ['no-operator', missing, 'warning', 'svc.shell', { SVC_OPERATOR_PACKAGE: 'com.other' }],
    ['no-operator', helperless, 'warning', 'svc operator install', { SVC_OPERATOR_PACKAGE: 'svc.uiautomator' }],
    ['unauthorized', { state: 'unauthorized' }, 'warning', 'allow USB debugging', {}],
  ] as const) {
    const lab = await startLab({ state })
    const serial = lab.fleet.devices[0]?.serial ?? ''
    try {
      const told = await doctor({ HOME: lab.home, SVC_TCP_DEVICES: serial, ...named })
      expect(told.devices).toEqual([{ serial, ...seen }])
      expect(told.of(`device ${serial}`)).toMatchObject({ status, hint: expect.stringContaining(hint) })
      expect(told.ok).toBe(true)
    } finally {
      await lab.close()
    }
  }
})

test('no adb and no devices: nothing can be driven from here', async () => {
  const told = await doctor({ HOME: folder(), ...NO_SERVER })
  expect(told.ok).toBe(false)
  expect(told.of('adb')).toMatchObject({
    status: 'failed',
    details: { code: 'ADB_NOT_FOUND' },
    hint: expect.any(String),
  })
  expect(told.of('devices')).toMatchObject({ status: 'warning' })
  expect(told.of('journal')).toMatchObject({ status: 'ok', message: expect.stringContaining('no journal yet') })
})

test('a damaged journal is named with the way to repair it', async () => {
  const home = join(folder(), 'damaged')
  mkdirSync(join(home, 'journal'), { recursive: true })
  writeFileSync(join(home, 'journal', 'journal.db'), 'no database at all. '.repeat(500))
  const told = await doctor({ HOME: folder(), SVC_HOME: home, ...NO_SERVER })
  expect(told.of('journal')).toMatchObject({
    status: 'failed',
    details: { reason: 'corrupt' },
    hint: expect.stringContaining('svc journal repair'),
  })
})

test('a policy is counted, and a broken one fails with its file and the place', async () => {
  const file = join(folder(), 'policy.json')
  const env = { HOME: folder(), SVC_POLICY: file, ...NO_SERVER }
  expect((await doctor({ HOME: folder(), ...NO_SERVER })).of('policy')).toMatchObject({ status: 'ok' })
  writeFileSync(file, JSON.stringify({ rules: [{ id: 'a', effect: 'deny', actions: ['click'] }] }))
  expect((await doctor(env)).of('policy')).toMatchObject({ status: 'ok', details: { path: file, rules: 1 } })
  writeFileSync(file, JSON.stringify({ rules: [{ id: 'a', effect: 'dney' }] }))
  expect((await doctor(env)).of('policy')).toMatchObject({
    status: 'failed',
    message: expect.stringMatching(/policy\.json cannot be used: rules\[0\]\.effect .* everything is denied$/),
    hint: expect.stringContaining('correct that file'),
  })
})

test.each([
  ['a link that leads nowhere', (path: string) => symlinkSync('/nowhere/journal', path), 'is a link to a directory'],
  ['a file', (path: string) => writeFileSync(path, ''), 'is not a directory'],
])('%s in the place of the journal directory', async (name, place, message) => {
  const home = join(folder(), name.replaceAll(' ', '-'))
  mkdirSync(home)
  place(join(home, 'journal'))
  const told = await doctor({ HOME: folder(), SVC_HOME: home, ...NO_SERVER })
  expect(told.of('journal')).toMatchObject({
    status: 'failed',
    message: expect.stringContaining(message),
    details: { reason: 'not-openable' },
    hint: expect.any(String),
  })
})

test.each([
  ['20.19.0', 'ok'],
  ['22.0.0', 'ok'],
  ['20.18.9', 'failed'],
  ['18.20.0', 'failed'],
])('Node %s: %s', (version, status) => {
  expect(checkNode(version).status).toBe(status)
})

test('a home that cannot be one', () => {
  const file = join(folder(), 'file')
  writeFileSync(file, '')
  expect(checkHome(join(file, '.svc'))).toMatchObject({ status: 'failed' })
  expect(checkHome(file)).toMatchObject({ status: 'failed' })
  expect(checkHome(join(folder(), 'not', 'yet'))).toMatchObject({ status: 'ok' })
})

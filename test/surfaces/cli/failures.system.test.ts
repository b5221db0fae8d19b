/** What a device command prints when it cannot be carried out: the failure on stdout, and exit code 1. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCliHere } from '../../support/cli/cli-here.ts'
import { type Lab, type LabOptions, startLab } from '../../support/executions/lab.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-cli-failures-')

const withLab = async (options: LabOptions, work: (lab: Lab, env: NodeJS.ProcessEnv) => Promise<void>) => {
  const lab = await startLab(options)
  try {
    await work(lab, { HOME: lab.home, SVC_TCP_DEVICES: lab.fleet.devices.map(({ serial }) => serial).join(',') })
  } finally {
    await lab.close()
  }
}

/** Nobody listens there. */
const NO_SERVER = { ADB_SERVER_SOCKET: 'localfilesystem:/nowhere/adb.sock' }

describe('which device', () => {
  test('NO_DEVICES, ADB_NOT_FOUND: none at all', async () => {
    for (const args of [['devices'], ['snapshot']]) {
      const ended = await runCliHere(args, { env: { HOME: folder(), ...NO_SERVER } })
      expect(ended.code).toBe(1)
      expect(ended.json()).toMatchObject({ code: 'ADB_NOT_FOUND', message: expect.any(String), retriable: false })
    }
  })

  test('devices lists those that are there, or the one that is named', async () => {
    await withLab({ count: 2 }, async (lab, env) => {
      const connected = lab.fleet.devices.map(({ serial }) => serial)
      const [, second = ''] = connected
      const right = await runCliHere(['--device-id', second, 'back'], { env })
      expect(right.json()).toMatchObject({ deviceId: second, envelope: { status: 'success' } })
      const one = await runCliHere(['devices', '--device', second], { env })
      expect(one.json()).toEqual({ devices: [{ serial: second, deviceId: second, state: 'device' }] })
      const none = await runCliHere(['devices', '--device', 'nobody'], { env })
      expect(none.code).toBe(1)
      expect(none.json()).toMatchObject({ details: { connected } })
      const any = await runCliHere(['devices', '--device', 'any:x'], { env })
      expect(any.json()).toMatchObject({ code: 'USAGE', hint: expect.stringContaining('<serial>@<host>') })
    })
  })
})

describe('which operator', () => {
  test('the best that the device has where none is named; OPERATOR_NOT_INSTALLED for one that is', async () => {
    await withLab({ state: 'no-operator' }, async (_, env) => {
      const missing = { code: 'OPERATOR_NOT_INSTALLED', details: { dispatched: false } }
      const named = await runCliHere(['back', '--operator-package', 'com.svc.operator'], { env })
      expect(named.code).toBe(1)
      expect(named.json()).toMatchObject(missing)
      const inherited = await runCliHere(['back'], { env: { ...env, SVC_OPERATOR_PACKAGE: 'com.svc.operator' } })
      expect(inherited.json()).toMatchObject(missing)

      const unnamed = await runCliHere(['back'], { env })
      expect(unnamed.json()).toMatchObject({ envelope: { status: 'success' }, operatorPackage: 'svc.shell' })
      const { executions } = (await runCliHere(['executions', 'list', '--limit', '1'], { env })).json<{
        executions: object[]
      }>()
      expect(executions).toMatchObject([{ operatorPackage: 'svc.shell', result: { operatorPackage: 'svc.shell' } }])

      const byFlag = await runCliHere(['back', '--operator-package', 'svc.shell'], { env })
      expect(byFlag.json()).toMatchObject({ envelope: { status: 'success' } })
      const byVariable = await runCliHere(['back'], { env: { ...env, SVC_OPERATOR_PACKAGE: 'svc.shell' } })
      expect(byVariable.json()).toMatchObject({ envelope: { status: 'success' } })
      const blank = await runCliHere(['back'], { env: { ...env, SVC_OPERATOR_PACKAGE: ' ' } })
      expect(blank.json()).toMatchObject({ operatorPackage: 'svc.shell' })
    })
  })
})

test('JOURNAL_UNAVAILABLE: what cannot be recorded is not done', async () => {
  await withLab({}, async (lab, env) => {
    const home = join(lab.home, 'damaged')
    mkdirSync(join(home, 'journal'), { recursive: true })
    writeFileSync(join(home, 'journal', 'journal.db'), 'this is not a database, and never was one. '.repeat(200))
    const ended = await runCliHere(['press', 'home'], { env: { ...env, SVC_HOME: home } })
    expect(ended.code).toBe(1)
    expect(ended.json()).toMatchObject({
      code: 'JOURNAL_UNAVAILABLE',
      details: { reason: 'corrupt' },
      hint: expect.any(String),
    })
  })
})

/** The real adb program installs, reads back and removes an APK on a simulated phone. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SNAPSHOT_HELPER } from '../../src/device/operators/uiautomator/helper-apks.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { validateExecution } from '../../src/service/executions/validate.ts'
import { type SimulatedPhones, startSimulatedPhones } from '../../src/simulator/simulated-phones.ts'
import { createServices } from '../../src/start/command.ts'
import { createRealAdb } from '../support/adb/real-adb.ts'
import { type BuiltApk, builtApk } from '../support/device/built-apk.ts'
import { HELPER_FOLDER } from '../support/device/helper-apks.ts'
import { executeIn } from '../support/executions/execute-in.ts'
import { payloadOf } from '../support/executions/lab.ts'
import { needs } from '../support/needs.ts'
import { temporary } from '../support/temporary.ts'

const folder = temporary('svc-adb-install-')
const APK = join(HELPER_FOLDER, SNAPSHOT_HELPER.file)
const { packageName } = SNAPSHOT_HELPER

describe.skipIf(!needs('adb'))('a real adb', () => {
  const adb = createRealAdb()
  let fleet: SimulatedPhones
  let run: (...args: string[]) => ReturnType<typeof adb.run>
  beforeAll(async () => {
    await adb.start()
    const faults = [{ after: 2, do: 'install-refused' as const, times: 1 }]
    fleet = await startSimulatedPhones({ clock: systemClock(), operator: 'none', faults })
    const serial = fleet.devices[0]?.serial ?? ''
    run = (...args) => adb.run('-s', serial, ...args)
    await adb.run('connect', serial)
  })
  afterAll(async () => {
    await fleet.close()
    await adb.stop()
  })

  test('installs, updates, pulls back the same bytes and removes', async () => {
    expect(await run('install', APK)).toMatchObject({ code: 0, stdout: expect.stringContaining('Success') })
    expect(await run('install', '-r', APK)).toMatchObject({ code: 0, stdout: expect.stringContaining('Success') })
    const { stdout } = await run('shell', 'pm', 'path', packageName)
    const pulled = join(folder(), 'base.apk')
    expect((await run('pull', stdout.trim().slice('package:'.length), pulled)).code).toBe(0)
    expect(readFileSync(pulled).equals(readFileSync(APK))).toBe(true)
    const refused = await run('install', '-r', APK)
    expect(refused.code).not.toBe(0)
    expect(refused.stdout + refused.stderr).toContain('INSTALL_FAILED_USER_RESTRICTED')
    expect(await run('uninstall', packageName)).toMatchObject({ stdout: expect.stringContaining('Success') })
    expect((await run('shell', 'pm', 'path', packageName)).stdout).toBe('')
  })

  test('and svc install the same sets, and are refused for the same reasons', async () => {
    const services = createServices({ env: { ...adb.env, SVC_HOME: folder() }, cwd: folder(), note: () => {} })
    const packageOf = { packageName: 'com.example.built' }
    const SETS: Record<string, readonly BuiltApk[]> = {
      one: [{}],
      splits: [{ splitRequired: true }, { split: 'config.fr' }],
      'no split': [{ splitRequired: true }],
      'no base': [{ split: 'config.fr' }, { split: 'config.de' }],
      'for tests': [{ testOnly: true }],
      'of someone else': [{}, { split: 'a', signedBy: 'else' }],
    }
    const reasonIn = (text: string) => /\[?(INSTALL_[A-Z_]+)/.exec(text)?.[1] ?? 'installed'
    const versions = async () =>
      (await run('shell', `pm path ${packageOf.packageName}; dumpsys package ${packageOf.packageName}`)).stdout
        .split('\n')
        .filter(line => /package:|versionCode|splits/.test(line))
    try {
      for (const [name, set] of Object.entries(SETS)) {
        const paths = set.map((_, at) => join(folder(), `${name.replaceAll(' ', '-')}-${at}.apk`))
        for (const [at, path] of paths.entries()) writeFileSync(path, builtApk({ ...packageOf, ...set[at] }))
        const verb = paths.length > 1 ? 'install-multiple' : 'install'
        const byAdb = await run(verb, '-t', ...paths)
        const after = await versions()
        await run('uninstall', packageOf.packageName)
        const validation = validateExecution(payloadOf([{ id: 'i', type: 'install_app', params: { paths } }]))
        if (!validation.ok) throw new Error(validation.error.message)
        const { result } = await executeIn(services, { execution: validation.execution, operatorPackage: 'svc.shell' })
        const bySvc = result.ok ? (result.envelope.stepResults[0]?.data ?? {}) : { reason: result.error.code }
        expect([name, bySvc.reason ?? 'installed']).toEqual([name, reasonIn(byAdb.stdout + byAdb.stderr)])
        expect([name, await versions()]).toEqual([name, after])
        await run('uninstall', packageOf.packageName)
      }
      expect((await run('install', '--no-streaming', join(folder(), 'one-0.apk'))).stdout).toContain('Success')
      expect((await run('shell', 'ls', '/data/local/tmp')).stdout).toBe('')
    } finally {
      await services.close()
    }
  })
})

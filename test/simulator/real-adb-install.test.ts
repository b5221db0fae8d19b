/** The real adb program installs, reads back and removes an APK on a simulated phone. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SNAPSHOT_HELPER } from '../../src/operator/uiautomator/helper-apks.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { type Fleet, startFleet } from '../../src/simulator/fleet.ts'
import { HELPER_FOLDER } from '../support/helper-apks.ts'
import { needs } from '../support/needs.ts'
import { createRealAdb } from '../support/real-adb.ts'
import { temporary } from '../support/temporary.ts'

const folder = temporary('svc-adb-install-')
const APK = join(HELPER_FOLDER, SNAPSHOT_HELPER.file)
const { packageName } = SNAPSHOT_HELPER

describe.skipIf(!needs('adb'))('a real adb', () => {
  const adb = createRealAdb()
  let fleet: Fleet
  let run: (...args: string[]) => ReturnType<typeof adb.run>
  beforeAll(async () => {
    await adb.start()
    const faults = [{ after: 2, do: 'install-refused' as const, times: 1 }]
    fleet = await startFleet({ clock: systemClock(), operator: 'none', faults })
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
})

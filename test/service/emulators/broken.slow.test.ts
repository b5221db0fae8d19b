/** Many AVDs of which some are broken, and an emulator that hangs: what is listed stays right, and comes soon. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AvdHarm } from '../../support/adb/android-sdk.ts'
import {
  type EmulatorLab,
  IMAGE,
  type Routes,
  routesOf,
  startEmulatorLab,
} from '../../support/emulators/emulator-lab.ts'
import { killProcess } from '../../support/kill-process.ts'
import { needs } from '../../support/needs.ts'
import { until } from '../../support/until.ts'

const HARMS: readonly AvdHarm[] = [
  'no-config',
  'no-folder',
  'no-path',
  'unreadable',
  'binary-config',
  'binary-ini',
  'no-image',
  'empty-config',
  'unknown-device',
]
const GOOD = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'hung']
/** An emulator is asked for 3 s at most. */
const SOON_MS = 5_000 * 2

interface Avd {
  name: string
  running: boolean
  supported: boolean
  unsupportedReasons: string[]
}

describe.skipIf(!needs('adb'))('20 AVDs', () => {
  let lab: EmulatorLab
  let routes: Routes
  beforeAll(async () => {
    lab = await startEmulatorLab({ modes: { avds: { hung: { console: 'silent', bootMs: 'never' } } } })
    lab.addAvds(...GOOD, ...HARMS)
    for (const harm of HARMS) lab.sdk.breakAvd(harm, harm)
    routes = routesOf((await lab.serve()).url)
    expect((await routes.start('one')).status).toBe(200)
    const { spawn } = await import('node:child_process')
    spawn(lab.sdk.paths.emulator, ['@hung'], { env: lab.sdk.env, stdio: 'ignore' })
    const listed = async () => (await lab.adb.run('devices')).stdout.match(/^emulator-\d+\tdevice$/gm)?.length ?? 0
    await until(async () => (await listed()) === 2, 'both emulators', 30_000)
    // Neither its console nor its device answers any more.
    const hung = lab.sdk.advertised().find(({ avdName }) => avdName === 'hung')
    killProcess(hung?.pid, 'SIGSTOP')
  })
  afterAll(() => lab.close())

  test('are listed, running and shown as what they are', async () => {
    const begun = performance.now()
    const [list, running, get] = await Promise.all([routes.list(), routes.running(), routes.get('two')])
    expect(performance.now() - begun).toBeLessThan(SOON_MS)
    const { avds } = list.json as { avds: Avd[] }
    expect(avds.map(({ name }) => name)).toEqual([...GOOD, ...HARMS].toSorted())
    expect(avds.filter(avd => avd.running).map(({ name }) => name)).toEqual(['hung', 'one'])
    const supported = avds.filter(avd => avd.supported).map(({ name }) => name)
    expect(supported).toEqual(expect.arrayContaining(GOOD))
    expect(supported).not.toEqual(
      expect.arrayContaining(['no-config', 'no-folder', 'unreadable', 'binary-config', 'empty-config']),
    )
    const broken = avds.filter(avd => ['no-config', 'unreadable', 'no-folder'].includes(avd.name))
    for (const avd of broken)
      expect(avd).toMatchObject({ exists: true, apiLevel: null, systemImage: null, supported: false })
    const { devices } = running.json as { devices: { avdName: string; booted: boolean; supported: boolean }[] }
    expect(devices).toHaveLength(2)
    expect(devices).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ avdName: 'one', booted: true, supported: true }),
        expect.objectContaining({ avdName: 'hung', booted: false }),
      ]),
    )
    expect(get.json).toMatchObject({ ok: true, name: 'two', exists: true, running: false, systemImage: IMAGE })
    const cli = await lab.svc(['emulators', 'list'])
    expect(cli.json()).toEqual(list.json)
  })

  // Each question to the emulator that hangs is waited out, so these wait together.
  test.concurrent('a good one can be started and stopped beside them', async () => {
    expect((await routes.start('two')).json).toMatchObject({ ok: true, avdName: 'two', booted: true })
    expect((await routes.stop('two')).json).toMatchObject({ stopped: true })
  })

  test.concurrent('a good one is reused: one that has booted comes before one that may never do so', async () => {
    expect((await routes.provision({})).json).toMatchObject({ avdName: 'one', started: false, reused: true })
  })

  test.concurrent('a broken one is said not to start, with what the emulator says', async () => {
    const { status, json } = await routes.start('no-config')
    expect([status, json]).toEqual([
      500,
      {
        ok: false,
        error: expect.objectContaining({
          code: 'EMULATOR_START_FAILED',
          details: expect.objectContaining({ output: expect.stringMatching(/FATAL/) }),
        }),
      },
    ])
  })
})

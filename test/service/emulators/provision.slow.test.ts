/** Provisioning: a supported emulator that runs, else a supported AVD, else a new one; and never two for two requests. */
import { describe, expect, test } from 'vitest'
import {
  ABI,
  failureIn,
  IMAGE,
  OTHER_IMAGE,
  refusalIn,
  routesOf,
  startEmulatorLab,
  untilState,
} from '../../support/emulators/emulator-lab.ts'
import { needs } from '../../support/needs.ts'
import { perTest } from '../../support/per-test.ts'
import { until } from '../../support/until.ts'

const DERIVED = 'svc-pixel-12gb'

interface Provisioned {
  ok: boolean
  avdName: string
  serial: string
  created: boolean
  started: boolean
  reused: boolean
}

describe.skipIf(!needs('adb'))('provisioning', () => {
  const startPlace = perTest(async () => {
    const lab = await startEmulatorLab()
    const routes = routesOf((await lab.serve()).url)
    return {
      lab,
      routes,
      provision: async (body?: object) => (await routes.provision(body)).json as Provisioned,
      emulators: () => lab.sdk.calls('emulator').filter(({ argv }) => argv[0]?.startsWith('@')),
      close: lab.close,
    }
  })

  test.concurrent('makes an AVD where none fits, then reuses the emulator', async () => {
    const { lab, routes, provision, emulators } = await startPlace()
    lab.sdk.addAvd({ name: 'unfit', image: OTHER_IMAGE })
    const before = emulators().length
    const made = await routes.provision({ storageSize: '16GB', abi: ABI, window: false })
    expect(made).toMatchObject({ status: 200 })
    const first = made.json as Provisioned
    expect(first).toEqual({
      ok: true,
      type: 'emulator',
      avdName: 'svc-pixel-16gb',
      serial: expect.stringMatching(/^emulator-\d+$/),
      booted: true,
      created: true,
      started: true,
      reused: false,
    })
    expect(emulators().at(-1)?.argv).toContain('-no-window')
    const reused = { ...first, created: false, started: false, reused: true }
    expect(await provision({ size: '20G' })).toEqual(reused)
    expect((await lab.svc(['emulators', 'provision'])).json()).toEqual(reused)
    expect(emulators()).toHaveLength(before + 1)
  })

  test.concurrent('starts a supported AVD: the derived name first, then the alphabetical order', async () => {
    const { lab, routes, provision } = await startPlace()
    lab.addAvds('zebra', DERIVED, 'aardvark')
    lab.sdk.addAvd({ name: 'aaa-unfit', image: OTHER_IMAGE })
    const started = { created: false, started: true, reused: true }
    const cli = await lab.svc(['emulators', 'provision'])
    expect(cli.json()).toMatchObject({ ok: true, type: 'emulator', avdName: DERIVED, booted: true, ...started })
    expect(cli.stderr).toContain('looking for a supported emulator')
    await routes.stop(DERIVED)
    expect(await provision({ storageSize: '99G' })).toMatchObject({ avdName: 'aardvark', ...started })
    // What runs comes before what is preferred.
    expect(await provision()).toMatchObject({ avdName: 'aardvark', started: false, reused: true })
  })

  test.concurrent('does not take a name that an unsupported AVD has', async () => {
    const { lab, routes } = await startPlace()
    lab.sdk.addAvd({ name: DERIVED, image: OTHER_IMAGE, device: 'pixel_8' })
    const refused = await routes.provision({})
    expect([refused.status, failureIn(refused)]).toEqual([
      409,
      expect.objectContaining({
        code: 'EMULATOR_UNSUPPORTED',
        details: {
          avdName: DERIVED,
          unsupportedReasons: ['missing_play_store', 'unsupported_api_level', 'unsupported_device_profile'],
        },
      }),
    ])
    const cli = await lab.svc(['emulators', 'provision'])
    expect([cli.code, cli.json().code]).toEqual([1, 'EMULATOR_UNSUPPORTED'])
  })

  test.concurrent('waits for one that somebody else has started', async () => {
    const { lab, routes, provision, emulators } = await startPlace()
    lab.addAvds('theirs')
    lab.sdk.setModes({ emulator: { registerMs: 1_500, bootMs: 1_500 } })
    const { spawn } = await import('node:child_process')
    const child = spawn(lab.sdk.paths.emulator, ['@theirs'], { env: lab.sdk.env, stdio: 'ignore' })
    await until(() => lab.sdk.advertised().length > 0, 'the emulator')
    const before = emulators().length
    expect(await provision()).toMatchObject({ avdName: 'theirs', created: false, started: false, reused: true })
    expect(emulators()).toHaveLength(before)
    // Known to nobody here, it is stopped all the same.
    expect((await routes.stop('theirs')).status).toBe(200)
    expect(child.exitCode).toBe(0)
  })

  test.concurrent('joins one that another request brings up, whatever its name', async () => {
    const { lab, routes, provision } = await startPlace()
    lab.addAvds('early', 'late')
    lab.sdk.setModes({ emulator: { registerMs: 1_500, bootMs: 1_000 } })
    const starting = routes.start('late')
    await until(() => lab.sdk.advertised().length > 0, 'the emulator')
    expect(await provision()).toMatchObject({ ok: true, avdName: 'late', created: false, started: false, reused: true })
    expect((await starting).json).toMatchObject({ ok: true, avdName: 'late', booted: true })
    expect(await lab.shell(`emulator-${lab.sdk.basePort}`, 'settings get global adb_enabled')).toBe('1\n')
  })

  test.concurrent('says what failed', async () => {
    const { lab, routes } = await startPlace()
    lab.sdk.setModes({ avds: { [DERIVED]: { start: 'dies', message: 'FATAL   | no\n' } } })
    const refused = await routes.provision({ abi: ABI })
    expect(refusalIn(refused)).toEqual([500, 'EMULATOR_START_FAILED'])
    expect(failureIn(refused).details.output).toContain('FATAL   | no')
    // What was made is kept.
    expect((await routes.get(DERIVED)).json).toMatchObject({ exists: true, running: false, systemImage: IMAGE })
  })

  test.concurrent('two at once, from two processes, end with one emulator', async () => {
    const { lab, routes, provision, emulators } = await startPlace()
    const before = emulators().length
    const cli = lab.start(['emulators', 'provision', '--abi', ABI]).ended
    const [one, other] = await Promise.all([provision({ abi: ABI }), cli.then(ended => ended.json<Provisioned>())])
    expect(one.serial).toBe(other.serial)
    expect([one, other].map(({ created }) => created).toSorted()).toEqual([false, true])
    expect([one, other].map(({ reused }) => reused).toSorted()).toEqual([false, true])
    expect(emulators()).toHaveLength(before + 1)
    expect((await routes.list()).json).toMatchObject({ avds: [{ name: DERIVED, running: true }] })
  })

  test.concurrent('two at once in one process, too', async () => {
    const { routes, provision, emulators } = await startPlace()
    const before = emulators().length
    const both = await Promise.all([provision({ abi: ABI }), provision({ abi: ABI })])
    expect(both.map(({ created }) => created).toSorted()).toEqual([false, true])
    expect(new Set(both.map(({ serial }) => serial)).size).toBe(1)
    expect(emulators()).toHaveLength(before + 1)
    await untilState(routes, DERIVED, 'resting.running')
  })
})

/** Emulators that do not start or do not end as they should: every fault is answered, in time, and leaves no process. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EmulatorMode } from '../../fixtures/sdk/modes.ts'
import type { ServingHere } from '../../support/cli/serve.ts'
import {
  type EmulatorLab,
  type Failure,
  failureIn,
  type Routes,
  routesOf,
  startEmulatorLab,
} from '../../support/emulators/emulator-lab.ts'
import { killProcess } from '../../support/kill-process.ts'
import { needs } from '../../support/needs.ts'
import { until } from '../../support/until.ts'

const FAILED = 'EMULATOR_START_FAILED'

const DYING: Readonly<Record<string, EmulatorMode>> = {
  dies: { start: 'dies', message: 'FATAL   | no room for 2048 MB\n', exitCode: 3 },
  'dies-registering': { start: 'dies-registering' },
  'dies-booting': { start: 'dies-booting', signal: 'SIGSEGV' },
  'no-acceleration': { acceleration: false },
}
const MUTE: Readonly<Record<string, EmulatorMode>> = {
  silent: { console: 'silent' },
  stuck: { console: 'stuck' },
  closing: { console: 'closes' },
  absent: { console: 'absent' },
}
const MODES: Readonly<Record<string, EmulatorMode>> = {
  ...DYING,
  ...MUTE,
  crashing: { start: 'dies-booting', signal: 'SIGSEGV' },
  unlisted: { start: 'never-registers' },
  hanging: { start: 'hangs' },
  endless: { bootMs: 'never' },
  stubborn: { bootMs: 'never', ignoresSigterm: true },
  slow: { registerMs: 1_500, offlineMs: 1_000, bootMs: 1_500 },
  ignoring: { kill: 'ignored' },
}

describe.skipIf(!needs('adb'))('an emulator', () => {
  let lab: EmulatorLab
  let serving: ServingHere
  let routes: Routes
  beforeAll(async () => {
    lab = await startEmulatorLab({ modes: { avds: MODES } })
    lab.addAvds(...Object.keys(MODES), 'guarded', 'one', 'two', 'wiped')
    serving = await lab.serve()
    routes = routesOf(serving.url)
  })
  afterAll(() => lab.close())

  const emulators = () => lab.sdk.calls('emulator').filter(({ argv }) => argv[0]?.startsWith('@'))
  const living = (name: string) => {
    const alive = lab.alive('emulator')
    return emulators().filter(({ argv, pid }) => argv[0] === `@${name}` && alive.includes(pid))
  }
  test.concurrent('that dies is answered at once, with the end of its log', async () => {
    const names = Object.keys(DYING)
    const begun = performance.now()
    const failures: Record<string, Failure> = Object.fromEntries(
      await Promise.all(names.map(async name => [name, failureIn(await routes.start(name))])),
    )
    // The limit of the registration alone is 30 s.
    expect(performance.now() - begun).toBeLessThan(15_000)
    expect(Object.values(failures).map(({ code }) => code)).toEqual(names.map(() => FAILED))
    expect(failures.dies?.message).toBe('The emulator of dies ended while it was starting (exit code 3).')
    expect(failures.dies?.details).toMatchObject({
      avdName: 'dies',
      log: join(lab.svcHome, 'emulators', 'dies.log'),
      output: expect.stringContaining('FATAL   | no room for 2048 MB'),
    })
    expect(failures['dies-booting']?.message).toContain('(SIGSEGV)')
    expect(failures['no-acceleration']?.details.output).toContain('requires hardware acceleration')
    const { json } = await routes.actor('emulator:dies')
    expect(json).toMatchObject({ actor: { state: 'resting.exists', tags: [] } })
    expect(names.flatMap(living)).toEqual([])
  })

  test.concurrent('that crashed does not count as running while the adb server still lists it', async () => {
    const answers = [await routes.start('crashing'), await routes.start('crashing')]
    expect(answers.map(answer => failureIn(answer).code)).toEqual([FAILED, FAILED])
  })

  test.concurrent('that is not listed, or does not boot in time, is ended', async () => {
    const started = (name: string, env: NodeJS.ProcessEnv) => lab.svc(['emulators', 'start', name], { env })
    const [unlisted, hanging, endless, stubborn] = await Promise.all([
      started('unlisted', { SVC_EMULATOR_REGISTER_S: '2' }),
      started('hanging', { SVC_EMULATOR_REGISTER_S: '2' }),
      started('endless', { SVC_EMULATOR_BOOT_S: '1' }),
      started('stubborn', { SVC_EMULATOR_BOOT_S: '1' }),
    ])
    const said = [unlisted, hanging, endless, stubborn].map(({ code, ...ended }) => ({
      exit: code,
      ...ended.json<Failure>(),
    }))
    const LISTED = 'The debug bridge did not list the emulator in time.'
    const BOOTED = 'The emulator did not boot in time.'
    expect(said.map(({ exit, code, message }) => [exit, code, message])).toEqual([
      [1, FAILED, LISTED],
      [1, FAILED, LISTED],
      [1, FAILED, BOOTED],
      [1, FAILED, BOOTED],
    ])
    expect(said[2]?.details.output).toContain('Advertising in')
    expect(['unlisted', 'hanging', 'endless', 'stubborn'].flatMap(living)).toEqual([])
    expect((await routes.get('endless')).json).toMatchObject({ exists: true, running: false })
  })

  test.concurrent('that is slow is waited for', async () => {
    expect((await routes.start('slow')).json).toMatchObject({ ok: true, booted: true })
    expect((await routes.stop('slow')).json).toMatchObject({ ok: true, stopped: true })
  })

  test.concurrent('with a broken console comes up, and ends by its process', async () => {
    const names = Object.keys(MUTE)
    const started = await Promise.all(names.map(name => routes.start(name)))
    expect(started.map(({ json }) => json)).toEqual(
      names.map(avdName => expect.objectContaining({ ok: true, avdName, booted: true })),
    )
    const stopped = await Promise.all(names.map(name => routes.stop(name)))
    expect(stopped.map(({ json }) => json)).toEqual(names.map(avdName => ({ ok: true, avdName, stopped: true })))
    expect(names.flatMap(living)).toEqual([])
  })

  test.concurrent('that ignores kill is said to run on', async () => {
    expect((await routes.start('ignoring')).status).toBe(200)
    const impatient = await lab.serve({ SVC_EMULATOR_STOP_S: '4' })
    const refused = await routesOf(impatient.url).stop('ignoring')
    expect([refused.status, failureIn(refused)]).toEqual([
      500,
      expect.objectContaining({
        code: 'EMULATOR_STOP_FAILED',
        message: 'The emulator of ignoring was told to stop, but is still running.',
      }),
    ])
    expect(living('ignoring')).toHaveLength(1)
    expect((await routes.get('ignoring')).json).toMatchObject({ running: true })
    killProcess(living('ignoring')[0]?.pid)
    await until(() => living('ignoring').length === 0, 'the end of the emulator')
  })

  test('whose console wants another token is not ended', async () => {
    const token = join(lab.sdk.home, '.emulator_console_auth_token')
    writeFileSync(token, 'abcdefghijklmnop')
    expect((await routes.start('guarded')).status).toBe(200)
    writeFileSync(token, 'another')
    expect(failureIn(await routes.stop('guarded'))).toMatchObject({
      code: 'EMULATOR_STOP_FAILED',
      message: expect.stringContaining('refuses to end the emulator'),
      hint: expect.stringContaining('.emulator_console_auth_token'),
    })
    expect(living('guarded')).toHaveLength(1)
    writeFileSync(token, 'abcdefghijklmnop')
    expect((await routes.stop('guarded')).json).toMatchObject({ stopped: true })
  })

  test('takes the next port when another has its own, and both are told apart', async () => {
    const names = ['one', 'two']
    const started = await Promise.all(names.map(name => routes.start(name)))
    const serials = started.map(({ json }) => (json as { serial: string }).serial)
    expect(serials.toSorted()).toEqual([`emulator-${lab.sdk.basePort}`, `emulator-${lab.sdk.basePort + 2}`])
    const properties = await Promise.all(serials.map(serial => lab.shell(serial, 'getprop ro.boot.qemu.avd_name')))
    expect(properties).toEqual(['one\n', 'two\n'])
    const [stopped] = await Promise.all([routes.stop('one'), routes.get('two')])
    expect(stopped.status).toBe(200)
    expect((await routes.get('two')).json).toMatchObject({ running: true })
  })

  test('starts as it is asked to', async () => {
    expect((await routes.start('wiped', { wipe: true, window: false })).status).toBe(200)
    expect(emulators().at(-1)?.argv).toEqual([
      '@wiped',
      '-no-snapshot-load',
      '-no-boot-anim',
      '-wipe-data',
      '-no-window',
    ])
  })
})

/** The table of the contract, row by row: one AVD from nothing to nothing, over HTTP and by its twin on the command line. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ServingHere } from '../../support/cli/serve.ts'
import {
  ABI,
  type EmulatorLab,
  failureIn,
  IMAGE,
  type Routes,
  refusalIn,
  routesOf,
  startEmulatorLab,
} from '../../support/emulators/emulator-lab.ts'
import { type EventReader, readEvents } from '../../support/http/http-client.ts'
import { needs } from '../../support/needs.ts'
import { until } from '../../support/until.ts'

const NAME = 'svc-pixel-16gb'
const AVD = {
  name: NAME,
  exists: true,
  running: false,
  apiLevel: 35,
  abi: ABI,
  playStore: true,
  deviceProfile: 'pixel_7',
  systemImage: IMAGE,
  supported: true,
  unsupportedReasons: [],
}
const modeOf = (path: string) => statSync(path).mode & 0o777
const SETTINGS = 'settings get global development_settings_enabled; settings get global adb_enabled'

/** The states that were streamed, each once. */
const statesUntil = async ({ events }: EventReader, last: string): Promise<string[]> => {
  const states = () => events.map(({ data }) => (data as { to: string }).to)
  await until(() => states().at(-1) === last, `the transition to ${last}`)
  return [...new Set(states())]
}

describe.skipIf(!needs('adb'))('the life of an AVD', () => {
  let lab: EmulatorLab
  beforeAll(async () => {
    lab = await startEmulatorLab({ installed: [], license: 'missing' })
  })
  afterAll(() => lab.close())

  describe('over HTTP', () => {
    let serving: ServingHere
    let routes: Routes
    let serial: string
    beforeAll(async () => {
      serving = await lab.serve()
      routes = routesOf(serving.url)
      serial = `emulator-${lab.sdk.basePort}`
    })
    afterAll(() => serving.end())

    test('none: nothing is listed, get says exists false, and there is nothing to start, stop or delete', async () => {
      expect((await routes.list()).json).toEqual({ ok: true, avds: [] })
      expect((await routes.running()).json).toEqual({ ok: true, devices: [] })
      const absent = { exists: false, running: false, supported: false, unsupportedReasons: [] }
      const facts = { apiLevel: null, abi: null, playStore: null, deviceProfile: null, systemImage: null }
      expect(await routes.get(NAME)).toMatchObject({ status: 200, json: { ok: true, name: NAME, ...absent, ...facts } })
      expect(refusalIn(await routes.start(NAME))).toEqual([404, 'EMULATOR_NOT_FOUND'])
      expect(refusalIn(await routes.stop(NAME))).toEqual([404, 'EMULATOR_NOT_FOUND'])
      expect(refusalIn(await routes.delete(NAME))).toEqual([404, 'EMULATOR_NOT_FOUND'])
      expect(failureIn(await routes.delete(NAME))).toMatchObject({ details: { avdName: NAME } })
    })

    test('create installs the image, names the AVD after its size, and does not overwrite it', async () => {
      const events = await readEvents(`${serving.url}/actors/events?actor=emulator:${NAME}`)
      const created = await routes.create({ size: '16GB', abi: ABI })
      expect(created).toMatchObject({ status: 200, json: { ok: true, ...AVD } })
      expect(lab.sdk.calls('sdkmanager').map(({ argv }) => argv)).toEqual([
        ['--list_installed'],
        ['--install', IMAGE],
        ['--list_installed'],
      ])
      expect(lab.sdk.calls('avdmanager').map(({ argv }) => argv)).toEqual([
        ['create', 'avd', '--name', NAME, '--package', IMAGE, '--device', 'pixel_7'],
      ])
      const config = readFileSync(join(lab.sdk.avdHome, `${NAME}.avd`, 'config.ini'), 'utf8')
      expect(config.match(/^disk\.dataPartition\.size=.*$/gm)).toEqual(['disk.dataPartition.size=16G'])
      expect(await statesUntil(events, 'resting.exists')).toEqual([
        'busy.observing',
        'busy.installing',
        'busy.creating',
        'resting.exists',
      ])
      events.close()
      const { json } = await routes.history(`emulator:${NAME}`)
      const percents = (json as { events: { event: { type: string; percent?: number } }[] }).events.flatMap(
        ({ event }) => (event.type === 'image.progressed' && typeof event.percent === 'number' ? [event.percent] : []),
      )
      expect(percents).toEqual(expect.arrayContaining([35, 50, 75, 100]))
      expect(refusalIn(await routes.create({ size: '16G' }))).toEqual([409, 'EMULATOR_ALREADY_EXISTS'])
      expect((await routes.list()).json).toEqual({ ok: true, avds: [AVD] })
      expect((await routes.get(NAME)).json).toEqual({ ok: true, ...AVD })
      expect(refusalIn(await routes.stop(NAME))).toEqual([404, 'EMULATOR_NOT_RUNNING'])
    })

    test('start waits for the boot and enables the developer settings', async () => {
      const events = await readEvents(`${serving.url}/actors/events?actor=emulator:${NAME}`)
      const started = await routes.start(NAME)
      expect(started).toMatchObject({ status: 200 })
      expect(started.json).toEqual({ ok: true, type: 'emulator', avdName: NAME, serial, booted: true })
      expect(await lab.shell(serial, SETTINGS)).toBe('1\n1\n')
      const { argv } =
        lab.sdk
          .calls('emulator')
          .filter(call => call.argv[0] !== '-list-avds')
          .at(-1) ?? {}
      expect(argv).toEqual([`@${NAME}`, '-no-snapshot-load', '-no-boot-anim'])
      const folder = join(lab.svcHome, 'emulators')
      expect([modeOf(folder), modeOf(join(folder, `${NAME}.log`))]).toEqual([0o700, 0o600])
      expect(await statesUntil(events, 'resting.running')).toEqual([
        'busy.observing',
        'busy.starting.spawning',
        'busy.starting.awaiting.registering',
        'busy.starting.awaiting.booting',
        'busy.starting.awaiting.preparing',
        'resting.running',
      ])
      events.close()
      expect((await routes.get(NAME)).json).toEqual({ ok: true, ...AVD, running: true })
      const device = { type: 'emulator', avdName: NAME, serial, booted: true, supported: true, unsupportedReasons: [] }
      expect((await routes.running()).json).toEqual({ ok: true, devices: [device] })
    })

    test('running: it is not started, made or deleted; the CLI says the same', async () => {
      expect(refusalIn(await routes.start(NAME))).toEqual([409, 'EMULATOR_ALREADY_RUNNING'])
      expect(refusalIn(await routes.create({ name: NAME }))).toEqual([409, 'EMULATOR_ALREADY_EXISTS'])
      expect(refusalIn(await routes.delete(NAME))).toEqual([409, 'EMULATOR_ALREADY_RUNNING'])
      const cli = await lab.svc(['emulators', 'start', NAME])
      expect(cli.json()).toMatchObject({ code: 'EMULATOR_ALREADY_RUNNING', details: { avdName: NAME } })
      expect(cli.code).toBe(1)
      const listed = await lab.svc(['emulators', 'running'])
      expect(listed.json()).toEqual((await routes.running()).json)
    })

    test('stop waits until it is gone, delete removes it', async () => {
      expect((await routes.stop(NAME)).json).toEqual({ ok: true, avdName: NAME, stopped: true })
      expect(lab.alive('emulator')).toEqual([])
      expect((await routes.running()).json).toEqual({ ok: true, devices: [] })
      expect((await routes.delete(NAME)).json).toEqual({ ok: true, avdName: NAME, deleted: true })
      expect(lab.sdk.calls('avdmanager').at(-1)?.argv).toEqual(['delete', 'avd', '--name', NAME])
      expect((await routes.list()).json).toEqual({ ok: true, avds: [] })
    })
  })
})

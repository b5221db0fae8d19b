/** AVDs that cannot be made or deleted: the answer says why, and half of an AVD is never left behind. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AvdManagerMode, SdkManagerMode } from '../../fixtures/sdk/modes.ts'
import {
  ABI,
  type EmulatorLab,
  type Failure,
  failureIn,
  OTHER_IMAGE,
  type Routes,
  refusalIn,
  routesOf,
  startEmulatorLab,
} from '../../support/emulators/emulator-lab.ts'
import { needs } from '../../support/needs.ts'

const CREATE = 'ANDROID_AVD_CREATE_FAILED'
const INSTALL = 'ANDROID_SYSTEM_IMAGE_INSTALL_FAILED'
/** Not installed. */
const NEW = { name: 'new', apiLevel: 33, abi: ABI }
const READY = { name: 'half', abi: ABI }

describe.skipIf(!needs('adb'))('an AVD', () => {
  let lab: EmulatorLab
  let routes: Routes
  beforeAll(async () => {
    lab = await startEmulatorLab()
    const limits = { SVC_EMULATOR_INSTALL_S: '3', SVC_EMULATOR_CREATE_S: '3' }
    routes = routesOf((await lab.serve(limits)).url)
  })
  afterAll(() => lab.close())

  const files = () => readdirSync(lab.sdk.avdHome)
  const create = async (body: object): Promise<Failure & { status: number }> => {
    const answer = await routes.create(body)
    return { status: answer.status, ...failureIn(answer) }
  }

  test.each([
    ['a full disk', { fault: 'no-space' }, /No space left/, /Free space/],
    ['a connection that breaks', { fault: 'connection-reset' }, /Connection reset/, /network/],
    ['a broken archive', { fault: 'bad-archive' }, /unknown archive/, undefined],
    ['no network', { fault: 'no-network' }, /Failed to download/, /network|--list/],
    ['a broken Java', { fault: 'crash' }, /NoClassDefFoundError/, undefined],
  ] as [string, SdkManagerMode, RegExp, RegExp | undefined][])(
    'is not made without its image: %s',
    async (_what, sdkmanager, output, hint) => {
      lab.sdk.setModes({ sdkmanager })
      const failed = await create(NEW)
      expect([failed.status, failed.code]).toEqual([500, INSTALL])
      expect(failed.details.output).toMatch(output)
      expect(failed.details).toMatchObject({ avdName: 'new', tool: 'sdkmanager', exitCode: 1 })
      if (hint) expect(failed.hint).toMatch(hint)
      expect(files()).toEqual([])
    },
  )

  test('is not made when a tool hangs: it is ended, and what it made is removed', async () => {
    lab.sdk.setModes({
      sdkmanager: { fault: 'hang-installing', ignoresSigterm: true },
      avdmanager: { fault: 'hang-creating' },
    })
    const [installed, made] = await Promise.all([create(NEW), create(READY)])
    expect([installed.code, installed.message]).toEqual([INSTALL, expect.stringMatching(/did not end within \d s\.$/)])
    expect([made.code, made.message]).toEqual([CREATE, expect.stringMatching(/avdmanager did not end within 3 s\.$/)])
    expect(files()).toEqual([])
    expect(lab.alive()).toEqual([])
  })

  test.each([
    ['dies halfway', { fault: 'dies-halfway' }, /Failed to copy userdata\.img/],
    ['has a full disk', { fault: 'no-space' }, /No space left/],
    ['crashes', { fault: 'crash' }, /NoClassDefFoundError/],
  ] as [string, AvdManagerMode, RegExp][])('is removed again when avdmanager %s', async (_what, avdmanager, output) => {
    lab.sdk.setModes({ avdmanager })
    const failed = await create(READY)
    expect([failed.status, failed.code]).toEqual([500, CREATE])
    expect(failed.details.output).toMatch(output)
    expect(files()).toEqual([])
    expect((await routes.get('half')).json).toMatchObject({ ok: true, exists: false })
  })

  test('of a kind that does not exist is not made', async () => {
    lab.sdk.setModes({})
    const profile = await create({ ...READY, deviceProfile: 'no_phone' })
    expect([profile.code, profile.hint]).toEqual([CREATE, expect.stringContaining('avdmanager list device')])
    const image = await create({ ...READY, apiLevel: 99 })
    expect([image.code, image.hint]).toEqual([INSTALL, expect.stringContaining('sdkmanager --list')])
    expect(files()).toEqual([])
  })

  test('is not made when the licence of its image is declined', async () => {
    const path = join(lab.sdk.root, 'declining')
    // Nobody answers its question, and the real tool calls that a success.
    writeFileSync(path, `#!/bin/sh\nexec '${lab.sdk.paths.sdkmanager}' "$@" < /dev/null\n`)
    chmodSync(path, 0o755)
    renameSync(join(lab.sdk.root, 'licenses'), join(lab.sdk.root, 'no-licenses'))
    const { code, ...ended } = await lab.svc(['emulators', 'create', 'new', '--api-level', '33', '--abi', ABI], {
      env: { SDKMANAGER_PATH: path },
    })
    expect([code, ended.json()]).toEqual([
      1,
      expect.objectContaining({
        code: INSTALL,
        message: expect.stringContaining('reported success, but the image is not installed'),
        hint: expect.stringContaining('sdkmanager --licenses'),
      }),
    ])
    renameSync(join(lab.sdk.root, 'no-licenses'), join(lab.sdk.root, 'licenses'))
  })

  test('that is there already, registered or not, is never touched', async () => {
    lab.sdk.setModes({ avdmanager: { fault: 'dies-halfway' } })
    const folder = join(lab.sdk.avdHome, 'half.avd')
    mkdirSync(folder)
    writeFileSync(join(folder, 'mine'), '')
    const failed = await create(READY)
    expect([failed.code, failed.message]).toEqual([CREATE, expect.stringContaining(`${folder} is in the way`)])
    expect(readdirSync(folder)).toEqual(['mine'])
    lab.sdk.addAvd({ name: 'theirs', image: OTHER_IMAGE })
    const before = readFileSync(join(lab.sdk.avdHome, 'theirs.avd', 'config.ini'))
    expect(refusalIn(await routes.create({ name: 'theirs', abi: ABI }))).toEqual([409, 'EMULATOR_ALREADY_EXISTS'])
    expect(readFileSync(join(lab.sdk.avdHome, 'theirs.avd', 'config.ini'))).toEqual(before)
  })

  test('is made with the flags of the command line as over HTTP', async () => {
    lab.sdk.setModes({ avdmanager: { asks: false } })
    const flags = ['--api-level', '34', '--abi', ABI, '--device-profile', 'pixel_8', '--no-play-store']
    const { stdout, code } = await lab.svc(['emulators', 'create', 'cli', ...flags, '--storage-size', '20g'])
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      {
        ok: true,
        name: 'cli',
        exists: true,
        running: false,
        apiLevel: 34,
        abi: ABI,
        playStore: false,
        deviceProfile: 'pixel_8',
        systemImage: OTHER_IMAGE,
        supported: false,
        unsupportedReasons: ['missing_play_store', 'unsupported_api_level', 'unsupported_device_profile'],
      },
    ])
    const config = readFileSync(join(lab.sdk.avdHome, 'cli.avd', 'config.ini'), 'utf8')
    expect(config).toMatch(/^disk\.dataPartition\.size=20G$/m)
    const deleted = await lab.svc(['emulators', 'delete', 'cli'])
    expect(deleted.json()).toEqual({ ok: true, avdName: 'cli', deleted: true })
  })

  test('that cannot be deleted is said to be there', async () => {
    lab.sdk.setModes({ avdmanager: { fault: 'delete-fails' } })
    lab.addAvds('kept')
    const refused = await routes.delete('kept')
    expect([refused.status, failureIn(refused)]).toEqual([
      500,
      expect.objectContaining({ code: 'ANDROID_AVD_DELETE_FAILED' }),
    ])
    expect((await routes.get('kept')).json).toMatchObject({ exists: true })
  })

  test.each(['path', 'path.rel'])('whose ini names a folder elsewhere (%s) takes nothing with it', async key => {
    lab.sdk.setModes({})
    lab.addAvds('astray')
    const elsewhere = join(lab.sdk.home, 'elsewhere.avd')
    mkdirSync(elsewhere, { recursive: true })
    writeFileSync(join(elsewhere, 'mine'), '')
    const value = key === 'path' ? elsewhere : '../elsewhere.avd'
    writeFileSync(join(lab.sdk.avdHome, 'astray.ini'), `avd.ini.encoding=UTF-8\n${key}=${value}\n`)
    const refused = failureIn(await routes.delete('astray'))
    expect(refused.code).toBe('ANDROID_AVD_DELETE_FAILED')
    expect(refused.message).toContain(`${elsewhere}, outside the AVD home`)
    expect(readdirSync(elsewhere)).toEqual(['mine'])
    expect(existsSync(join(lab.sdk.avdHome, 'astray.ini'))).toBe(true)
  })

  test.each([
    'no-config',
    'no-folder',
    'no-path',
    'binary-ini',
    'binary-config',
    'no-image',
    'unknown-device',
  ] as const)('that is broken (%s) can be deleted', async harm => {
    lab.sdk.setModes({})
    lab.addAvds(harm)
    lab.sdk.breakAvd(harm, harm)
    expect((await routes.delete(harm)).json).toEqual({ ok: true, avdName: harm, deleted: true })
    expect(files().filter(file => file.startsWith(`${harm}.`))).toEqual([])
  })
})

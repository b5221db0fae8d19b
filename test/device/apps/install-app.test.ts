/** install_app in the words of several versions of Android, and on a simulated phone. */
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { chunksOf } from '../../../src/device/link/buffers.ts'
import { type Link, LinkError } from '../../../src/device/link/link.ts'
import { StepFailure } from '../../../src/device/screen/step-failure.ts'
import { runHostStep } from '../../../src/device/steps/run-host-step.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import type { PhoneOptions } from '../../../src/simulator/device.ts'
import { phoneLink } from '../../support/adb/phone-link.ts'
import { type BuiltApk, builtApk } from '../../support/device/built-apk.ts'
import { type Answer, scriptedLink } from '../../support/device/scripted-link.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { phoneOf } from '../../support/simulator/simulated-phone.ts'
import { temporary } from '../../support/temporary.ts'

const NAME = 'com.example.built'
const folder = temporary('svc-install-')
let files = 0
const fileOf = (content: Uint8Array): string => {
  const path = join(folder(), `${files++}.apk`)
  writeFileSync(path, content)
  return path
}
const apkFile = (options: BuiltApk = {}) => fileOf(builtApk(options))

interface Params {
  grantPermissions?: boolean
  downgrade?: boolean
}
const action = (paths: readonly string[], params: Params = {}) => ({
  ...{ id: 'a', type: 'install_app' as const },
  params: { paths: [...paths], grantPermissions: false, downgrade: false, ...params },
})

type Told = { what: string; done: number; total: number }

interface More {
  mayAct?: () => void
  told?: (told: Told) => void
  fileRoots?: readonly string[]
}

const optionsFor = (link: Link, more: More = {}) => {
  const clock = manualClock()
  const signal = new AbortController().signal
  return { link, clock, deadline: clock.now() + 120_000, signal, screenshotPath: () => '', ...more }
}

/** The lines of the device without those that only ask. */
const acting = (commands: readonly string[]) => commands.filter(command => /install/.test(command))

const dumpOf = (version: number) =>
  [
    'Packages:',
    `  Package [${NAME}] (1a2b3c4):`,
    '    userId=10123',
    `    versionCode=${version} minSdk=24 targetSdk=34`,
    '    versionName=1.2',
    '    User 10: ceDataInode=1 installed=true stopped=false enabled=0',
    '',
  ].join('\n')

interface Script {
  answer?: Answer
  before?: string
  after?: string
  free?: string
  maker?: string
}

/** A device whose answers are given; what it was sent is read to the end. */
const device = ({ answer = 'Success\n', before = '', after = dumpOf(7), free, maker = 'Google' }: Script = {}) => {
  let isInstalled = false
  let received = 0
  const scripted = scriptedLink(async command => {
    if (command === 'am get-current-user') return '10\n'
    if (command.startsWith('getprop')) return `${maker}\n`
    if (command.startsWith('df'))
      return free ?? 'Filesystem 1K-blocks Used Available Use% Mounted on\n/dev/block/dm-5 9 8 999999 1% /data\n'
    if (command.startsWith('dumpsys package')) return isInstalled ? after : before
    isInstalled = true
    return answer
  })
  const link: Link = {
    ...scripted,
    async shell(command, { stdin = new Uint8Array(), ...options }) {
      for await (const chunk of chunksOf(stdin)) received += chunk.length
      return scripted.shell(command, options)
    },
  }
  return { link, commands: scripted.commands, received: () => received }
}

describe('what is sent', () => {
  test('one APK goes the way of adb, for the user in front', async () => {
    const { link, commands, received } = device()
    const apk = builtApk()
    const { stepResults, error } = await runHostStep(action([fileOf(apk)]), optionsFor(link))
    expect(error).toBeNull()
    expect(stepResults[0]?.data).toEqual({
      ...{ application_id: NAME, version_name: '1.2', version_code: '7', replaced: 'false' },
    })
    expect(acting(commands)).toEqual([`cmd package install -r --user 10 -S ${apk.length}`])
    expect(received()).toBe(apk.length)
  })

  test('the options that were asked for, and -t for an APK that is for tests', async () => {
    const { link, commands } = device({ before: dumpOf(6) })
    const path = apkFile({ testOnly: true })
    const params = { grantPermissions: true, downgrade: true }
    const { stepResults } = await runHostStep(action([path], params), optionsFor(link))
    expect(stepResults[0]?.data).toMatchObject({ replaced: 'true' })
    expect(acting(commands)[0]).toMatch(/^cmd package install -r -d -g -t --user 10 -S \d+$/)
  })

  test('no name that somebody has chosen reaches the shell', async () => {
    const { link, commands } = device()
    const path = join(folder(), "$(reboot) '; reboot #.apk")
    writeFileSync(path, builtApk())
    expect((await runHostStep(action([path, apkFile({ split: 'a' })]), optionsFor(link))).error).toBeNull()
    expect(commands.join('\n')).not.toContain('reboot')
  })

  test('how far it is, up to the end', async () => {
    const told: Told[] = []
    const apk = builtApk({ bytes: 3_000_000 })
    await runHostStep(action([fileOf(apk)]), optionsFor(device().link, { told: one => told.push(one) }))
    expect(told.length).toBeGreaterThan(2)
    expect(told.at(-1)).toMatchObject({ done: apk.length, total: apk.length })
    expect(told.map(({ done }) => done)).toEqual(told.map(({ done }) => done).sort((a, b) => a - b))
  })
})

describe('refused before anything is sent', () => {
  const refused = async (paths: readonly string[], script: Script = {}) => {
    const { link, commands } = device(script)
    const { stepResults, error } = await runHostStep(action(paths), optionsFor(link))
    expect(acting(commands)).toEqual([])
    return { ...error, reason: stepResults[0]?.data.reason }
  }

  test('a file that is not there, a folder, and a device', async () => {
    mkdirSync(join(folder(), 'folder.apk'))
    const none = join(folder(), 'none.apk')
    expect(await refused([none])).toMatchObject({ code: 'FILE_NOT_FOUND', message: expect.stringContaining(none) })
    expect(await refused([join(folder(), 'folder.apk')])).toMatchObject({ code: 'FILE_NOT_FOUND' })
    expect(await refused(['/dev/zero'])).toMatchObject({
      code: 'FILE_NOT_FOUND',
      message: expect.stringContaining('not a regular file'),
    })
  })

  test('a link that leads out of the folders of this caller', async () => {
    const inside = join(folder(), 'inside')
    mkdirSync(inside)
    writeFileSync(join(inside, 'own.apk'), builtApk())
    symlinkSync(join(inside, 'own.apk'), join(inside, 'link.apk'))
    symlinkSync(apkFile(), join(inside, 'out.apk'))
    const codeOf = async (name: string) => {
      const { link } = device()
      const options = optionsFor(link, { fileRoots: [inside] })
      return (await runHostStep(action([join(inside, name)]), options)).error?.code
    }
    expect([await codeOf('own.apk'), await codeOf('link.apk'), await codeOf('out.apk')]).toEqual([
      undefined,
      undefined,
      'FILE_REFUSED',
    ])
  })

  test('what is not an APK, by a word on why', async () => {
    const path = fileOf(Buffer.from('just some text, longer than the shortest archive'))
    expect(await refused([path])).toMatchObject({
      ...{ code: 'INSTALL_FAILED', reason: 'NOT_AN_APK' },
      message: expect.stringContaining(`${path} is not an APK: it is not a ZIP archive`),
      hint: expect.stringContaining('.aab'),
    })
  })

  test.each([
    [{ packageName: 'com.example.other', split: 'a' }, 'is of com.example.other'],
    [{ versionCode: 8, split: 'a' }, 'is of version code 8'],
  ])('APKs that do not belong together: %j', async (other, message) => {
    expect(await refused([apkFile(), apkFile(other)])).toMatchObject({
      ...{ code: 'INSTALL_FAILED', reason: 'PACKAGES_DIFFER', message: expect.stringContaining(message) },
    })
  })

  test('more bytes than the device has room for', async () => {
    const free = 'Filesystem            1K-blocks Used Available Use% Mounted on\n/dev/block/dm-5 100 99 1 99% /data\n'
    expect(await refused([apkFile({ bytes: 2_000 })], { free })).toMatchObject({
      ...{ code: 'INSTALL_FAILED', reason: 'INSTALL_FAILED_INSUFFICIENT_STORAGE' },
      message: expect.stringContaining('1024 free; nothing was sent'),
    })
  })

  test('a host that lost the phone meanwhile does not act', async () => {
    const { link, commands } = device()
    const mayAct = () => {
      throw new StepFailure('FLEET_HOST_GONE', 'another host owns it')
    }
    expect((await runHostStep(action([apkFile()]), optionsFor(link, { mayAct }))).error).toMatchObject({
      code: 'FLEET_HOST_GONE',
    })
    expect(acting(commands)).toEqual([])
  })
})

test('a device that does not say how much room it has is asked to install all the same', async () => {
  const { error } = await runHostStep(action([apkFile()]), optionsFor(device({ free: 'df: not found\n' }).link))
  expect(error).toBeNull()
})

describe('refused by the device', () => {
  const UPDATE = 'INSTALL_FAILED_UPDATE_INCOMPATIBLE'
  test.each<[string, Answer, string | undefined, string]>([
    [
      'Android 8',
      'Failure [INSTALL_FAILED_NO_MATCHING_ABIS: x, res=-113]\n',
      'INSTALL_FAILED_NO_MATCHING_ABIS',
      'ABIS',
    ],
    [
      'a code without a text',
      { stdout: 'Failure [INSTALL_FAILED_OLDER_SDK]\n', exitCode: 1 },
      'INSTALL_FAILED_OLDER_SDK',
      '',
    ],
    [
      'brackets in the text',
      `Failure [${UPDATE}: Existing [a] b: c; ignoring!]\n`,
      UPDATE,
      'Existing [a] b: c; ignoring!',
    ],
    [
      'a removal that failed behind it',
      'Failure [DELETE_FAILED_INTERNAL_ERROR]\nFailure [INSTALL_FAILED_ABORTED: User rejected permissions]\n',
      'INSTALL_FAILED_ABORTED',
      'User rejected permissions',
    ],
    ['a number of MIUI', 'Failure [-99]\n', undefined, '-99'],
    [
      'an exception',
      {
        exitCode: 255,
        stderr:
          "\nException occurred while executing 'install':\njava.io.IOException: Requested internal only, but not enough space\n\tat com.android.server.pm.X\n",
      },
      'INSTALL_FAILED_INSUFFICIENT_STORAGE',
      'not enough space',
    ],
    [
      'an option that a maker has locked',
      { exitCode: 255, stderr: 'java.lang.SecurityException: Neither user 2000 nor current process has GRANT\n' },
      undefined,
      'SecurityException',
    ],
    ['nothing at all', { exitCode: 0 }, undefined, 'did not say Success'],
  ])('%s', async (_, answer, reason, message) => {
    const { stepResults, error } = await runHostStep(action([apkFile()]), optionsFor(device({ answer }).link))
    expect(error).toMatchObject({ code: 'INSTALL_FAILED', message: expect.stringContaining(message) })
    expect(stepResults[0]?.data.reason).toBe(reason)
  })

  test.each([
    ['Xiaomi', 'INSTALL_FAILED_USER_RESTRICTED: Install canceled by user', 'Install via USB'],
    ['realme', 'INSTALL_FAILED_ABORTED', 'Disable permission monitoring'],
    ['vivo', 'INSTALL_FAILED_VERIFICATION_FAILURE', 'USB security permissions'],
    ['Google', 'INSTALL_FAILED_VERIFICATION_FAILURE: x', 'Verify apps over USB'],
    ['Xiaomi', 'INSTALL_FAILED_MISSING_SPLIT: x', 'Give all APKs'],
  ])('%s with %s has its hint', async (maker, failure, hint) => {
    const { link } = device({ answer: `Failure [${failure}]\n`, maker })
    const { error } = await runHostStep(action([apkFile()]), optionsFor(link))
    expect(error?.hint).toContain(hint)
  })

  test.each([
    ['has no com.example.built', ''],
    ['has version code 6 of com.example.built where 7 was sent', dumpOf(6)],
  ])('a Success that is none: %s', async (message, after) => {
    const { error } = await runHostStep(action([apkFile()]), optionsFor(device({ after }).link))
    expect(error).toMatchObject({ code: 'INSTALL_FAILED', message: expect.stringContaining(message) })
  })
})

describe('cut off in the middle', () => {
  /** Takes some bytes and then fails. */
  const failing = (error: unknown, bytes: number) => {
    const { link } = device()
    const asked = link.shell
    link.shell = async (command, options) => {
      if (!options.stdin) return asked(command, options)
      let taken = 0
      for await (const chunk of chunksOf(options.stdin)) {
        taken += chunk.length
        if (taken >= bytes) break
      }
      throw error
    }
    return link
  }
  const big = () => apkFile({ bytes: 4_000_000 })
  const timeout = new LinkError('LINK_TIMEOUT', 'it took too long')

  test('by its time: what is not whole was not installed', async () => {
    const { error } = await runHostStep(action([big()]), optionsFor(failing(timeout, 500_000)))
    expect(error).toMatchObject({ code: 'INSTALL_FAILED', message: expect.stringContaining('nothing was installed') })
  })

  test('by its time after the last byte: nobody knows', async () => {
    await expect(runHostStep(action([big()]), optionsFor(failing(timeout, 9_000_000)))).rejects.toBe(timeout)
  })

  test('by the loss of the link: that is for the execution to say', async () => {
    const lost = new LinkError('DEVICE_LINK_LOST', 'gone')
    await expect(runHostStep(action([big()]), optionsFor(failing(lost, 500_000)))).rejects.toBe(lost)
  })

  test('by a phone that changes its owner', async () => {
    let asked = 0
    const mayAct = () => {
      if (++asked > 3) throw new StepFailure('FLEET_HOST_GONE', 'another host owns it')
    }
    const whole = device()
    const { error } = await runHostStep(action([big()]), optionsFor(whole.link, { mayAct }))
    expect(error).toMatchObject({ code: 'FLEET_HOST_GONE' })
    expect(whole.received()).toBeLessThan(4_000_000)
  })

  test('by a file that became shorter', async () => {
    const path = big()
    const told = (one: Told) => void (one.done < 2_000_000 && truncateSync(path, 2_500_000))
    const { error } = await runHostStep(action([path]), optionsFor(device().link, { told }))
    expect(error).toMatchObject({
      code: 'INSTALL_FAILED',
      message: expect.stringContaining('became shorter'),
      hint: 'Wait until the file is complete, then install it again.',
    })
  })
})

describe('on a simulated phone', () => {
  const setup = (more: Partial<PhoneOptions> = {}) => {
    const clock = systemClock()
    const phone = phoneOf(more)
    const link = phoneLink(phone, clock)
    const run = async (line: string) => (await link.shell(line, { deadline: clock.now() + 9_000 })).stdout
    const install = (paths: readonly string[], params: Params = {}) =>
      runHostStep(action(paths, params), optionsFor(link))
    const sessions = () =>
      (phone.files.list('/data/app') ?? []).map(({ name }) => name).filter(name => /^vmdl/.test(name))
    return { phone, run, install, sessions }
  }

  test('a base and its splits, as every list then says', async () => {
    const { run, install, sessions } = setup()
    const paths = [apkFile({ splitRequired: true }), apkFile({ split: 'config.fr' }), apkFile({ split: 'config.x86' })]
    const { stepResults, error } = await install(paths)
    expect(error).toBeNull()
    expect(stepResults[0]?.data).toMatchObject({ version_code: '7', replaced: 'false' })
    expect((await run(`pm path ${NAME}`)).split('\n').sort().slice(1)).toEqual([
      `package:/data/app/${NAME}/base.apk`,
      `package:/data/app/${NAME}/split_config.fr.apk`,
      `package:/data/app/${NAME}/split_config.x86.apk`,
    ])
    expect(await run(`dumpsys package ${NAME}`)).toContain('splits=[base, config.fr, config.x86]')
    expect(await run(`pm list packages --show-versioncode ${NAME}`)).toBe(`package:${NAME} versionCode:7\n`)
    expect(sessions()).toEqual([])
    expect(await run(`pm uninstall ${NAME}`)).toBe('Success\n')
    expect(await run('ls /data/app')).toBe('')
  })

  test.each<[string, readonly BuiltApk[], string]>([
    ['a base that needs a split', [{ splitRequired: true }], 'INSTALL_FAILED_MISSING_SPLIT'],
    ['a split alone', [{ split: 'a' }], 'INSTALL_FAILED_INVALID_APK'],
    ['the same split twice', [{}, { split: 'a' }, { split: 'a' }], 'INSTALL_FAILED_INVALID_APK'],
    ['splits of other hands', [{}, { split: 'a', signedBy: 'else' }], 'INSTALL_FAILED_INVALID_APK'],
    ['an APK that nobody signed', [{ signedBy: undefined }], 'INSTALL_PARSE_FAILED_NO_CERTIFICATES'],
    ['an APK for a newer Android', [{ minSdk: 99 }], 'INSTALL_FAILED_OLDER_SDK'],
  ])('refuses %s, and keeps no session', async (_, apks, reason) => {
    const { install, sessions, run } = setup()
    const { stepResults } = await install(apks.map(apkFile))
    expect(stepResults[0]?.data).toMatchObject({ error: 'INSTALL_FAILED', reason })
    expect([sessions(), await run('ls /data/local/tmp')]).toEqual([[], ''])
  })

  test('an update, one by someone else, and a way back only for what can be debugged', async () => {
    const { install } = setup()
    const reasonOf = async (apk: BuiltApk, params: Params = {}) =>
      (await install([apkFile(apk)], params)).stepResults[0]?.data.reason
    expect(await reasonOf({ versionCode: 5 })).toBeUndefined()
    expect(await reasonOf({ versionCode: 6, signedBy: 'else' })).toBe('INSTALL_FAILED_UPDATE_INCOMPATIBLE')
    expect(await reasonOf({ versionCode: 6, debuggable: true })).toBeUndefined()
    expect(await reasonOf({ versionCode: 5, debuggable: true })).toBe('INSTALL_FAILED_VERSION_DOWNGRADE')
    expect(await reasonOf({ versionCode: 5 }, { downgrade: true })).toBeUndefined()
    expect(await reasonOf({ versionCode: 4 }, { downgrade: true })).toBe('INSTALL_FAILED_VERSION_DOWNGRADE')
  })

  test('a caller that goes in the middle leaves no session', async () => {
    const { phone, sessions, run } = setup()
    const link = phoneLink(phone, systemClock())
    const gone = new AbortController()
    const first = builtApk()
    const paths = [fileOf(first), apkFile({ split: 'a', bytes: 3_000_000 })]
    let sessionsThen: string[] = []
    const told = ({ done }: Told) => {
      if (done < first.length + 1_000_000) return
      sessionsThen = sessions()
      gone.abort()
    }
    const options = { ...optionsFor(link), signal: gone.signal, told }
    await runHostStep(action(paths), options).catch(() => {})
    expect(sessionsThen).toHaveLength(1)
    expect([sessions(), await run(`pm path ${NAME}`)]).toEqual([[], ''])
  })

  test('what was installed opens, shows its name, and is gone when it is removed', async () => {
    const { run, install, phone } = setup()
    await install([apkFile()])
    expect(await run(`cmd package resolve-activity --brief ${NAME}`)).toContain(`${NAME}/.MainActivity`)
    expect(await run(`am start -W -n ${NAME}/.MainActivity`)).toContain('Status: ok')
    expect(phone.foreground()).toMatchObject({ packageName: NAME })
    expect(JSON.stringify(phone.tree())).toContain('Version 1.2 (7)')
    await run(`pm uninstall ${NAME}`)
    expect(phone.foreground().packageName).not.toBe(NAME)
    expect(await run(`am start -n ${NAME}/.MainActivity`)).not.toContain('Status: ok')
  })
})

describe('a time that is over before anything is sent', () => {
  const LATE =
    'Step "a" (install_app) failed: the time of the execution was over before anything was sent; nothing was installed.'

  test.each(['am get-current-user', 'dumpsys package', 'df'])('while the phone is asked: %s', async question => {
    const { link, commands } = device()
    const options = optionsFor(link)
    const asked = link.shell
    link.shell = async (command, rest) => {
      if (!command.startsWith(question)) return asked(command, rest)
      options.clock.advance(120_000)
      throw new LinkError('LINK_TIMEOUT', 'it took too long')
    }
    const { error } = await runHostStep(action([apkFile()]), options)
    expect(error).toMatchObject({ code: 'INSTALL_FAILED', message: LATE })
    expect(acting(commands)).toEqual([])
  })

  test('while files of the host are read', async () => {
    const { link, commands } = device()
    const options = optionsFor(link)
    const paths = Array.from({ length: 30 }, () => apkFile())
    const running = runHostStep(action(paths), options)
    options.clock.advance(120_000)
    const { error } = await running
    expect(error).toMatchObject({ code: 'INSTALL_FAILED', message: LATE })
    expect(commands).toEqual([])
  })
})

/** Installing, through the shell of a phone. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import type { PhoneOptions } from '../../../src/simulator/device.ts'
import { defaultScenario } from '../../../src/simulator/scenario/default/apps.ts'
import { parseScenario } from '../../../src/simulator/scenario/scenario.ts'
import { bytesInput, emptyInput } from '../../../src/simulator/shell/io.ts'
import { createShell } from '../../../src/simulator/shell/shell.ts'
import { builtApk } from '../../support/device/built-apk.ts'
import { keyboardApk, snapshotApk } from '../../support/device/helper-apks.ts'
import { phoneOf } from '../../support/simulator/simulated-phone.ts'

const PACKAGE = 'com.callstack.agentdevice.snapshothelper'

const setup = (more: Partial<PhoneOptions> = {}) => {
  const clock = systemClock()
  const phone = phoneOf(more)
  const shell = createShell({ phone, clock })
  const run = async (line: string, stdin?: Uint8Array) => {
    const said: Uint8Array[] = []
    const keep = async (bytes: Uint8Array) => void said.push(bytes)
    const code = await shell.run(line, {
      stdin: stdin ? bytesInput(stdin) : emptyInput,
      stdout: keep,
      stderr: keep,
      signal: new AbortController().signal,
    })
    return { code, bytes: Buffer.concat(said), said: Buffer.concat(said).toString() }
  }
  const install = (apk: Uint8Array, options = '-r') => run(`cmd package install ${options} -S ${apk.length}`, apk)
  return { phone, run, install }
}

test('an APK from stdin is there with its version, its file, and gone again', async () => {
  const { run, install } = setup()
  const apk = snapshotApk()
  expect((await run(`pm path ${PACKAGE}`)).code).toBe(1)
  expect(await install(apk)).toMatchObject({ code: 0, said: 'Success\n' })
  const path = `/data/app/${PACKAGE}/base.apk`
  expect((await run(`pm path ${PACKAGE}`)).said).toBe(`package:${path}\n`)
  expect((await run(`cmd package list packages --show-versioncode ${PACKAGE}`)).said).toBe(
    `package:${PACKAGE} versionCode:21005\n`,
  )
  expect((await run(`dumpsys package ${PACKAGE}`)).said).toContain('versionCode=21005')
  expect(
    createHash('sha256')
      .update((await run(`cat ${path}`)).bytes)
      .digest('hex'),
  ).toBe(createHash('sha256').update(apk).digest('hex'))
  expect((await run(`pidof ${PACKAGE}`)).code).toBe(1)
  expect((await run(`pm uninstall ${PACKAGE}`)).said).toBe('Success\n')
  expect((await run(`pm uninstall ${PACKAGE}`)).said).toBe('Failure [not installed for 0]\n')
  expect((await run(`cat ${path}`)).code).toBe(1)
})

test('what is not an APK, a second one with -R: refused in the words of Android', async () => {
  const { install, run } = setup()
  expect((await install(Buffer.from('no archive'))).said).toMatch(/^Failure \[INSTALL_PARSE_FAILED_NOT_APK: /)
  await install(snapshotApk())
  expect((await install(snapshotApk(), '-R')).said).toMatch(/^Failure \[INSTALL_FAILED_ALREADY_EXISTS: /)
  expect((await install(snapshotApk(), '')).said).toBe('Success\n')
  expect((await run('pm install /data/local/tmp/none.apk')).said).toContain('Unable to open file')
  expect((await run('cmd package install -S 100', Buffer.from('short'))).said).toContain('INSTALL_PARSE_FAILED_NOT_APK')
})

test('who brought a package is the same in every list and in its dump', async () => {
  const { run, install } = setup()
  await install(snapshotApk())
  const names = async (options: string) =>
    (await run(`pm list packages ${options}`)).said.split('\n').flatMap(row => row.slice('package:'.length) || [])
  const [all, system, own] = [await names(''), await names('-s'), await names('-3')]
  expect([...system, ...own].sort()).toEqual(all)
  expect(system).toEqual(expect.arrayContaining(['android', 'com.android.launcher3', 'com.android.settings']))
  expect(own).toEqual(expect.arrayContaining([PACKAGE, 'com.svc.operator']))
  expect(own.filter(name => /^android$|^com\.android\./.test(name))).toEqual([])
  expect([await names('-3 -s'), await names('-3 settings'), await names('-s com.android.settings')]).toEqual([
    [],
    [],
    ['com.android.settings'],
  ])
  for (const name of all) {
    const isSystem = system.includes(name)
    const dump = (await run(`dumpsys package ${name}`)).said
    expect(/pkgFlags=\[ SYSTEM /.test(dump)).toBe(isSystem)
    const [, path, uid] = /^package:(.*)=\S+ {2}installer=null uid:(\d+)\n$/.exec(
      (await run(`pm list packages -f -U -i --uid ${/appId=(\d+)/.exec(dump)?.[1]} ${name}`)).said,
    ) ?? ['', '', '']
    expect(path?.startsWith(isSystem ? '/system/' : '/data/app/')).toBe(true)
    expect((await run(`pm path ${name}`)).said).toBe(`package:${path}\n`)
    expect(dump).toContain(`appId=${uid}\n    codePath=${path?.replace(/\/[^/]*$/, '')}\n`)
  }
  expect(new Set((await run('pm list packages -U')).said.match(/uid:\d+/g)).size).toBe(all.length)
  expect(await run('pm list packages -x')).toMatchObject({ code: 255, said: 'Error: Unknown option: -x\n' })
})

test('what can be opened is listed without the home screen, and opened by its component', async () => {
  const { run } = setup()
  const query = (category: string, more = '') =>
    run(`cmd package query-activities ${more} -a android.intent.action.MAIN -c android.intent.category.${category}`)
  const opened = (await query('LAUNCHER', '--components')).said
  expect(opened).toContain('com.android.settings/.Settings\n')
  expect(opened).not.toContain('launcher3')
  expect((await query('HOME', '--components')).said).toMatch(/^com\.android\.launcher3\/\S+\n$/)
  expect((await query('LEANBACK_LAUNCHER')).said).toBe('No activities found\n')
  expect((await run('cmd package query-activities --brief com.android.settings')).said).toMatch(
    /^1 activities found:\n {2}Activity #0:\n {4}priority=.*\n {4}com\.android\.settings\/\.Settings\n$/,
  )
  const leanback = '-a android.intent.action.MAIN -c android.intent.category.LEANBACK_LAUNCHER com.android.settings'
  expect((await run(`cmd package resolve-activity --brief ${leanback}`)).said).toBe('No activity found\n')
})

test('a fault refuses the one installation it is for, with its code', async () => {
  const { install } = setup({
    faults: [{ after: 1, do: 'install-refused', times: 1, code: 'INSTALL_FAILED_INSUFFICIENT_STORAGE' }],
  })
  expect((await install(keyboardApk())).said).toBe('Success\n')
  expect((await install(snapshotApk())).said).toBe('Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE: not enough space]\n')
  expect((await install(snapshotApk())).said).toBe('Success\n')
})

test('a system that is too old is told so', async () => {
  const scenario = defaultScenario()
  const device = { ...scenario.device, properties: { 'ro.build.version.sdk': '22' } }
  const { install } = setup({ scenario: { ...scenario, device } })
  expect((await install(snapshotApk())).said).toBe(
    'Failure [INSTALL_FAILED_OLDER_SDK: Requires newer sdk version #23 (current version is #22)]\n',
  )
})

test('a session takes APKs from stdin and from files, and installs them together', async () => {
  const { run, phone } = setup()
  const [base, split] = [builtApk({ splitRequired: true }), builtApk({ split: 'a' })]
  const created = (await run('pm install-create -r -S 9000')).said
  const id = /^Success: created install session \[(\d+)\]\n$/.exec(created)?.[1]
  expect((await run(`pm install-write -S ${base.length} ${id} base.apk -`, base)).said).toBe(
    `Success: streamed ${base.length} bytes\n`,
  )
  phone.files.write('/data/local/tmp/s.apk', split)
  expect((await run(`cmd package install-write ${id} a.apk /data/local/tmp/s.apk`)).code).toBe(0)
  expect((await run('pm path com.example.built')).code).toBe(1)
  expect(await run(`pm install-commit ${id}`)).toMatchObject({ code: 0, said: 'Success\n' })
  expect((await run('pm path com.example.built')).said.match(/package:/g)).toHaveLength(2)
  expect((await run(`pm install-commit ${id}`)).said).toContain(`Caller has no access to session ${id}`)
})

test('a session that is dropped, and what it refuses', async () => {
  const { run, phone } = setup()
  const id = /\[(\d+)\]/.exec((await run('pm install-create')).said)?.[1]
  expect(await run(`pm install-write -S 100 ${id} a.apk -`, Buffer.from('short'))).toMatchObject({
    code: 1,
    said: expect.stringContaining('Error: failed to write; Unexpected EOF'),
  })
  expect((await run(`pm install-write -S 5 ${id} ../../x -`, Buffer.from('short'))).said).toContain('Invalid name')
  expect((await run(`pm install-write ${id} a.apk -`)).said).toContain('must specify a APK size')
  await run(`pm install-write -S 5 ${id} a.apk -`, Buffer.from('short'))
  expect(phone.files.list(`/data/app/vmdl${id}.tmp`)).toHaveLength(1)
  expect((await run(`pm install-abandon ${id}`)).said).toBe('Success\n')
  expect(phone.files.list(`/data/app/vmdl${id}.tmp`)).toBeUndefined()
  expect((await run('pm install-create -S 999999999')).said).toContain('not enough space')
})

test('only some APKs of what is installed are replaced with -p', async () => {
  const { run, install } = setup()
  const split = builtApk({ split: 'a' })
  await install(builtApk())
  const id = /\[(\d+)\]/.exec((await run('pm install-create -p com.example.built')).said)?.[1]
  await run(`pm install-write -S ${split.length} ${id} a.apk -`, split)
  expect((await run(`pm install-commit ${id}`)).said).toBe('Success\n')
  expect((await run('pm path com.example.built')).said.match(/package:/g)).toHaveLength(2)
})

test('an application of the scenario is removed, and is itself again when it is installed', async () => {
  const scenario = parseScenario({
    apps: [
      { package: 'com.example.built', label: 'Built', screens: { main: { nodes: [{ text: 'Its own screen' }] } } },
    ],
  })
  if (!scenario.ok) throw new Error(scenario.error)
  const { run, install, phone } = setup(scenario)
  const isThere = async () => (await run('pm path com.example.built')).code === 0
  expect((await install(builtApk())).said).toContain('INSTALL_FAILED_UPDATE_INCOMPATIBLE')
  await run('am start -n com.example.built/.MainActivity')
  expect([await isThere(), phone.foreground().packageName]).toEqual([true, 'com.example.built'])
  expect((await run('pm uninstall com.example.built')).said).toBe('Success\n')
  expect([await isThere(), phone.foreground().packageName]).toEqual([false, 'com.android.launcher3'])
  expect((await run('pm uninstall com.example.built')).said).toBe('Failure [not installed for 0]\n')
  expect((await install(builtApk())).said).toBe('Success\n')
  await run('monkey -p com.example.built -c android.intent.category.LAUNCHER 1')
  expect(JSON.stringify(phone.tree())).toContain('Its own screen')
})

test('what has no room is refused, and what was there stays', async () => {
  const { run, install, phone } = setup()
  expect((await install(builtApk({ versionCode: 1 }))).said).toBe('Success\n')
  const free = phone.files.space()
  phone.files.write('/sdcard/full', new Uint8Array(free.total - free.used - 4_000))
  expect((await install(builtApk({ versionCode: 2, bytes: 8_000 }))).said).toMatch(
    /INSTALL_FAILED_INSUFFICIENT_STORAGE/,
  )
  expect((await run('dumpsys package com.example.built')).said).toContain('versionCode=1 ')
  expect((await run('pm path com.example.built')).code).toBe(0)
  expect((await run('cat /data/app/com.example.built/base.apk')).code).toBe(0)
})

test('an installed APK is granted the permissions that it asks for, and no others', async () => {
  const { run, install } = setup()
  const [camera, contacts] = ['android.permission.CAMERA', 'android.permission.READ_CONTACTS']
  await install(builtApk({ permissions: [camera] }))
  expect((await run(`pm grant com.example.built ${camera}`)).code).toBe(0)
  expect((await run('dumpsys package com.example.built')).said).toContain(`${camera}: granted=true`)
  const refused = await run(`pm grant com.example.built ${contacts}`)
  expect(refused.code).not.toBe(0)
  expect(refused.said).toContain(`Package com.example.built has not requested permission ${contacts}`)
})

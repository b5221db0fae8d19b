/** Installing, through the shell of a phone. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import type { PhoneOptions } from '../../../src/simulator/device.ts'
import { defaultScenario } from '../../../src/simulator/scenario/default/apps.ts'
import { bytesInput, emptyInput } from '../../../src/simulator/shell/io.ts'
import { createShell } from '../../../src/simulator/shell/shell.ts'
import { keyboardApk, snapshotApk } from '../../support/helper-apks.ts'
import { phoneOf } from '../../support/simulated-phone.ts'

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

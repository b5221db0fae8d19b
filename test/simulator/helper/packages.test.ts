/** Installing, through the shell of a phone. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import type { PhoneOptions } from '../../../src/simulator/device.ts'
import { defaultScenario } from '../../../src/simulator/scenario/default/scenario.ts'
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

test('what is not an APK, a second one without -r: refused in the words of Android', async () => {
  const { install, run } = setup()
  expect((await install(Buffer.from('no archive'))).said).toMatch(/^Failure \[INSTALL_PARSE_FAILED_NOT_APK: /)
  await install(snapshotApk())
  expect((await install(snapshotApk(), '')).said).toMatch(/^Failure \[INSTALL_FAILED_ALREADY_EXISTS: /)
  expect((await run('pm install /data/local/tmp/none.apk')).said).toContain('Unable to open file')
  expect((await run('cmd package install -S 100', Buffer.from('short'))).said).toContain('INSTALL_PARSE_FAILED_NOT_APK')
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

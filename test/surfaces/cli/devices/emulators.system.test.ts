/** `svc emulators` on the command line: usage, and progress in a pipe and on a terminal. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCliHere } from '../../../support/cli/cli-here.ts'
import { needsPty, openTestPty } from '../../../support/cli/pty.ts'
import { CLI } from '../../../support/cli/run-cli.ts'
import { ABI, type EmulatorLab, startEmulatorLab } from '../../../support/emulators/emulator-lab.ts'
import { needs } from '../../../support/needs.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const ESCAPES = /[\r\u001b]/

describe('usage', () => {
  test.each([
    [['start'], /start <name>|name/],
    [['start', '--', '-x'], /The name of the AVD must consist of/],
    [['start', '..'], /The name of the AVD must consist of/],
    [['get', 'a/b'], /The name of the AVD must consist of/],
    [['stop', 'a'.repeat(129)], /The name of the AVD must have at most 128 characters/],
    [['create', '--storage-size', '12'], /--storage-size must be a positive whole number of gigabytes/],
    [['create', '--api-level', 'new'], /--api-level must be an API level, such as 35/],
    [['create', '--abi', 'a b'], /--abi must be an ABI/],
    [['provision', '--storage-size', '0G'], /--storage-size/],
    [['boot', 'a'], /emulators/],
  ])('%j', async (args, message) => {
    const { code, ...ended } = await runCliHere(['emulators', ...args])
    expect([code, ended.json()]).toMatchObject([1, { code: 'USAGE', message: expect.stringMatching(message) }])
  })
})

describe.skipIf(!needs('adb'))('progress', () => {
  let lab: EmulatorLab
  beforeAll(async () => {
    lab = await startEmulatorLab({ installed: [], modes: { sdkmanager: { downloadMs: 600 } } })
  })
  afterAll(() => lab.close())

  test('in a pipe it is plain lines on stderr, and stdout holds the result alone', async () => {
    const created = await lab.svc(['emulators', 'create', 'a', '--abi', ABI])
    expect(created.json()).toMatchObject({ ok: true, name: 'a' })
    const lines = created.stderr.trimEnd().split('\n')
    expect(lines[0]).toBe('a: looking at the AVD')
    expect(lines).toEqual(expect.arrayContaining(['a: checking the system image', 'a: creating the AVD']))
    expect(lines.filter(line => /^a: \d+ % /.test(line)).length).toBeGreaterThanOrEqual(3)
    expect(created.stderr).not.toMatch(ESCAPES)
    const started = await lab.svc(['emulators', 'start', 'a', '--output', 'pretty'])
    expect(started.stdout).toMatch(/^\{\n {2}"ok": true,\n {2}"type": "emulator",\n/)
    expect(started.stderr.trimEnd().split('\n')).toEqual([
      'a: looking at the AVD',
      'a: starting the emulator',
      'a: waiting until adb lists it',
      'a: waiting until Android has booted',
      'a: enabling the developer settings',
    ])
  })

  test.skipIf(!needsPty())('on a terminal it is one line that is drawn over, and gone at the end', async () => {
    const { spawn } = await openTestPty()
    const child = spawn(process.execPath, [CLI, 'emulators', 'stop', 'a'], {
      name: 'xterm',
      cols: 60,
      rows: 20,
      cwd: lab.sdk.home,
      env: { ...lab.env, SVC_NO_DAEMON: '1' } as Record<string, string>,
      encoding: null,
    })
    let said = ''
    child.onData(data => {
      said += data.toString()
    })
    const code = await new Promise(resolve => child.onExit(({ exitCode }) => resolve(exitCode)))
    expect(code).toBe(0)
    expect(said).toContain('\r\u001b[Ka: waiting until it has ended (')
    const [progress = '', rest = ''] = said.split('{"ok"')
    expect(progress).not.toContain('\n')
    expect(progress.endsWith('\r\u001b[K')).toBe(true)
    expect(`{"ok"${rest}`.trim()).toBe('{"ok":true,"avdName":"a","stopped":true}')
  })
})

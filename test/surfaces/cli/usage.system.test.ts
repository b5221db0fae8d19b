/** What the real commands refuse before anything is loaded, and what they print without touching a device. */
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { callCli } from '../../support/cli/call-cli.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-usage-')

const payload = {
  commandId: 'c1',
  taskId: 't1',
  source: 'test',
  expectedFormat: 'android-ui-automator',
  timeoutMs: 5_000,
  actions: [{ id: 'a', type: 'tap', params: { selector: { textEquals: 'OK' } } }],
}
const canonical = {
  ...payload,
  actions: [{ id: 'a', type: 'click', params: { matcher: { textEquals: 'OK' }, clickType: 'default' } }],
}
const json = JSON.stringify(payload)
/** Stands for the payload in the tables, so that the names of the tests stay short. */
const P = 'PAYLOAD'
const filledIn = (argv: readonly string[]) => argv.map(word => (word === P ? json : word))

describe('USAGE', () => {
  const table: [string[], string][] = [
    [['exec'], 'The payload is missing: svc exec (<json-or-file> | --payload <json-or-file>)'],
    [['exec', P, '--payload', P], 'The payload is given twice'],
    [['exec', ''], 'The payload is empty'],
    [['exec', 'no-such-file.json'], 'The payload cannot be read: ENOENT'],
    [['exec', '/'], 'The payload cannot be read: EISDIR'],
    [['exec', P, 'more'], '"more" is one argument too many'],
    [['exec', P, '--operator-package', ' ', '--dry-run'], '--operator-package is blank.'],
    [['screenshot', 'a.png', '--path', 'b.png'], 'The path is given twice'],
    [['watch', '--machine', 'devcie'], '--machine must be one of device, '],
    [['watch', '--machine', 'devcie'], 'Did you mean device?'],
    [['on-screen-log'], 'svc on-screen-log needs a subcommand'],
    [['executions'], 'svc executions needs a subcommand'],
    [['executions', 'show'], '<executionId> is missing: svc executions show <executionId>'],
    [['executions', 'list', '--limit', '0'], '--limit must be an integer from 1 to 1000; got "0".'],
    [['executions', 'list', '--limit', 'ten'], '--limit must be an integer'],
    [['watch', '--after', '-1'], '--after must be an integer'],
    [['watch', '--after=1.5'], '--after must be an integer'],
    [['serve', '--port', 'abc'], '--port must be an integer from 0 to 65535; got "abc".'],
    [['serve', '--port', '65536'], '--port must be an integer'],
    [['completion'], '<bash|zsh|fish> is missing'],
    [['completion', 'fihs'], '"fihs" is not one of bash, zsh, fish. Did you mean fish?'],
    [['devices', '--output', 'xml'], '--output must be json, pretty or text; got "xml".'],
    [['clck', '--text', 'OK'], 'There is no command "clck". Did you mean click?'],
    [['click', '--txt', 'OK'], 'svc click has no flag --txt. Did you mean --text?'],
    [['click', '--tesx', 'OK'], 'svc click has no flag --tesx. Did you mean --text?'],
    [['dialog'], '<answer> is missing: svc dialog (accept | dismiss | <label>)'],
  ]
  test.each(table)('svc %j', async (argv, said) => {
    const called = await callCli(filledIn(argv))
    expect(called.code).toBe(1)
    expect(called.json()).toMatchObject({ code: 'USAGE', message: expect.stringContaining(said) })
  })
})

describe('EXECUTION_VALIDATION_FAILED', () => {
  const table: [string[], string][] = [
    [['exec', '{"commandId": }'], 'line 1, column 15'],
    [['exec', '{}'], 'commandId is missing'],
    [['exec', '{}', '--validate-only'], 'commandId is missing'],
    [['exec', P, '--timeout', 'soon', '--dry-run'], 'timeoutMs must be a finite number, but --timeout is "soon"'],
    [['exec', P, '--timeout', '999', '--dry-run'], 'timeoutMs must be an integer from 1000 to 120000'],
    [['screenshot', '', '--dry-run'], 'path'],
    [['click', '@12', '--dry-run'], 'is not a ref such as @12.7'],
    [['click', '5.5', '6', '--dry-run'], 'coordinate.x must be'],
    [['click', '5', '-6', '--dry-run'], 'coordinate.y must be'],
  ]
  test.each(table)('svc %j', async (argv, said) => {
    const called = await callCli(filledIn(argv))
    expect(called.code).toBe(1)
    expect(called.json()).toMatchObject({
      code: 'EXECUTION_VALIDATION_FAILED',
      message: expect.stringMatching(new RegExp(said.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))),
    })
  })

  test.each([
    ['abc', '5000'],
    ['50s', '50000'],
    ['1.5 min', '90000'],
    ['999', '5000'],
  ])('--timeout %s: the unit is named', async (text, ms) => {
    const called = await callCli(['back', '--timeout', text, '--dry-run'])
    const hint = `Give it in whole milliseconds, without a unit: ${ms}.`
    expect(called.json()).toMatchObject({ code: 'EXECUTION_VALIDATION_FAILED', hint })
  })

  test.each([
    ['3m', 1],
    ['soon', 1],
    ['30s', 0],
    ['1m', 0],
    ['30000', 0],
  ])('--wait %s ends with %d', async (wait, expected) => {
    const called = await callCli(['back', '--wait', wait, '--dry-run'])
    expect(called.code).toBe(expected)
    if (expected === 1) {
      const message = expect.stringMatching(/^--wait must be a time from .* to 2 m, such as 30s or 30000; got /)
      expect(called.json()).toMatchObject({ code: 'EXECUTION_VALIDATION_FAILED', message, details: { path: 'waitMs' } })
    }
  })

  test('bytes that are not UTF-8 are not typed into a device as question marks', async () => {
    const stdin = Readable.from([Buffer.from('{"commandId": "'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])
    expect((await callCli(['exec', '-'], { stdin })).json()).toMatchObject({
      code: 'EXECUTION_VALIDATION_FAILED',
      message: 'stdin is not UTF-8 text',
    })
  })

  test('text that is cut between two chunks stays what it is', async () => {
    const bytes = Buffer.from(JSON.stringify({ ...payload, commandId: 'häß' }))
    const cut = bytes.indexOf(0xc3) + 1
    const stdin = Readable.from([bytes.subarray(0, cut), bytes.subarray(cut)])
    expect((await callCli(['exec', '-', '--validate-only'], { stdin })).json()).toMatchObject({
      execution: { commandId: 'häß' },
    })
  })
})

test('a stream without end is given up', async () => {
  const endless = function* () {
    for (;;) yield Buffer.alloc(65_536, ' ')
  }
  const called = await callCli(['exec', '-'], { stdin: Readable.from(endless()) })
  expect(called.json()).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
})

describe('nothing is loaded for', () => {
  test('exec --validate-only: the payload as a device would get it', async () => {
    for (const argv of [
      ['exec', json, '--validate-only'],
      ['exec', ` ${json}`, '--validate-only'],
      ['exec', '--validate-only', '--payload', json],
      ['exec', '--validate-only', `--execution=${json}`],
    ]) {
      const called = await callCli(argv)
      expect(called.json()).toEqual({ ok: true, validated: true, execution: canonical })
      expect(called.code).toBe(0)
    }
  })

  test('exec --dry-run: the plan', async () => {
    const { commandId, timeoutMs, actions } = canonical
    expect((await callCli(['exec', json, '--dry-run'])).json()).toEqual({
      ok: true,
      dryRun: true,
      plan: { commandId, timeoutMs, actionCount: 1, actions },
    })
  })

  test('--timeout replaces the timeout of the payload', async () => {
    const called = await callCli(['exec', json, '--dry-run', '--timeout-ms', '7000'])
    expect(called.json()).toMatchObject({ plan: { timeoutMs: 7_000 } })
  })

  const flat: [string, object][] = [
    ['open com.example', { type: 'open_app', params: { applicationId: 'com.example' } }],
    ['screenshot a.png', { type: 'take_screenshot', id: 'shot', params: { path: 'a.png' } }],
    ['wait --text a --timeout 60000', { type: 'wait_for_node', params: { timeoutMs: 60_000 } }],
  ]
  test.each(flat)('svc %s --dry-run', async (line, action) => {
    const called = await callCli([...line.split(' '), '--dry-run'])
    expect(called.json()).toMatchObject({ ok: true, dryRun: true, plan: { actionCount: 1, actions: [action] } })
    expect(called.code).toBe(0)
  })

  test.each(flat)('svc %s --validate-only', async line => {
    const called = await callCli([...line.split(' '), '--validate-only'])
    expect(called.json()).toMatchObject({ ok: true, validated: true, execution: { source: 'svc-cli' } })
  })
})

test('an interrupted wait for the payload is not an empty payload', async () => {
  const stop = new AbortController()
  const stdin = new Readable({ read: () => stop.abort() })
  const called = await callCli(['exec', '-'], { stdin, signal: stop.signal })
  expect(called.json()).toMatchObject({ code: 'EXECUTION_CANCELLED' })
})

test.skipIf(process.platform === 'win32')('a named pipe is read to its end', async () => {
  const path = join(folder(), 'pipe')
  execFileSync('mkfifo', [path])
  const [called] = await Promise.all([callCli(['exec', path, '--validate-only']), writeFile(path, json)])
  expect(called.json()).toMatchObject({ validated: true, execution: canonical })
})

test.each(['--validate-only', '--dry-run'])('%s warns of a template that the device shows as it stands', async flag => {
  const template = 'on {{device.modell}} }}'
  const { code, json, notes } = await callCli(['on-screen-log', 'set', '--template', template, flag])
  expect(code).toBe(0)
  expect(JSON.stringify(json())).toContain(JSON.stringify(template))
  expect(notes).toEqual([
    expect.stringContaining('unknown placeholder "{{device.modell}}"'),
    expect.stringContaining('"}}" at 21 has no matching "{{"'),
  ])
})

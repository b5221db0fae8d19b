/** The size of a terminal, and the lines that are printed on one alone. */
import { Writable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import type { PtyProcess } from '../../../src/service/skills/run/pty.ts'
import { createIo } from '../../../src/surfaces/cli/io.ts'
import { startCliHere } from '../../support/cli/cli-here.ts'
import { needsPty, openTestPty } from '../../support/cli/pty.ts'
import { CLI } from '../../support/cli/run-cli.ts'
import { temporary } from '../../support/temporary.ts'
import { until } from '../../support/until.ts'

const folder = temporary('svc-terminal-')

interface Terminal extends PtyProcess {
  kill(signal: string): void
}

const running: Terminal[] = []
afterEach(() => {
  for (const terminal of running.splice(0)) terminal.kill('SIGKILL')
})

test.each([
  ['a terminal that does not tell its size', { isTTY: true, columns: 0, rows: 0 }, [80, 24]],
  ['a terminal that knows none', { isTTY: true }, [80, 24]],
  ['a terminal with a size', { isTTY: true, columns: 132, rows: 50 }, [132, 50]],
  ['a pipe', {}, [100, 24]],
] as const)('%s: %j', (_, size, expected) => {
  const stream = () => Object.assign(new Writable(), size)
  const io = createIo({
    stdin: () => process.stdin,
    stdout: stream,
    stderr: stream,
    stop: () => undefined,
  })
  expect([io.columns(), io.rows()]).toEqual(expected)
})

const SERIALS = /127\.0\.0\.1:\d+,127\.0\.0\.1:\d+/

test.skipIf(!needsPty())('svc simulate prints the line to export on a terminal', async () => {
  const pty = await openTestPty()
  const env = { HOME: folder(), PATH: process.env.PATH ?? '' }
  const options = { name: 'dumb', cols: 200, rows: 50, cwd: folder(), env, encoding: null }
  const terminal = pty.spawn(process.execPath, [CLI, 'simulate', '--count', '2'], options) as Terminal
  running.push(terminal)
  let said = ''
  terminal.onData(data => {
    said += data.toString()
  })
  await until(() => said.includes('export'), `the line: ${said}`)
  const [line, exported] = ['{"ok":true', '  export SVC_TCP_DEVICES='].map(start =>
    said.split(/\r?\n/).find(each => each.startsWith(start)),
  )
  const { devices } = JSON.parse(line ?? '') as { devices: { serial: string }[] }
  expect(exported).toBe(`  export SVC_TCP_DEVICES=${devices.map(({ serial }) => serial).join(',')}`)
  expect(exported).toMatch(SERIALS)
})

test('into a pipe, svc simulate prints its JSON line and nothing else', async () => {
  const { stdout, stderr, interrupt, ended } = startCliHere(['simulate'], { env: { HOME: folder() } })
  await until(() => stdout().includes('\n'), 'the line')
  interrupt()
  await ended
  expect([stdout().split('\n').length, stderr()]).toEqual([2, ''])
})

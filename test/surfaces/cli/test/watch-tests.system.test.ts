/** `svc test --watch`: which flows a change runs again, broken files, and the end by a signal. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TestRun } from '../../../../src/contracts/flows/test-run.ts'
import type { CheckedFlow } from '../../../../src/service/flows/language/check-flows.ts'
import { touchedFlows } from '../../../../src/surfaces/cli/test/watch-tests.ts'
import { startCliHere } from '../../../support/cli/cli-here.ts'
import { temporary } from '../../../support/temporary.ts'
import { until } from '../../../support/until.ts'

const folder = temporary('svc-watch-')
const HEAD = 'appId: com.android.settings\n---\n'

const flow = (name: string, ...files: string[]) => ({ name, files }) as unknown as CheckedFlow
const FLOWS = [flow('a', '/a.yaml', '/part.yaml'), flow('b', '/b.yaml'), flow('new', '/new.yaml')]

test.each([
  ['its own file', ['/b.yaml'], ['b', 'new']],
  ['a subflow', ['/part.yaml'], ['a', 'new']],
  ['the configuration: all of them', ['/config.yaml'], ['a', 'b', 'new']],
  ['nothing that it reads: a new flow alone', ['/other'], ['new']],
])('a flow runs again for %s', (_, changed, expected) => {
  const checked = { flows: FLOWS, configFile: '/config.yaml' }
  expect(touchedFlows(checked, changed, new Set(['a', 'b']))).toEqual(expected)
})

const runsIn = (stdout: string): string[][] =>
  stdout
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => (JSON.parse(line) as { testRun: TestRun }).testRun.flows.map(({ name }) => name))

test('runs what a change touches, tells of a broken file and goes on, and ends with 0', async () => {
  const home = folder()
  mkdirSync(join(home, 'flows', 'parts'), { recursive: true })
  const write = (name: string, text: string) => writeFileSync(join(home, 'flows', name), HEAD + text)
  write('parts/open.yaml', '- launchApp\n')
  write('one.yaml', '- runFlow: parts/open.yaml\n')
  write('two.yaml', '- launchApp\n')
  const svc = startCliHere(['test', 'flows', '--watch', '--simulate'], { cwd: home, env: { HOME: home } })
  const waits = (times: number) =>
    until(() => svc.stderr().split('Watching 2 flows').length > times, `wait ${times}`, 30_000)
  await waits(1)
  expect(runsIn(svc.stdout())).toEqual([['one', 'two']])

  write('parts/open.yaml', '- launchApp\n- back\n')
  await waits(2)
  expect(runsIn(svc.stdout()).slice(1)).toEqual([['one']])

  write('two.yaml', '- lunchApp\n')
  await until(() => svc.stderr().includes('two.yaml:3'), 'the problem')
  await until(() => svc.stderr().includes('Nothing runs before it is corrected'), 'the pause')
  write('two.yaml', '- launchApp\n- back\n')
  await until(() => runsIn(svc.stdout()).length > 2, 'the third run', 30_000)
  expect(runsIn(svc.stdout()).slice(2)).toEqual([['two']])

  await until(() => svc.stderr().trimEnd().endsWith('Ctrl-C ends.'), 'the next pause')
  svc.interrupt()
  const ended = await svc.ended
  expect([ended.code, ended.stderr]).toEqual([0, expect.any(String)])
}, 90_000)

test('cannot be given with the runs that go on from an earlier one', async () => {
  const svc = startCliHere(['test', '--watch', '--rerun', 'last'], { cwd: folder(), env: { HOME: folder() } })
  const ended = await svc.ended
  expect(ended.code).toBe(1)
  expect(ended.stdout).toContain('--watch and --rerun')
})

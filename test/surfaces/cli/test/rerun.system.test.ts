/** `svc test --rerun last` after runs that ended before a flow began. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TestRun } from '../../../../src/contracts/flows/test-run.ts'
import { startCliHere } from '../../../support/cli/cli-here.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-rerun-')
const HEAD = 'appId: com.android.settings\n---\n'

const projectIn = (home: string) => {
  mkdirSync(join(home, 'flows'), { recursive: true })
  const write = (name: string, text: string) => writeFileSync(join(home, 'flows', name), HEAD + text)
  const svc = async (args: readonly string[], cwd = home) => {
    const { code, stdout } = await startCliHere(['test', ...args], { cwd, env: { HOME: home } }).ended
    return { code, testRun: (JSON.parse(stdout) as { testRun?: TestRun; error?: { message: string } }).testRun, stdout }
  }
  return { write, svc }
}

test('a run that was refused for a broken flow is tried again, and passes once the flow is right', async () => {
  const home = folder()
  const { write, svc } = projectIn(home)
  write('one.yaml', '- lunchApp\n')
  write('two.yaml', '- launchApp\n')
  const first = await svc(['flows', '--simulate'])
  expect(first).toMatchObject({ code: 1, testRun: { error: { code: 'FLOW_INVALID' } } })
  const second = await svc(['--rerun', 'last', '--simulate'])
  expect(second).toMatchObject({ code: 1, testRun: { error: { code: 'FLOW_INVALID' } } })
  write('one.yaml', '- launchApp\n')
  // The paths of the run begin where it was asked for.
  const third = await svc(['--rerun', 'last', '--simulate'], join(home, 'flows'))
  expect(third).toMatchObject({ code: 0, testRun: { verdict: 'passed' } })
  expect(third.testRun?.flows.map(({ name }) => name)).toEqual(['one', 'two'])
  const fourth = await svc(['--rerun', 'last', '--simulate'])
  expect(fourth.stdout).toContain('has passed: there is nothing to run again')
})

test('a run again has the variables of the first, and says which one no run has set', async () => {
  const { write, svc } = projectIn(join(folder(), 'variables'))
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what a flow holds
  write('one.yaml', '- setClipboard: ${MISSING}\n- extendedWaitUntil: {visible: "row of ${NAME}", timeout: 1}\n')
  const first = await svc(['flows', '-e', 'NAME=ann', '--simulate'])
  const second = await svc(['--rerun', 'last', '--simulate'])
  for (const { testRun } of [first, second]) {
    const attempt = testRun?.flows[0]?.attempts[0]
    expect(attempt?.error?.message).toContain('row of ann')
    expect(attempt?.warnings).toEqual([
      { file: join('flows', 'one.yaml'), line: 3, message: expect.stringContaining('The variable MISSING is not set') },
    ])
  }
})

test('a path where nothing is begins no run: the last run stays the one before it', async () => {
  const { write, svc } = projectIn(join(folder(), 'mistyped'))
  write('one.yaml', '- launchApp\n')
  const first = await svc(['flows', '--simulate'])
  expect(first).toMatchObject({ code: 0 })
  const mistyped = await svc(['nosuch.yaml', '--simulate'])
  expect(mistyped).toMatchObject({ code: 1, testRun: undefined })
  expect(mistyped.stdout).toContain('Correct the path')
  const again = await svc(['--rerun', 'last', '--simulate'])
  expect(again.stdout).toContain(`Every flow of the run ${first.testRun?.testRunId} has passed`)
  const resumed = await svc(['--resume', 'last', '--simulate'])
  expect(resumed.stdout).toContain(`The run ${first.testRun?.testRunId} cannot be resumed`)
})

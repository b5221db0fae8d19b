/** Flat commands on a simulated phone: a walk through its settings. Its end is seen by the real program. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DeviceCommandOutput } from '../../../src/contracts/executions/execution-result.ts'
import { defaultScenario } from '../../../src/simulator/scenario/default/apps.ts'
import { runCliHere } from '../../support/cli/cli-here.ts'
import { type CliEnded, runCli } from '../../support/cli/run-cli.ts'
import { type Lab, startLab } from '../../support/executions/lab.ts'

const SEARCH = 'com.android.settings:id/search'

let lab: Lab
let serial: string
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  lab = await startLab({ scenario: { ...defaultScenario(), timeScale: 0.05 } })
  serial = lab.fleet.devices[0]?.serial ?? ''
  env = { HOME: lab.home, SVC_TCP_DEVICES: serial }
})
afterAll(() => lab.close())

const svc = (...args: string[]): Promise<CliEnded> => runCliHere(args, { env })

const dataOf = (ended: CliEnded) => ended.json<DeviceCommandOutput>().envelope.stepResults[0]?.data

/** In this order: each step finds the screen as the ones before it left it. */
const WALK: [string[], string, Record<string, unknown>][] = [
  [['open', 'com.android.settings'], 'open_app', { application_id: 'com.android.settings' }],
  [['wait', '--text', 'Settings', '--timeout', '5000'], 'wait_for_node', { label: 'Settings' }],
  [['click', '--text', 'Wi-Fi'], 'click', { click_type: 'default' }],
  [['type', 'bat', '--id', SEARCH], 'enter_text', { text: 'bat', submit: 'false' }],
  [['read', '--id', SEARCH], 'read_text', { text: 'bat' }],
  [['shell', 'echo a  b; echo c >&2'], 'shell', { stdout: 'a b\n', stderr: 'c\n', exit_code: '0' }],
  [['press', 'home'], 'press_key', { key: 'home' }],
  [['close', 'com.android.settings'], 'close_app', { application_id: 'com.android.settings' }],
]

describe.sequential('a walk', () => {
  test.each(WALK)('svc %j', async (args, actionType, data) => {
    const ended = await svc(...args)
    expect(ended.stderr).toBe('')
    expect(ended.json()).toMatchObject({
      envelope: { status: 'success', error: null, stepResults: [{ actionType, success: true, data }] },
      deviceId: serial,
      terminalSource: 'svc_result',
      isCanonicalTerminal: true,
      executionId: expect.stringMatching(/^[\da-f-]{36}$/),
    })
    expect(ended.code).toBe(0)
  })

  test('svc snapshot shows the launcher at its end', async () => {
    const ended = await runCli(['snapshot', '--device', serial], { env })
    expect(ended.code).toBe(0)
    expect(dataOf(ended)?.text).toMatch(/^<\?xml[\s\S]*<hierarchy rotation="\d">[\s\S]*Settings[\s\S]*<\/hierarchy>/)
    expect(ended.json()).toEqual({
      envelope: expect.any(Object),
      deviceId: expect.any(String),
      terminalSource: 'svc_result',
      isCanonicalTerminal: true,
      executionId: expect.any(String),
      operatorPackage: 'com.svc.operator',
    })
  })

  test('pretty output is the same document over many lines', async () => {
    const ended = await svc('sleep', '0', '--output', 'pretty')
    expect(ended.stdout.split('\n').length).toBeGreaterThan(10)
    expect(ended.json()).toMatchObject({ envelope: { status: 'success' } })
  })
})

test('an answer names its receipt, which last finds without the id', async () => {
  const [home, sleep] = [await svc('press', 'home'), await svc('sleep', '0', '--device', serial)]
  const idOf = (ended: CliEnded) => ended.json<DeviceCommandOutput>().executionId
  const shown = async (...args: string[]) =>
    (await svc('executions', 'show', ...args)).json<{ execution: { executionId: string } }>().execution.executionId
  expect(idOf(home)).not.toBe(idOf(sleep))
  expect(await shown('last')).toBe(idOf(sleep))
  expect(await shown('last~1')).toBe(idOf(home))
  expect(await shown('last', '--device', serial)).toBe(idOf(sleep))
  const screen = await svc('snapshot', '--compact')
  const since = await svc('snapshot', '--since', 'last')
  expect(dataOf(since)?.text).toContain('unchanged since')
  expect(idOf(since)).not.toBe(idOf(screen))
  const nobody = await svc('executions', 'show', 'last', '--device', 'nobody')
  expect([nobody.code, nobody.json<{ code: string }>().code]).toEqual([1, 'EXECUTION_NOT_FOUND'])
})

test('--verbose tells each transition on stderr, and the result alone stays on stdout', async () => {
  const ended = await svc('press', 'home', '--verbose')
  expect(ended.code).toBe(0)
  expect(ended.json()).toMatchObject({ envelope: { status: 'success' } })
  const lines = ended.stderr.trim().split('\n')
  expect(lines.map(line => line.split(/ {2,}/).slice(2).join(' '))).toEqual([
    `device:${serial} execution.requested idle -> running.accepted`,
    `device:${serial} execution.dispatched running.accepted -> running.dispatched`,
    `device:${serial} execution.settled running.dispatched -> idle`,
  ])
})

test('--log-level info names the execution on stderr', async () => {
  const ended = await svc('sleep', '0', '--log-level', 'info')
  const [, executionId = ''] = /^execution (\S+) was accepted for device:/.exec(ended.stderr) ?? []
  const shown = (await svc('executions', 'show', executionId)).json<{ execution: object }>()
  expect(shown.execution).toMatchObject({ executionId, state: 'settled', deviceId: serial })
})

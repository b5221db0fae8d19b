/** `svc operator check` as an author of an operator app calls it, before simulated phones. */

import { afterAll, expect, test } from 'vitest'
import { defaultScenario } from '../../../../src/simulator/scenario/default/apps.ts'
import { runCliHere } from '../../../support/cli/cli-here.ts'
import { type Lab, type LabOptions, startLab } from '../../../support/executions/lab.ts'
import { DEVICE_CONFLICT } from '../../../support/failure-codes.ts'
import { until } from '../../../support/until.ts'

const LONG_TEST_MS = 60_000
const labs: Lab[] = []
afterAll(async () => {
  for (const lab of labs) await lab.close()
})

const setup = async (options: LabOptions = {}) => {
  const lab = await startLab({ operator: 'broadcast', scenario: { ...defaultScenario(), timeScale: 0.05 }, ...options })
  labs.push(lab)
  const serial = lab.fleet.devices[0]?.serial ?? ''
  const env = { HOME: lab.home, SVC_TCP_DEVICES: serial }
  const svc = (...args: string[]) => runCliHere(['operator', 'check', ...args], { env, cwd: lab.home })
  return { lab, serial, svc }
}

interface Output {
  ok: boolean
  checks: { id: string; held: boolean; detail: string }[]
  held: number
  all: number
  leftOut: { id: string; reason: string }[]
}

test('an app that keeps the protocol: exit code 0, and what was left out is named', {
  timeout: LONG_TEST_MS,
}, async () => {
  const { lab, serial, svc } = await setup()
  const ended = await svc('com.svc.operator')
  const output = ended.json<Output>()
  expect(output.checks.filter(({ held }) => !held)).toEqual([])
  expect(ended.code).toBe(0)
  expect(output).toMatchObject({ ok: true, deviceId: serial, operatorPackage: 'com.svc.operator', held: output.all })
  // By broadcast, nothing that needs a session can be asked.
  const ofSessions = /^(socket-|tells-progress|answers-questions|keeps-results|asking-performs)/
  expect(output.leftOut.filter(({ id }) => !ofSessions.test(id))).toEqual([])
  expect((await lab.execute([{ id: 'nap', type: 'sleep', params: { durationMs: 0 } }])).result.ok).toBe(true)
})

test('an app that breaks a rule: exit code 1, and text says what to do', { timeout: LONG_TEST_MS }, async () => {
  const { svc } = await setup({ faults: [{ after: 1, do: 'truncate', times: 1 }] })
  const ended = await svc('com.svc.operator', '--output', 'text')
  expect(ended.code).toBe(1)
  expect(ended.stdout).toMatch(/✓ answers-broadcast\n✗ keeps-odd-text\n.*A line of the log/)
  expect(ended.stdout).toMatch(/com\.svc\.operator on \S+ breaks \d+ of \d+ rules/)
})

test.concurrent.each([
  ['com.example.missing', 'OPERATOR_NOT_INSTALLED'],
  ['svc.shell', 'USAGE'],
  ['x; reboot #', 'USAGE'],
])('%s is refused with %s', async (name, code) => {
  const { svc } = await setup()
  const ended = await svc(name)
  expect(ended.code).toBe(1)
  expect(ended.json()).toMatchObject({ code })
})

test('a device that is busy is left alone', async () => {
  const { lab, svc } = await setup({ scenario: defaultScenario() })
  const nap = [{ id: 'nap', type: 'sleep', params: { durationMs: 6_000 } }]
  const running = lab.execute(nap, { commandId: 'busy' })
  await until(() => lab.services.journal().receipts({ commandId: 'busy' })[0]?.state === 'dispatched', 'the nap')
  expect((await svc('com.svc.operator')).json()).toMatchObject({ code: DEVICE_CONFLICT })
  await running
})

/** A host that is killed between the requests that a list is cut into: what was not sent has not run, and the receipt says so. */
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Receipt } from '../../../../src/contracts/executions/receipt.ts'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { parseScenario } from '../../../../src/simulator/scenario/scenario.ts'
import { startSimulatedPhones } from '../../../../src/simulator/simulated-phones.ts'
import { counterScenario } from '../../../long/trial/phone-scenario.ts'
import { freePort } from '../../../support/adb/free-ports.ts'
import { startCli } from '../../../support/cli/run-cli.ts'
import { until } from '../../../support/until.ts'

const LONGEST_MS = 60_000
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Each request takes the phone so long. */
const SLOW = { after: 0, do: 'slow', ms: 700, times: 20 } as const

const serve = async (port: number, env: Record<string, string>) => {
  const server = startCli(['serve', '--port', String(port)], { env, longestMs: LONGEST_MS })
  ends.push(() => server.child.kill('SIGKILL'))
  await until(() => server.stderr().includes(`:${port}`), 'the server to listen')
  return server
}

/** The operator app does not know the pattern, so that the host looks and sends the gesture. */
const tap = (row: number) => ({ id: `tap-${row}`, type: 'click', params: { matcher: { textMatches: `tap-${row}` } } })

/** The operator app performs it as a step of the list. */
const listedTap = (row: number) => ({ ...tap(row), params: { matcher: { textEquals: `tap-${row}` } } })

const killedAt = async (requests: number, actions: object[] = [tap(0), tap(1)], policy?: object) => {
  const parsed = parseScenario(counterScenario())
  if (!parsed.ok) throw new Error(parsed.error)
  const phones = await startSimulatedPhones({
    ...{ clock: systemClock(), scenario: parsed.scenario, operator: 'socket', faults: [SLOW] },
  })
  ends.push(() => phones.close())
  const [device] = phones.devices
  const home = mkdtempSync(join(tmpdir(), 'svc-killed-in-look-'))
  ends.push(() => rmSync(home, { recursive: true, force: true }))
  if (policy) {
    mkdirSync(join(home, '.svc'))
    writeFileSync(join(home, '.svc/policy.json'), JSON.stringify(policy))
  }
  const env = { HOME: home, SVC_TCP_DEVICES: device?.serial ?? '' }
  const port = await freePort()
  const first = await serve(port, env)
  const execution = {
    ...{ commandId: 'c', taskId: 't', source: 'test', expectedFormat: 'android-ui-automator', timeoutMs: 20_000 },
    actions,
  }
  void fetch(`http://127.0.0.1:${port}/execute`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ execution, operatorPackage: 'com.svc.operator' }),
  }).catch(() => undefined)
  await until(() => device?.phone.executions().length === requests, `request ${requests} to be at the phone`)
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  await serve(port, env)
  const get = async <T>(path: string) => (await (await fetch(`http://127.0.0.1:${port}${path}`)).json()) as T
  const { executions } = await get<{ executions: Receipt[] }>('/executions')
  const { execution: receipt } = await get<{ execution: Receipt }>(
    `/executions/${executions[0]?.executionId}?waitMs=10000`,
  )
  return { receipt, steps: receipt.steps?.map(({ outcome, source }) => [outcome, source]) }
}

test('before the first gesture: no step has run', async () => {
  const { receipt, steps } = await killedAt(1)
  expect(steps).toEqual([
    ['not_run', undefined],
    ['not_run', undefined],
  ])
  expect(receipt).toMatchObject({ state: 'interrupted', outcome: 'failed', doubtfulSteps: [] })
})

test('in the gesture of the first step: the phone tells that it is done, and the second has not run', async () => {
  const { receipt, steps } = await killedAt(2)
  expect(steps).toEqual([
    ['done', 'operator'],
    ['not_run', undefined],
  ])
  expect(receipt).toMatchObject({ outcome: 'failed', executedSteps: ['tap-0'], doubtfulSteps: [] })
})

test('in the look of the second step: the first is done, and the second has not run', async () => {
  const { receipt, steps } = await killedAt(3)
  expect(steps?.map(([outcome]) => outcome)).toEqual(['done', 'not_run'])
  expect(receipt).toMatchObject({ outcome: 'failed', executedSteps: ['tap-0'], doubtfulSteps: [] })
})

const listed = [listedTap(0), listedTap(1), listedTap(2)]
const POLICY = { default: 'allow', rules: [{ id: 'no-bank', effect: 'deny', packages: ['com.bank'] }] }

test.each([
  ['a step that the app does not know', 1, [listedTap(0), tap(1), listedTap(2)], undefined],
  ['a policy that asks which application is in front', 1, listed, POLICY],
] as const)(
  'in the first part of a list that is cut by %s: the rest has not run',
  async (_, requests, actions, policy) => {
    const { receipt, steps } = await killedAt(requests, [...actions], policy)
    expect(steps?.map(([outcome]) => outcome)).toEqual(['done', 'not_run', 'not_run'])
    expect(receipt).toMatchObject({ outcome: 'failed', executedSteps: ['tap-0'], doubtfulSteps: [] })
  },
)

/** An attempt whose phone is lost begins anew by itself only where it is proven what it has done. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Fault } from '../../../src/simulator/scenario/fault.ts'
import { parseScenario } from '../../../src/simulator/scenario/scenario.ts'
import { type FlowLab, startFlowLab } from '../../support/flows/flow-lab.ts'

/** Without an operator: `svc.shell` taps, and hears of it by the end of a command alone. */
const shop = (ways: 'none' | 'socket') => {
  const parsed = parseScenario({
    timeScale: 0.05,
    front: 'com.example.shop',
    device: { operator: { ways } },
    apps: [
      {
        package: 'com.example.shop',
        label: 'Shop',
        start: 'home',
        counters: { payments: { kept: true } },
        screens: {
          home: {
            nodes: [{ text: 'Pay', onTap: { count: { payments: 1 } } }, { text: 'Payments {payments}' }],
          },
        },
      },
    ],
  })
  if (!parsed.ok) throw new Error(parsed.error)
  return parsed.scenario
}

let lab: FlowLab | undefined
afterEach(async () => {
  await lab?.close()
  lab = undefined
})

const withFault = async (fault: Fault, { count = 1, ways = 'none' as 'none' | 'socket' } = {}) => {
  lab = await startFlowLab({ scenario: shop(ways), count, faults: [fault], hostScale: 0.25 })
  return lab
}

const flowOf = ({ home }: FlowLab, commands: readonly string[]): string => {
  mkdirSync(join(home, 'flows'), { recursive: true })
  const file = join(home, 'flows/pay.yaml')
  writeFileSync(file, ['appId: com.example.shop', '---', ...commands, ''].join('\n'))
  return file
}

const paymentsOn = ({ phones }: FlowLab): string[] =>
  phones.map(phone => JSON.stringify(phone.tree()).match(/Payments (\d+)/)?.[1] ?? '')

test('a tap whose link breaks behind it is done once: the attempt is indeterminate, and names the execution', async () => {
  const shopLab = await withFault({ after: 0, do: 'touch-cuts-link', times: 20 })
  const { run } = await shopLab.run([flowOf(shopLab, ['- tapOn: Pay'])])
  expect(paymentsOn(shopLab)).toEqual(['1'])
  const [attempt, ...more] = run.flows[0]?.attempts ?? []
  expect(more).toEqual([])
  const executionId = attempt?.commands?.[0]?.executionIds[0]
  expect(attempt).toMatchObject({
    verdict: 'indeterminate',
    error: { code: 'DEVICE_LINK_LOST', details: { executionId } },
  })
  expect(run.verdict).toBe('indeterminate')
  expect(shopLab.notes.join('\n')).toContain(`execution ${executionId} may have acted on it: only --retries`)
})

test.each([
  ['no retry', 0, 1],
  ['one retry', 1, 2],
])('with one break and %s', async (_, retries, attempts) => {
  const shopLab = await withFault({ after: 0, do: 'touch-cuts-link', times: 1 })
  const { run } = await shopLab.run([flowOf(shopLab, ['- tapOn: Pay'])], { retries })
  expect(run.flows[0]?.attempts.length).toBe(attempts)
  expect(paymentsOn(shopLab)).toEqual([String(attempts)])
  expect(run.verdict).toBe(retries === 0 ? 'indeterminate' : 'passed')
})

/** The second phone has done less by then, so that the fault hits the first one alone. */
const lostBy = async (execution: 'look before the tap' | 'look') => {
  const after = execution === 'look' ? 8 : 7
  const shopLab = await withFault({ after, do: 'device-gone', times: 1 }, { count: 2, ways: 'socket' })
  const [first = ''] = shopLab.fleet.devices.map(({ serial }) => serial)
  const before = await shopLab.run([flowOf(shopLab, Array(6).fill('- launchApp'))], { devices: [first] })
  expect(before.run.verdict).toBe('passed')
  return shopLab.run([flowOf(shopLab, ['- launchApp', '- tapOn: Pay', '- assertVisible: Payments 1'])])
}

test('a phone that is lost by a look, after taps that are proven: its flow begins anew on another phone', async () => {
  const { run } = await lostBy('look')
  expect(run.flows[0]?.attempts).toMatchObject([
    { verdict: 'indeterminate', error: { code: 'DEVICE_LINK_LOST', command: '- assertVisible: Payments 1' } },
    { verdict: 'passed' },
  ])
  expect(run.verdict).toBe('passed')
})

test('a phone that is lost in the look before a tap, which was not sent then: its flow begins anew on another phone', async () => {
  const { run } = await lostBy('look before the tap')
  expect(run.flows[0]?.attempts).toMatchObject([
    { verdict: 'indeterminate', error: { code: 'DEVICE_LINK_LOST', command: '- tapOn: Pay' } },
    { verdict: 'passed' },
  ])
  expect(run.verdict).toBe('passed')
})

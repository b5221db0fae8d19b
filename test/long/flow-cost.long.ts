/** The cost of a flow's commands against the same steps asked one by one, and of the suite on several phones. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { attemptOf, type FlowLab, startFlowLab, suiteScenario } from '../support/flows/flow-lab.ts'
import { startOrdersServer } from '../support/flows/orders-server.ts'

const SUITE = 'test/fixtures/flows/suite'
const SCENARIO = 'test/fixtures/flows/suite.scenario.json'
/** The shortened form measures less, and the time of one phone against three not at all. */
const IS_SHORT = process.env.SVC_TRIALS !== undefined
const TAPS = IS_SHORT ? 30 : 200

let lab: FlowLab | undefined
afterEach(async () => {
  await lab?.close()
  lab = undefined
})

const open = async (count: number) => {
  lab = await startFlowLab({ scenario: suiteScenario(SCENARIO), count })
  return lab
}

const median = (all: readonly number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0

test(`${TAPS} taps of a flow cost at most 1.3 times as much as the same steps asked for`, async () => {
  const { run, services, home, phones, fleet } = await open(1)
  const file = join(home, 'taps.yaml')
  const openPad = ['- launchApp:', '    clearState: true', '- openLink: depot://touch']
  const taps = Array.from({ length: TAPS }, () => '- tapOn: Pad')
  writeFileSync(file, ['appId: com.example.depot', '---', ...openPad, ...taps, ''].join('\n'))
  const service = await services.service()
  const [deviceId = ''] = fleet.devices.map(({ serial }) => serial)
  const matcher = { flow: { text: 'Pad' } }
  const steps = [
    { type: 'wait_for_node', params: { matcher, timeoutMs: 17_000 } },
    { type: 'click', params: { matcher } },
    { type: 'wait_for_idle', params: { timeoutMs: 3_000 } },
  ]
  const ask = async (at: number) => {
    const began = performance.now()
    const answer = await service.execute(
      {
        execution: {
          ...{ commandId: `tap-${at}`, taskId: 'taps', source: 'test', expectedFormat: 'android-ui-automator' },
          timeoutMs: 60_000,
          actions: steps.map((step, index) => ({ id: `step-${index + 1}`, ...step })),
        },
        deviceId,
        observe: true,
      } as never,
      { context: { caller: 'cli' } } as never,
    )
    if (!answer.ok) throw new Error(answer.error.message)
    return performance.now() - began
  }
  const seen = await run([file])
  const { commands = [] } = attemptOf(seen.run, 'taps')
  // From the begin of one to the begin of the next, with all that lies between two commands.
  const begins = commands.slice(2).map(({ startedAt }) => startedAt)
  const ofFlow = begins.slice(1).map((at, index) => at - (begins[index] ?? 0))
  const asked: number[] = []
  for (let at = 0; at < TAPS; at += 1) asked.push(await ask(at))
  const shown = phones[0]?.tree()
  expect(JSON.stringify(shown)).toContain(`Taps ${2 * TAPS}`)
  const [flow, alone] = [median(ofFlow), median(asked)]
  console.log(`a tap of a flow: ${flow.toFixed(1)} ms, the same steps asked for: ${alone.toFixed(1)} ms`)
  expect(flow / alone).toBeLessThan(1.3)
}, 300_000)

test.skipIf(IS_SHORT)(
  'three phones take less than 0.45 of the time of one',
  async () => {
    const orders = await startOrdersServer()
    const took = async (count: number) => {
      const { run } = await open(count)
      const began = performance.now()
      await run([SUITE], { env: { API: orders.url, USER_NAME: 'ann' } })
      const ms = performance.now() - began
      await lab?.close()
      lab = undefined
      return ms
    }
    try {
      const [three, one] = [await took(3), await took(1)]
      console.log(`the suite: ${Math.round(one)} ms on one phone, ${Math.round(three)} ms on three`)
      expect(three / one).toBeLessThan(0.45)
    } finally {
      await orders.close()
    }
  },
  600_000,
)

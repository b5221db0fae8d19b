/** Faults of links and operators under flows: what nobody can know is indeterminate, and what goes on is told. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Fault } from '../../../src/simulator/scenario/fault.ts'
import { attemptOf, type FlowLab, startFlowLab, suiteScenario } from '../../support/flows/flow-lab.ts'

const SCENARIO = 'test/fixtures/flows/suite.scenario.json'
const TAPS = 'test/fixtures/flows/faults/three-taps.yaml'

let lab: FlowLab | undefined
afterEach(async () => {
  await lab?.close()
  lab = undefined
})

const withFault = async (fault: Fault, { count = 1 } = {}) => {
  // Real time is short: results that never come are waited for as long as the clock of the host says.
  lab = await startFlowLab({ scenario: suiteScenario(SCENARIO), count, faults: [fault], hostScale: 0.05 })
  return lab
}

const tapsOn = (texts: readonly string[]) => texts.find(text => text.startsWith('Taps'))

test.each([
  ['truncate', 'RESULT_ENVELOPE_MALFORMED'],
  ['no-result', 'RESULT_ENVELOPE_TIMEOUT'],
] as const)('a tap whose answer fails (%s) is in doubt, whether it is optional or in a retry', async (kind, code) => {
  const { run } = await withFault({ after: 3, do: kind, times: 1 })
  const seen = await run([TAPS])
  const { verdict, error, commands = [] } = attemptOf(seen.run, 'three-taps')
  expect([seen.run.verdict, verdict]).toEqual(['indeterminate', 'indeterminate'])
  expect(error).toMatchObject({ code, line: 12, message: expect.stringMatching(/it may have executed\.$/) })
  expect(commands.map(each => each.verdict)).toEqual([
    ...['passed', 'passed', 'passed'],
    ...['indeterminate', 'indeterminate'],
  ])
  // Nothing has tapped again.
  expect(tapsOn(seen.endOf('three-taps').texts)).toBe('Taps 1')
})

test.each(['link-lost-after', 'garbage'] as const)('%s: the flow goes on, and taps once', async kind => {
  const { run } = await withFault({ after: 3, do: kind, times: 1 })
  const seen = await run([TAPS])
  expect(attemptOf(seen.run, 'three-taps')).toMatchObject({ verdict: 'passed', attempt: 1 })
  expect(tapsOn(seen.endOf('three-taps').texts)).toBe('Taps 3')
})

test('the flow of a phone that is gone at a look begins anew on another one', async () => {
  const { run, fleet } = await withFault({ after: 11, do: 'device-gone', times: 1 }, { count: 2 })
  const [first = '', second = ''] = fleet.devices.map(({ serial }) => serial)
  expect((await run([TAPS], { devices: [first] })).run.verdict).toBe('passed')
  const seen = await run([TAPS])
  expect(seen.run.flows[0]?.attempts).toMatchObject([
    {
      deviceId: first,
      verdict: 'indeterminate',
      error: { code: 'DEVICE_LINK_LOST', command: '- assertVisible: Taps 3' },
    },
    { deviceId: second, verdict: 'passed' },
  ])
  expect(seen.run.verdict).toBe('passed')
})

test('the log since the flow began is kept with its failure', async () => {
  lab = await startFlowLab({ scenario: suiteScenario(SCENARIO) })
  lab.phones[0]?.log.write('I', 'Before', 'the flow')
  const { run } = await lab.run(['test/fixtures/flows/suite/broken/crash.yaml'])
  const { files = [] } = attemptOf(run, 'crash')
  expect(files).toEqual(['1-1/failure.png', '1-1/failure.xml', '1-1/log.txt'])
  const log = readFileSync(join(run.folder, '1-1/log.txt'), 'utf8')
  expect(log).toContain('java.lang.IllegalStateException: shelf is empty')
  expect(log).not.toContain('Before')
})

/** What a request for a run of flows is answered before and after the run. */

import { resolve } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { TEST_RUNS_MAX } from '../../../src/contracts/limits/limits.ts'
import { PLANNINGS_MAX } from '../../../src/service/flows/plan-first.ts'
import { requests } from '../../../src/service/local/test-runs.ts'
import type { Parts } from '../../../src/service/parts.ts'
import type { RequestOptions } from '../../../src/service/service.ts'
import { DEVICE_CONFLICT } from '../../support/failure-codes.ts'
import { attemptOf, type FlowLab, startFlowLab, suiteScenario } from '../../support/flows/flow-lab.ts'

const SCENARIO = 'test/fixtures/flows/suite.scenario.json'
const TAPS = 'test/fixtures/flows/faults/three-taps.yaml'

let lab: FlowLab | undefined
afterEach(async () => {
  await lab?.close()
  lab = undefined
})

test('a secret that would be found in every text is refused before anything begins', async () => {
  lab = await startFlowLab({ scenario: suiteScenario(SCENARIO), hostScale: 0.05 })
  const runs = await lab.services.testRuns()
  for (const env of [{ PIN: '1' }, {}]) {
    const begun = await runs.start({ paths: [TAPS], cwd: process.cwd(), caller: 'http', env, secrets: ['PIN'] })
    expect(begun).toMatchObject({ ok: false, error: { code: 'INVALID_BODY', message: expect.stringContaining('PIN') } })
  }
  expect(await runs.list()).toEqual([])
})

test('a run that is over is cancelled without a change', async () => {
  lab = await startFlowLab({ scenario: suiteScenario(SCENARIO), hostScale: 0.05 })
  const { run } = await lab.run([TAPS])
  expect(attemptOf(run, 'three-taps').verdict).toBe('passed')
  const runs = await lab.services.testRuns()
  expect(await runs.cancel(run.testRunId)).toMatchObject({ ok: true, testRun: { verdict: 'passed' } })
})

test('one run more than may be under way is refused, and one that has ended makes room', async () => {
  lab = await startFlowLab({ scenario: suiteScenario(SCENARIO), hostScale: 0.05 })
  const runs = await lab.services.testRuns()
  const start = () => runs.start({ paths: [TAPS], cwd: process.cwd(), caller: 'http' })
  const begun = await Promise.all(Array.from({ length: TEST_RUNS_MAX + 3 }, start))
  const accepted = begun.filter(each => each.ok)
  expect(accepted).toHaveLength(TEST_RUNS_MAX)
  const refused = begun.filter(each => !each.ok)
  for (const each of refused) expect(each).toMatchObject({ error: { code: DEVICE_CONFLICT } })
  for (const each of accepted) await runs.cancel(each.testRunId)
  await Promise.all(accepted.map(({ ended }) => ended))
  const again = await start()
  expect(again.ok).toBe(true)
  if (again.ok) await runs.cancel(again.testRunId).then(() => again.ended)
})

test('flows that cannot run are refused at the request, with every problem, and nothing is recorded', async () => {
  lab = await startFlowLab({ scenario: suiteScenario(SCENARIO), hostScale: 0.05 })
  const start = async (body: object) => {
    const answer = await requests({
      testRuns: () => (lab as FlowLab).services.testRuns(),
      screenshots: { relativeTo: '/' },
      note: () => {},
    } as unknown as Parts)['testRuns.start'](body, { context: { caller: 'http' } } as RequestOptions)
    return answer.ok ? answer.value : answer.error
  }
  const yaml = 'appId: com.example.depot\n---\n- tapOnn: Pay\n'
  expect(await start({ yaml })).toMatchObject({
    code: 'FLOW_INVALID',
    message: '<flow>:3:3: There is no command tapOnn.',
    hint: 'Did you mean tapOn?',
    details: { problems: [{ file: '<flow>', line: 3, column: 3 }] },
  })
  const missing = await start({ paths: ['/none/../nope.yaml'] })
  expect(missing).toMatchObject({ code: 'FLOW_INVALID', message: 'There is no file or folder /nope.yaml.' })
  expect(await start({ paths: ['nope.yaml'] })).toMatchObject({ code: 'FILE_REFUSED' })
  expect(await start({ paths: ['/dev/zero'] })).toMatchObject({
    code: 'FLOW_INVALID',
    message: '/dev/zero is not a regular file: a device, a pipe or a socket cannot be read as a flow.',
  })
  expect(await (await lab.services.testRuns()).list()).toEqual([])
  expect(await start({ paths: [resolve(TAPS)] })).toMatchObject({ ok: true })
})

test('a caller who leaves while the flows are read begins nothing, and few requests are read at once', async () => {
  lab = await startFlowLab({ scenario: suiteScenario(SCENARIO), hostScale: 0.05 })
  const runs = await lab.services.testRuns()
  const leaving = new AbortController()
  const start = () =>
    runs.start({ paths: [TAPS], cwd: process.cwd(), caller: 'http' }, undefined, {
      isPlannedFirst: true,
      leave: leaving.signal,
    })
  const answers = Array.from({ length: PLANNINGS_MAX + 1 }, start)
  leaving.abort()
  const codes = (await Promise.all(answers)).map(answer => (answer.ok ? 'begun' : answer.error.code))
  expect(codes.filter(code => code === DEVICE_CONFLICT)).toHaveLength(1)
  expect(codes.filter(code => code === 'EXECUTION_CANCELLED')).toHaveLength(PLANNINGS_MAX)
  expect(await runs.list()).toEqual([])
  const again = await runs.start({ paths: [TAPS], cwd: process.cwd(), caller: 'http' }, undefined, {
    isPlannedFirst: true,
  })
  expect(again.ok && (await again.ended).verdict).toBe('passed')
})

test('a run that nobody waits for is not read with its commands when it has ended', async () => {
  lab = await startFlowLab({ scenario: suiteScenario(SCENARIO), hostScale: 0.05 })
  const runs = await lab.services.testRuns()
  const request = { paths: [TAPS], cwd: process.cwd(), caller: 'http' as const }
  const begun = await runs.start(request, undefined, { withCommands: false })
  const ended = begun.ok ? await begun.ended : undefined
  expect(ended?.verdict).toBe('passed')
  expect(ended?.flows[0]?.attempts[0]?.commands).toBeUndefined()
  expect((await runs.read(ended?.testRunId ?? ''))?.flows[0]?.attempts[0]?.commands).toHaveLength(7)
})

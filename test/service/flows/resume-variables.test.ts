/** A run goes on with the values of its variables that it began with, or does nothing. */
import { afterEach, expect, test } from 'vitest'
import { createSecrets } from '../../../src/runtime/secrets.ts'
import { type FlowsRequest, otherValues, recordedRequest } from '../../../src/service/flows/request.ts'
import { createServices } from '../../../src/start/command.ts'
import { type Lab, startLab } from '../../support/executions/lab.ts'

const TAPS = 'test/fixtures/flows/faults/three-taps.yaml'
const BEGAN = { PLACE: 'here', SEC: 'value-of-secret', KEY: 'another-secret' }

let lab: Lab | undefined
afterEach(async () => {
  await lab?.close()
  lab = undefined
})

/** A process begins a run whose phone never comes, and ends. */
const leftRun = async () => {
  lab = await startLab()
  const { home } = lab
  const servicesOf = () =>
    createServices({ env: { HOME: home, PATH: '', SVC_TCP_DEVICES: '' }, cwd: process.cwd(), note: () => {} })
  const first = servicesOf()
  const begun = await (await first.testRuns()).start({
    paths: [TAPS],
    cwd: process.cwd(),
    caller: 'cli',
    env: BEGAN,
    secrets: ['SEC', 'KEY'],
  })
  if (!begun.ok) throw new Error(begun.error.message)
  await first.close()
  return { testRunId: begun.testRunId, next: servicesOf() }
}

test.each([
  [{ ...BEGAN, SEC: 'other-secret' }, /another value of SEC;/],
  [{ ...BEGAN, SEC: 'other-secret', KEY: 'other-secret' }, /another value of SEC, KEY;/],
  [{ ...BEGAN, PLACE: 'there' }, /another value of PLACE;/],
  [{ ...BEGAN, NEW: 'x' }, /without the variables NEW\./],
  [{ SEC: BEGAN.SEC }, /give the values of KEY again/],
])('refused: %j', async (env, message) => {
  const { testRunId, next } = await leftRun()
  try {
    const runs = await next.testRuns()
    const resumed = await runs.resume(testRunId, env)
    expect(resumed).toMatchObject({
      ok: false,
      error: { code: 'TEST_RUN_NOT_RESUMABLE', message: expect.stringMatching(message) },
    })
    expect(JSON.stringify(resumed)).not.toMatch(/other-secret|value-of-secret/)
    // With the right values it is judged by its state.
    const right = await runs.resume(testRunId, { SEC: BEGAN.SEC, KEY: BEGAN.KEY })
    expect(right).toMatchObject({ ok: false, error: { message: expect.stringMatching(/it is over/) } })
  } finally {
    await next.close()
  }
})

test('the record has a token of each secret, keyed by the home, and no value', async () => {
  const secrets = createSecrets(() => Buffer.alloc(32, 7))
  const request: FlowsRequest = { paths: [], cwd: '/', caller: 'cli', env: BEGAN, secrets: ['SEC', 'KEY'] }
  const recorded = recordedRequest(request, '/run', secrets.tokenOf)
  expect(recorded).toMatchObject({ env: { PLACE: 'here' }, tokens: { SEC: secrets.tokenOf('SEC', BEGAN.SEC) } })
  expect(JSON.stringify(recorded)).not.toMatch(/value-of-secret|another-secret/)
  expect(recorded.tokens?.SEC).not.toBe(createSecrets(() => Buffer.alloc(32, 8)).tokenOf('SEC', BEGAN.SEC))
})

test('a run of an earlier version, without tokens, goes on with any values of its secrets', () => {
  const { tokenOf } = createSecrets()
  const { tokens: _, ...before } = recordedRequest(
    { paths: [], cwd: '/', caller: 'cli', env: BEGAN, secrets: ['SEC'] },
    '/run',
    tokenOf,
  )
  expect(otherValues(before, { SEC: 'whatever it is' }, tokenOf)).toBeUndefined()
})

/** The checks against the simulated operator app: all hold, and each fault that breaks the protocol is seen. */
import { describe, expect, test } from 'vitest'
import { VECTORS } from '../../../../src/device/operators/check/run-checks.ts'
import { CAPABILITY_VECTORS } from '../../../../src/device/operators/check/vectors/capabilities.ts'
import { CLOSING_VECTORS, MESSAGE_VECTORS } from '../../../../src/device/operators/check/vectors/messages.ts'
import { SOCKET_VECTORS } from '../../../../src/device/operators/check/vectors/sockets.ts'
import { defaultScenario } from '../../../../src/simulator/scenario/default/apps.ts'
import { type Fault, OPERATOR_FAULT_KINDS, PROGRESS_FAULT_KINDS } from '../../../../src/simulator/scenario/fault.ts'
import { checkSimulated } from '../../../support/device/operator-check.ts'

const SLOW_TEST_MS = 60_000
/** A quarter of the time for all that host and phone wait for. */
const hostScale = 0.25

test('the simulated operator app keeps every rule, and the phone is left as it was', {
  timeout: SLOW_TEST_MS,
}, async () => {
  const { report, failed, front, files } = await checkSimulated()
  expect(failed).toEqual([])
  expect(report.leftOut).toEqual([])
  expect(report).toMatchObject({ held: VECTORS.length, all: VECTORS.length })
  expect(front).not.toBe('com.android.settings')
  expect(files).toEqual([])
})

test('an app without a session socket is checked by broadcast alone, and what is left out is named', async () => {
  const { report, failed } = await checkSimulated({
    operator: 'broadcast',
    checks: [...MESSAGE_VECTORS, ...SOCKET_VECTORS],
  })
  expect(failed).toEqual([])
  expect(report.all).toBe(MESSAGE_VECTORS.length)
  expect(report.leftOut.map(({ id }) => id)).toEqual(SOCKET_VECTORS.map(({ id }) => id))
  expect(report.leftOut[0]?.reason).toMatch(/localabstract:com\.svc\.operator/)
})

test('a phone without settings has the checks on them left out', async () => {
  const scenario = { ...defaultScenario(), timeScale: 0.05 }
  const apps = scenario.apps.map(app => (app.package === 'com.android.settings' ? { ...app, intents: [] } : app))
  const checks = VECTORS.filter(({ id }) => ['click', 'read-text', 'show-toast'].includes(id))
  const { report } = await checkSimulated({ scenario: { ...scenario, apps }, checks })
  expect(report.checks).toMatchObject([{ id: 'show-toast', held: true }])
  expect(report.leftOut.map(({ id }) => id)).toEqual(['read-text', 'click'])
})

test('an app whose accessibility service is off is told to switch it on', async () => {
  const scenario = { ...defaultScenario(), timeScale: 0.05 }
  scenario.device = { ...scenario.device, operator: { ...scenario.device.operator, accessibility: false } }
  const { failed } = await checkSimulated({ scenario, checks: MESSAGE_VECTORS.slice(0, 1) })
  expect(failed).toMatchObject([
    { id: 'answers-broadcast', detail: expect.stringMatching(/SERVICE_UNAVAILABLE.*accessibility/) },
  ])
})

/** How each fault breaks the protocol: with what it is set, and whether the link goes with it. */
const BREAKING: Record<(typeof OPERATOR_FAULT_KINDS)[number], Partial<Fault>> = {
  'no-result': {},
  late: {},
  truncate: {},
  'drop-chunk': {},
  'repeat-chunk': {},
  garbage: {},
  'link-lost-before': {},
  'link-lost-after': {},
  slow: { ms: 20_000 },
  'device-gone': {},
}

const fault = (kind: Fault['do'], more: Partial<Fault> = {}): Fault => ({ after: 0, do: kind, times: 1, ...more })

describe('one request that is hit by a fault fails its check', () => {
  test.concurrent.each(OPERATOR_FAULT_KINDS)('%s, by broadcast', { timeout: SLOW_TEST_MS }, async kind => {
    const faults = [fault(kind, BREAKING[kind])]
    const { failed } = await checkSimulated({
      hostScale,
      faults,
      checks: [...MESSAGE_VECTORS.slice(0, 2), ...CLOSING_VECTORS],
    })
    expect(failed.map(({ id }) => id)).toContain('answers-broadcast')
  })

  test.concurrent.each(OPERATOR_FAULT_KINDS)('%s, over the socket', { timeout: SLOW_TEST_MS }, async kind => {
    const faults = [fault(kind, BREAKING[kind])]
    const { failed } = await checkSimulated({ hostScale, faults, checks: SOCKET_VECTORS.slice(1, 2) })
    expect(failed.map(({ id }) => id)).toEqual(['socket-executes'])
  })
})

/** The rules that each lie breaks, by an app that tells it in every request. */
const LIES: Record<(typeof PROGRESS_FAULT_KINDS)[number], readonly string[]> = {
  'progress-untrue': ['tells-progress', 'tells-progress-in-log'],
  'nonce-wrong': ['tells-progress', 'tells-progress-in-log', 'answers-questions', 'keeps-results-of-closed-sessions'],
  'result-forgotten': ['answers-questions', 'keeps-results-of-closed-sessions'],
  'asking-repeats': ['answers-questions', 'asking-performs-nothing'],
}

describe('an app with capabilities', () => {
  test.concurrent.each(PROGRESS_FAULT_KINDS)(
    'that lies fails its checks: %s',
    { timeout: SLOW_TEST_MS },
    async kind => {
      const { failed } = await checkSimulated({ faults: [fault(kind, { times: 1_000 })], checks: CAPABILITY_VECTORS })
      expect(failed.map(({ id }) => id)).toEqual(LIES[kind])
    },
  )

  test('and one without them has their checks left out', async () => {
    const scenario = { ...defaultScenario(), timeScale: 0.05 }
    scenario.device = { ...scenario.device, operator: { ...scenario.device.operator, capabilities: [] } }
    const { report } = await checkSimulated({ scenario, checks: CAPABILITY_VECTORS })
    expect(report.checks).toEqual([])
    expect(report.leftOut.map(({ id }) => id)).toEqual(CAPABILITY_VECTORS.map(({ id }) => id))
    expect(report.leftOut[0]?.reason).toMatch(/does not name the capability progress/)
  })
})

describe('what a host can live with breaks no rule', () => {
  test.concurrent.each([
    ['an answer that is late and in time', fault('late', { ms: 1_000, times: 50 })],
    ['an app that is slow and in time', fault('slow', { ms: 500, times: 50 })],
  ])('%s', { timeout: SLOW_TEST_MS }, async (_, one) => {
    const { failed } = await checkSimulated({
      hostScale,
      faults: [one],
      checks: [...MESSAGE_VECTORS, ...CLOSING_VECTORS],
    })
    expect(failed).toEqual([])
  })
})

test('the link is opened again after it was lost', { timeout: SLOW_TEST_MS }, async () => {
  const { report } = await checkSimulated({
    hostScale,
    faults: [fault('link-lost-after')],
    checks: MESSAGE_VECTORS.slice(0, 2),
  })
  expect(report.checks).toMatchObject([
    { id: 'answers-broadcast', held: false, detail: expect.stringContaining('could not be reached') },
    { id: 'keeps-odd-text', held: true },
  ])
})

test('an app that stays silent ends the check, and what was not tried is named', {
  timeout: SLOW_TEST_MS,
}, async () => {
  const { report } = await checkSimulated({ hostScale: 0.1, faults: [fault('no-result', { times: 1_000 })] })
  expect(report.checks.every(({ held }) => !held)).toBe(true)
  expect(report.all).toBeLessThan(5)
  expect(report.checks.length + report.leftOut.length).toBe(VECTORS.length)
  expect(report.leftOut[0]?.reason).toMatch(/did not answer 3 requests/)
})

test('a cancelled check ends, and goes home all the same', async () => {
  const stop = new AbortController()
  const checks = [
    ...VECTORS.filter(({ id }) => id === 'snapshot'),
    { id: 'stops', rule: '', asks: '', run: async () => stop.abort() as never },
    ...MESSAGE_VECTORS.slice(0, 1),
  ]
  await expect(checkSimulated({ checks, signal: stop.signal })).rejects.toThrow(/cancelled/)
})

import { describe, expect, test } from 'vitest'
import { testRun } from '../../../machines/test-run/test-run.ts'
import type { StoredEvent } from '../../../src/contracts/records/journal.ts'
import { given } from '../../support/runtime/given.ts'

const event = (type: string, more: object = {}): StoredEvent => ({ type, at: 2_000, ...more })
const requested = event('run.requested', { testRunId: 'r', retries: 1, failFast: false })
const flow = (name: string, more: object = {}) => ({
  file: `/${name}.yaml`,
  name,
  deviceId: null,
  after: null,
  needsPassed: false,
  ...more,
})
const planned = event('run.planned', { flows: [flow('a'), flow('b')] })
const refused = event('run.refused', { code: 'FLOW_INVALID', message: 'm' })
const joined = (deviceId = 'p1') => event('phone.joined', { deviceId })
const left = (deviceId = 'p1') => event('phone.left', { deviceId })
const ended = (flow: number, verdict: string, { attempt = 1, lostPhone = false } = {}) =>
  event('attempt.ended', { flow, attempt, verdict, lostPhone })
const cancelled = event('run.cancelled', { reason: 'r' })
const interrupted = event('run.interrupted')
const resumed = event('run.resumed', { requestId: 'x' })
const deadline = event('deadline.passed')
const broken = event('port.failed', { port: 'runner', message: 'm' })

const waiting = [requested, planned]
const served = [...waiting, joined()]
const half = [...served, ended(0, 'passed')]
const cancelling = [...served, cancelled]

const afterwards = (events: readonly StoredEvent[], next: StoredEvent) =>
  given(testRun, events, { testRunId: 'r' }).when(next)
const verdicts = (events: readonly StoredEvent[], next: StoredEvent) =>
  afterwards(events, next).context.flows.map(({ verdict }: { verdict: string | null }) => verdict)

describe('what an event leads to', () => {
  test.each([
    ['its request', [], requested, 'planning'],
    ['a plan', [requested], planned, 'running.unserved'],
    ['files that cannot be run', [requested], refused, 'failed'],
    ['a cancellation before the plan', [requested], cancelled, 'cancelled'],
    ['a phone', waiting, joined(), 'running.served'],
    ['the end of one flow', served, ended(0, 'passed'), 'running.served'],
    ['the end of the last flow', half, ended(1, 'passed'), 'passed'],
    ['the only phone lost in its flow', served, ended(0, 'indeterminate', { lostPhone: true }), 'running.unserved'],
    ['a phone that leaves while its flow runs', served, left(), 'running.served'],
    ['no phone in time', waiting, deadline, 'indeterminate'],
    [
      'a phone that comes back',
      [...served, ended(0, 'indeterminate', { lostPhone: true })],
      joined(),
      'running.served',
    ],
    ['a cancellation', served, cancelled, 'running.cancelling'],
    ['a cancellation while nothing runs', waiting, cancelled, 'cancelled'],
    ['a second cancellation', cancelling, cancelled, 'running.cancelling'],
    ['the last attempt of a cancelled run', cancelling, ended(0, 'cancelled'), 'cancelled'],
    ['an attempt that fails just when its run is cancelled', cancelling, ended(0, 'failed'), 'cancelled'],
    ['a phone lost just when its run is cancelled', cancelling, ended(0, 'failed', { lostPhone: true }), 'cancelled'],
    ['a host that dies while planning', [requested], interrupted, 'interrupted'],
    ['a host that dies', served, interrupted, 'interrupted'],
    ['a host that dies in a cancelled run', cancelling, interrupted, 'cancelled'],
    ['a run that goes on with its plan', [requested, interrupted], resumed, 'planning'],
    ['a run that goes on with its flows', [...served, interrupted], resumed, 'running.served'],
    ['a run that goes on without a phone', [...waiting, interrupted], resumed, 'running.unserved'],
    ['an interrupted run that nobody wants', [...served, interrupted], cancelled, 'cancelled'],
    ['a runner that broke', served, broken, 'indeterminate'],
  ] as const)('%s', (_, events, next, state) => {
    expect(afterwards(events, next).state).toBe(state)
  })

  test('the runner lives as long as the run, over all its phones', () => {
    expect(afterwards([requested], planned).ports.toSorted()).toEqual(['phone-wait', 'runner'])
    expect(afterwards(waiting, joined()).ports).toEqual(['runner'])
    expect(afterwards(served, cancelled).ports).toEqual(['runner'])
    expect(afterwards(half, ended(1, 'passed')).ports).toEqual([])
  })
})

describe('the verdict', () => {
  test.each([
    ['passed', ['passed', 'passed']],
    ['failed', ['failed', 'indeterminate']],
    ['indeterminate', ['passed', 'indeterminate']],
    ['cancelled', ['passed', 'cancelled']],
  ] as const)('%s', (verdict, [first, second]) => {
    const plan = [event('run.requested', { testRunId: 'r', retries: 0, failFast: false }), planned, joined()]
    const { emitted } = afterwards([...plan, ended(0, first)], ended(1, second))
    expect(emitted).toEqual([{ type: 'run.ended', testRunId: 'r', verdict }])
  })

  test('only the last attempt of a flow counts', () => {
    const again = [...served, joined('p2'), ended(1, 'passed'), ended(0, 'failed')]
    expect(afterwards(again, ended(0, 'passed', { attempt: 2 })).emitted).toMatchObject([{ verdict: 'passed' }])
  })

  test('flows of an abandoned run are cancelled, those that ran included', () => {
    expect(verdicts([...half, interrupted], cancelled)).toEqual(['passed', 'cancelled'])
    expect(verdicts(cancelling, interrupted)).toEqual(['cancelled', 'cancelled'])
  })

  test('a run with a cancelled flow ends when no phone takes the rest', () => {
    const lost = [...served, ended(0, 'cancelled'), ended(1, 'indeterminate', { lostPhone: true })]
    expect(afterwards(lost, deadline)).toMatchObject({ state: 'cancelled', emitted: [{ verdict: 'cancelled' }] })
  })
})

describe('what is begun', () => {
  const begunBy = (events: readonly StoredEvent[], next: StoredEvent) => afterwards(events, next).context.assignments

  test('the next flow on the phone that is free', () => {
    expect(begunBy(waiting, joined())).toEqual([{ flow: 0, attempt: 1, deviceId: 'p1' }])
    expect(begunBy(served, joined('p2'))).toEqual([{ flow: 1, attempt: 1, deviceId: 'p2' }])
    expect(begunBy(served, ended(0, 'passed'))).toEqual([{ flow: 1, attempt: 1, deviceId: 'p1' }])
  })

  test('nothing, by the second telling of one end', () => {
    const again = [...served, joined('p2'), ended(0, 'failed')]
    expect(begunBy(again, ended(0, 'failed'))).toEqual([])
    expect(afterwards(again, ended(0, 'failed')).context.flows[0]).toMatchObject({ state: 'running', attempts: 2 })
  })

  test('attempts that were under way when the host died go on, and a new phone takes the next flow', () => {
    const back = [...served, interrupted, resumed]
    expect(begunBy(back, joined('p2'))).toEqual([{ flow: 1, attempt: 1, deviceId: 'p2' }])
    expect(begunBy(back, joined('p1'))).toEqual([])
  })

  test('an interrupted run waits for phones anew from the moment it goes on', () => {
    const late = { ...resumed, at: 900_000 }
    expect(afterwards([...waiting, interrupted], late).context.unservedSince).toBe(900_000)
  })
})

import { describe, expect, test } from 'vitest'
import { flowRun } from '../../machines/flow-run/flow-run.ts'
import type { FlowRunEmitted } from '../../machines/flow-run/flow-run-setup.ts'
import type { StoredEvent } from '../../src/contracts/records/journal.ts'
import { given } from '../support/runtime/given.ts'

const event = (type: string, more: object = {}): StoredEvent => ({ type, at: 2_000, ...more })
const requested = event('flow.requested', {
  flowRunId: 'r.1.1',
  testRunId: 'r',
  flow: 0,
  file: '/f.yaml',
  deviceId: 'd1',
  attempt: 1,
  digest: 'x',
})
const ended = (stage: string, failureCode: string | null = null, index: number | null = null) =>
  event('stage.ended', { stage, failureCode, index })
const begun = event('command.begun', { index: 0, depth: 0, name: 'back', text: 't', file: '/f', line: 1, now: 1 })
const request = event('request.begun', {
  index: 0,
  scriptOf: 'command',
  evaluation: 0,
  request: 0,
  method: 'POST',
  url: 'http://a/order',
  digest: 'x',
})
const read = event('file.read', { index: 0, file: '/f.yaml', digest: 'x' })
const refused = event('flow.refused', { code: 'TEST_RUN_NOT_RESUMABLE' })
const cancelled = event('flow.cancelled', { reason: 'r' })
const interrupted = event('flow.interrupted')
const resumed = event('flow.resumed', { requestId: 'x' })
const broken = event('port.failed', { port: 'stage', message: 'm' })

const start = [requested]
const main = [...start, ended('start')]
const complete = [...main, ended('main')]

const afterwards = (events: readonly StoredEvent[], next: StoredEvent) =>
  given(flowRun, events, { flowRunId: 'r.1.1' }).when(next)
const verdictOf = (events: readonly StoredEvent[], next: StoredEvent) => afterwards(events, next).emitted[0]

describe('what an event leads to', () => {
  test.each([
    ['its request', [], requested, 'active.start'],
    ['a hook that passed', start, ended('start'), 'active.main'],
    ['a hook that failed: the commands are left out', start, ended('start', 'NODE_NOT_FOUND', 0), 'active.complete'],
    ['commands that passed', main, ended('main'), 'active.complete'],
    [
      'commands that failed: the last hook runs all the same',
      main,
      ended('main', 'NODE_NOT_FOUND', 3),
      'active.complete',
    ],
    ['the end of another stage', main, ended('start'), 'active.main'],
    ['a command', main, begun, 'active.main'],
    ['the last hook', complete, ended('complete'), 'passed'],
    ['a driver that broke', main, broken, 'indeterminate'],
    ['a cancellation', main, cancelled, 'cancelled'],
    ['a host that died', main, interrupted, 'interrupted'],
    ['a command of a process that is gone', [...main, interrupted], begun, 'interrupted'],
    ['a cancellation that nobody performs', [...main, interrupted], cancelled, 'cancelled'],
    ['a request of a script', main, request, 'active.main'],
    ['a file that was read', main, read, 'active.main'],
    ['files that have changed meanwhile', [...main, interrupted], refused, 'indeterminate'],
    ['a refusal of an attempt that is performed', main, refused, 'active.main'],
    ['a late cancellation', [...complete, ended('complete')], cancelled, 'passed'],
  ] as const)('%s', (_, events, next, state) => {
    expect(afterwards(events, next).state).toBe(state)
  })

  test.each([
    [start, 'active.start'],
    [main, 'active.main'],
    [complete, 'active.complete'],
  ] as const)('an attempt goes on in the stage in which it was interrupted: %#', (events, state) => {
    expect(afterwards([...events, interrupted], resumed)).toMatchObject({ state, ports: [`stage-${state.slice(7)}`] })
    expect(afterwards(events, interrupted).ports).toEqual([])
  })
})

describe('the verdict', () => {
  test.each([
    ['everything passed', complete, ended('complete'), 'passed', null],
    ['an assertion', [...main, ended('main', 'ASSERTION_FAILED', 4)], ended('complete'), 'failed', 4],
    ['a script', [...main, ended('main', 'SCRIPT_FAILED', 4)], ended('complete'), 'failed', 4],
    ['a missing element', [...main, ended('main', 'NODE_NOT_FOUND', 4)], ended('complete'), 'failed', 4],
    ['a missing app', [...main, ended('main', 'APP_NOT_INSTALLED', 4)], ended('complete'), 'failed', 4],
    ['a lost link', [...main, ended('main', 'DEVICE_LINK_LOST', 4)], ended('complete'), 'indeterminate', 4],
    ['a host that is gone', [...main, ended('main', 'FLEET_HOST_GONE', 4)], ended('complete'), 'indeterminate', 4],
    [
      'an operator without an answer',
      [...main, ended('main', 'RESULT_ENVELOPE_TIMEOUT', 4)],
      ended('complete'),
      'indeterminate',
      4,
    ],
    ['a command in doubt', [...main, ended('main', 'COMMAND_IN_DOUBT', 4)], ended('complete'), 'indeterminate', 4],
    ['the first hook', [...start, ended('start', 'ASSERTION_FAILED', 0)], ended('complete'), 'failed', 0],
    ['the last hook', complete, ended('complete', 'ASSERTION_FAILED', 9), 'failed', 9],
  ] as const)('%s', (_, events, last, verdict, index) => {
    const told = verdictOf(events, last)
    expect(told).toMatchObject({ type: 'flow.ended', flowRunId: 'r.1.1', verdict })
    expect((told as FlowRunEmitted).failure?.index ?? null).toBe(index)
  })

  test('the first failure decides, also one of ours before one of the app', () => {
    const ours = [...main, ended('main', 'DEVICE_LINK_LOST', 1)]
    expect(verdictOf(ours, ended('complete', 'ASSERTION_FAILED', 2))).toMatchObject({ verdict: 'indeterminate' })
    const apps = [...main, ended('main', 'ASSERTION_FAILED', 1)]
    expect(verdictOf(apps, ended('complete', 'DEVICE_LINK_LOST', 2))).toMatchObject({ verdict: 'failed' })
  })

  test('a failure survives the death of the host', () => {
    const events = [...main, ended('main', 'ASSERTION_FAILED', 1), interrupted, resumed]
    expect(verdictOf(events, ended('complete'))).toMatchObject({ verdict: 'failed', failure: { index: 1 } })
  })

  test('it is told once', () => {
    for (const late of [ended('complete'), cancelled, broken, interrupted])
      expect(verdictOf([...complete, ended('complete')], late)).toBeUndefined()
  })
})

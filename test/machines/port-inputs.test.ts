/** What the ports are told: what they work with, and how long they may wait. */
import { describe, expect, test } from 'vitest'
import { device } from '../../machines/device/device.ts'
import { flowRun } from '../../machines/flow-run/flow-run.ts'
import { recordingMachine } from '../../machines/recording/recording.ts'
import { reservation } from '../../machines/reservation/reservation.ts'
import { session } from '../../machines/session/session.ts'
import { skillRun } from '../../machines/skill-run/skill-run.ts'
import { testRun } from '../../machines/test-run/test-run.ts'
import { ENVELOPE_GRACE_MS, LATE_ANSWER_MS } from '../../src/contracts/limits/limits.ts'
import type { StoredEvent } from '../../src/contracts/records/journal.ts'
import { given } from '../support/runtime/given.ts'

const event = (type: string, at: number, more: object = {}): StoredEvent => ({ type, at, ...more })

describe('of a device', () => {
  const requested = (more: object = {}) =>
    event('execution.requested', 100, {
      executionId: 'e1',
      commandId: 'c1',
      taskId: 't1',
      deviceId: 'd1',
      timeoutMs: 30_000,
      doubts: [],
      acceptUntil: 10_100,
      body: { big: true },
      ...more,
    })
  const dispatched = event('execution.dispatched', 200, { executionId: 'e1', segment: 0 })
  const cancelled = event('execution.cancelled', 250, { executionId: 'e1' })
  const deadline = event('deadline.passed', 35_201)
  const inputs = (events: readonly StoredEvent[], next: StoredEvent) => given(device, events).when(next).inputs

  test('the operator gets the payload, and until when it may send it', () => {
    expect(inputs([], requested()).operator).toEqual({
      executionId: 'e1',
      body: { big: true },
      acceptUntil: 10_100,
      doubts: [],
    })
  })

  test('a link may take to open what the caller allows', () => {
    expect(inputs([], requested())['accept-deadline']).toEqual({ since: 100, ms: 10_000 })
  })

  test('the operator is asked for what it saw a moment before the caller is answered', () => {
    const ms = 30_000 + ENVELOPE_GRACE_MS - LATE_ANSWER_MS
    expect(inputs([requested()], dispatched)['envelope-deadline']).toEqual({ since: 100, ms })
    const bounded = requested({ answerUntil: 20_100 })
    expect(inputs([bounded], dispatched)['envelope-deadline']).toEqual({ since: 100, ms: 20_000 - LATE_ANSWER_MS })
    expect(inputs([requested(), dispatched], deadline)['overdue-deadline']).toEqual({
      since: deadline.at,
      ms: LATE_ANSWER_MS,
    })
  })

  test('a clock that was set between the request and its record makes no wait longer than an execution can last', () => {
    const longest = 30_000 + ENVELOPE_GRACE_MS
    const far = requested({ acceptUntil: 9_000_000, answerUntil: 9_000_000 })
    expect(inputs([], far)['accept-deadline']).toEqual({ since: 100, ms: longest })
    expect(inputs([far], dispatched)['envelope-deadline']).toEqual({ since: 100, ms: longest - LATE_ANSWER_MS })
  })

  test('a cancelled execution has the device for as long as it could have run', () => {
    expect(inputs([requested(), dispatched], cancelled)['drain-deadline']).toEqual({ since: 200, ms: 30_000 })
  })
})

describe('of a reservation', () => {
  const wanted = { deviceId: 'd1', phone: 'device:S1', forMs: 60_000, sessionId: null }
  const taken = (clearMs = 0) => event('reservation.taken', 2_000, { ...wanted, clearMs })
  const extended = event('reservation.extended', 9_000, { requestId: 'x1', forMs: 10_000 })
  const inputs = (events: readonly StoredEvent[], next: StoredEvent) =>
    given(reservation, events, { leaseId: 'l1' }).when(next).inputs

  test('its time counts from the moment at which its caller has the phone, and anew from an extension', () => {
    const keeper = { leaseId: 'l1' }
    expect(inputs([], taken())).toEqual({ keeper, expiry: { since: 2_000, ms: 60_000 } })
    expect(inputs([taken(4_000)], event('phone.cleared', 7_000))).toEqual({
      keeper,
      expiry: { since: 7_000, ms: 60_000 },
    })
    expect(inputs([taken()], extended)).toEqual({ keeper, expiry: { since: 9_000, ms: 10_000 } })
  })

  test('the end of what runs on the phone is waited for no longer than its caller waits', () => {
    expect(inputs([], taken(4_000))).toMatchObject({
      clearing: { phone: 'device:S1' },
      'clearing-deadline': { since: 2_000, ms: 4_000 },
    })
  })
})

describe('of a recording', () => {
  const options = { forMs: 60_000, segmentMs: 170_000, bitRate: 4_000_000, size: null }
  const start = event('start.requested', 3_000, { requestId: 's1', recordingId: 'r1', deviceId: 'd1', options })
  const stop = event('stop.requested', 4_000, { requestId: 'e1' })
  const failed = event('recorder.failed', 4_000, { code: 'RECORDING_UNSUPPORTED', message: 'm', details: null })
  const inputs = (events: readonly StoredEvent[], next: StoredEvent) =>
    given(recordingMachine, events).when(next).inputs

  test('the phone records as was asked, until the time of the recording is over', () => {
    expect(inputs([], start)).toEqual({
      record: { recordingId: 'r1', deviceId: 'd1', since: 3_000, options },
      time: { since: 3_000, ms: 60_000 },
    })
  })

  test('its files are fetched with the reason of its end, which the manifest says', () => {
    const finish = { recordingId: 'r1', deviceId: 'd1' }
    expect(inputs([start], stop)).toEqual({ finish: { ...finish, reason: 'stopped', failure: null } })
    expect(inputs([start], failed)).toEqual({
      finish: { ...finish, reason: 'failed', failure: { code: 'RECORDING_UNSUPPORTED', message: 'm', details: null } },
    })
    const repair = event('repair.requested', 9_000, { requestId: 'f1' })
    expect(inputs([start, event('request.interrupted', 5_000)], repair)).toMatchObject({
      finish: { reason: 'host_died' },
    })
  })
})

describe('of a session', () => {
  const requested = event('session.requested', 1_000, { sessionId: 's1', wanted: 'd1', idleMs: 60_000 })
  const reserved = event('phone.reserved', 2_000, { deviceId: 'd1', leaseId: 'l1' })
  const opened = event('session.opened', 3_000)
  const begun = event('command.begun', 4_000, { method: 'POST', path: '/back', executionId: 'e2' })
  const end = event('end.requested', 5_000, { requestId: 'r1' })
  const inputs = (events: readonly StoredEvent[], next: StoredEvent) =>
    given(session, events, { sessionId: 's1' }).when(next).inputs
  const keep = { sessionId: 's1', leaseId: 'l1' }

  test('the phone that its client named is opened, and its reservation kept from then on', () => {
    expect(inputs([], requested)).toEqual({ open: { sessionId: 's1', wanted: 'd1' } })
    expect(inputs([requested], reserved)).toMatchObject({ keep })
    expect(inputs([requested, reserved, opened], begun)).toEqual({ keep })
  })

  test('idleness is that which its client allowed', () => {
    expect(inputs([requested, reserved], opened)).toEqual({ keep, watch: { sessionId: 's1', idleMs: 60_000 } })
  })

  test('its end gives that reservation back, with the reason', () => {
    expect(inputs([requested, reserved, opened], end)).toEqual({
      close: { sessionId: 's1', leaseId: 'l1', reason: 'deleted' },
    })
    expect(inputs([requested], end)).toEqual({ close: { sessionId: 's1', leaseId: null, reason: 'deleted' } })
  })
})

describe('of a skill run', () => {
  const requested = event('run.requested', 100, { runId: 'r1', skillId: 'a.b', timeoutMs: null })
  const cleared = event('run.cleared', 110, {
    script: '/s/run.js',
    argv: ['/s/run.js', '--x'],
    agentDriven: false,
    deadlineAt: 120_110,
  })
  const spawned = event('child.spawned', 120, { pid: 7, started: 's' })
  const inputs = (events: readonly StoredEvent[], next: StoredEvent) =>
    given(skillRun, events, { runId: 'r1' }).when(next).inputs

  test('the script that was cleared is run, up to the deadline that was given then', () => {
    expect(inputs([requested], cleared)).toEqual({
      child: { runId: 'r1', script: '/s/run.js', argv: ['/s/run.js', '--x'] },
      'run-deadline': { since: 110, ms: 120_000 },
    })
  })

  test('it has three seconds to end when it is asked to, and one more after it is killed', () => {
    const late = event('deadline.passed', 120_110)
    const running = [requested, cleared, spawned]
    expect(inputs(running, late)).toMatchObject({ 'term-deadline': { since: 120_110, ms: 3_000 } })
    expect(inputs([...running, late], event('deadline.passed', 123_110))).toMatchObject({
      'kill-deadline': { since: 120_110, ms: 4_000 },
    })
    expect(inputs(running, event('run.cancelled', 400, { signal: 'SIGINT' }))).toMatchObject({
      'cancel-deadline': { since: 400, ms: 3_000 },
    })
  })
})

describe('of test runs', () => {
  test('each stage of a flow has the clock of its request, whichever process performs it', () => {
    const requested = event('flow.requested', 2_000, { deviceId: 'd1' })
    const passed = event('stage.ended', 9_000, { stage: 'start', failureCode: null, index: null })
    const { inputs } = given(flowRun, [requested], { flowRunId: 'r.1.1' }).when(passed)
    expect(inputs).toEqual({ 'stage-main': { flowRunId: 'r.1.1', stage: 'main', requestedAt: 2_000 } })
  })

  const flow = { file: '/a.yaml', name: 'a', deviceId: null, after: null, needsPassed: false }
  const waiting = [
    event('run.requested', 1_000, { testRunId: 'r', retries: 0, failFast: false }),
    event('run.planned', 2_000, { flows: [flow] }),
  ]
  const [requested, planned] = waiting as [StoredEvent, StoredEvent]
  const joined = event('phone.joined', 3_000, { deviceId: 'p1' })
  const interrupted = event('run.interrupted', 4_000)
  const resumed = event('run.resumed', 90_000, { requestId: 'x' })
  const inputs = (events: readonly StoredEvent[], next: StoredEvent) =>
    given(testRun, events, { testRunId: 'r' }).when(next).inputs

  test('flows wait a minute for a phone, counted from when none was left', () => {
    expect(inputs([requested], planned)['phone-wait']).toEqual({ since: 2_000, ms: 60_000 })
    expect(inputs([...waiting, interrupted], resumed)['phone-wait']).toEqual({ since: 90_000, ms: 60_000 })
  })

  test('a later process learns which attempts were under way', () => {
    expect(inputs([requested], planned).runner).toEqual({ testRunId: 'r', running: [] })
    expect(inputs([...waiting, joined, interrupted], resumed).runner).toEqual({
      testRunId: 'r',
      running: [{ flow: 0, attempt: 1, deviceId: 'p1' }],
    })
  })
})

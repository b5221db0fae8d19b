import { describe, expect, test } from 'vitest'
import { recordingMachine } from '../../machines/recording/recording.ts'
import type { StoredEvent } from '../../src/contracts/records/journal.ts'
import { given } from '../support/runtime/given.ts'

const event = (type: string, more: object = {}): StoredEvent => ({ type, at: 2_000, ...more })
const options = { forMs: 60_000, segmentMs: 170_000, bitRate: 4_000_000, size: null }
const start = (requestId = 's1', recordingId = 'r1') =>
  event('start.requested', { requestId, recordingId, deviceId: 'd1', options })
const stop = (requestId = 'e1') => event('stop.requested', { requestId })
const repair = event('repair.requested', { requestId: 'f1' })
const segment = (number = 1) => event('segment.started', { segment: number, rotation: 0 })
const failed = event('recorder.failed', { code: 'RECORDING_UNSUPPORTED', message: 'm', details: { reason: 'x' } })
const cleared = event('phone.cleared', { segments: 1 })
const unreachable = event('phone.unreachable', { message: 'gone' })
const interrupted = event('request.interrupted')
const deadline = event('deadline.passed')

const starting = [start()]
const running = [...starting, segment()]
const unlinked = [...running, event('link.lost', { message: 'm' })]
const stopping = [...running, stop()]
const saved = [...stopping, cleared]
const unfinished = [...running, interrupted]

const afterwards = (events: readonly StoredEvent[], next: StoredEvent) => given(recordingMachine, events).when(next)

describe('what an event leads to', () => {
  test.each([
    ['idle', [], start(), 'recording.starting'],
    ['starting', starting, segment(), 'recording.running'],
    ['starting', starting, failed, 'stopping'],
    ['starting', starting, stop(), 'stopping'],
    ['running', running, segment(2), 'recording.running'],
    ['running', running, event('link.lost', { message: 'm' }), 'recording.unlinked'],
    ['unlinked', unlinked, event('link.restored'), 'recording.running'],
    ['unlinked', unlinked, stop(), 'stopping'],
    ['running', running, deadline, 'stopping'],
    ['running', running, event('host.closing'), 'stopping'],
    ['running', running, interrupted, 'failed.unfinished'],
    ['running', running, event('port.failed', { port: 'record', message: 'm' }), 'stopping'],
    ['stopping', stopping, cleared, 'saved'],
    ['stopping', [...running, failed], cleared, 'failed.settled'],
    ['stopping', stopping, unreachable, 'failed.unfinished'],
    ['stopping', stopping, interrupted, 'failed.unfinished'],
    ['saved', saved, start('s2', 'r2'), 'recording.starting'],
    ['unfinished', unfinished, repair, 'stopping'],
    ['unfinished', unfinished, start('s2', 'r2'), 'failed.unfinished'],
    ['repaired', [...unfinished, repair], cleared, 'saved'],
    ['reached again', [...stopping, unreachable, repair], cleared, 'saved'],
  ] as const)('%s', (_, events, next, state) => {
    expect(afterwards(events, next).state).toBe(state)
  })

  test('the ports run from the first request to the last file', () => {
    expect(afterwards([], start()).ports).toEqual(['record', 'time'])
    expect(afterwards(running, stop()).ports).toEqual(['finish'])
    expect(afterwards(stopping, cleared).ports).toEqual([])
  })
})

describe('who is told what', () => {
  test('a start, once the phone records, and only then', () => {
    expect(afterwards([], start()).emitted).toEqual([])
    expect(afterwards(starting, segment()).emitted).toEqual([{ type: 'recording.started', recordingId: 'r1' }])
  })

  test('a start that fails, when nothing is left on the phone', () => {
    expect(afterwards(starting, failed).emitted).toEqual([])
    expect(afterwards([...starting, failed], cleared).emitted).toMatchObject([
      { type: 'recording.ended', recordingId: 'r1', failure: { code: 'RECORDING_UNSUPPORTED' } },
    ])
  })

  test('all who stop, once everything is fetched', () => {
    expect(afterwards(stopping, stop('e2'))).toMatchObject({ state: 'stopping', emitted: [] })
    expect(afterwards(stopping, cleared).emitted).toEqual([
      { type: 'recording.ended', recordingId: 'r1', failure: null },
    ])
  })

  test('a second start, at once', () => {
    for (const events of [starting, running, stopping, unfinished])
      expect(afterwards(events, start('s2', 'r2')).emitted).toMatchObject([
        { type: 'recording.refused', requestId: 's2', code: 'RECORDING_IN_PROGRESS', details: { recordingId: 'r1' } },
      ])
  })

  test('a stop where nothing is recorded', () => {
    for (const events of [[], saved, unfinished])
      expect(afterwards(events, stop()).emitted).toMatchObject([{ code: 'RECORDING_NOT_RUNNING', requestId: 'e1' }])
  })

  test('those who wait for a phone that is gone', () => {
    expect(afterwards(stopping, unreachable).emitted).toMatchObject([
      { type: 'recording.ended', failure: { code: 'RECORDING_FAILED', message: 'gone' } },
    ])
  })
})

test('the reason of the end is that of its first cause', () => {
  expect(afterwards(running, deadline).context.reason).toBe('time')
  expect(afterwards(running, event('host.closing')).context.reason).toBe('host_ended')
  expect(afterwards(running, interrupted).context.reason).toBe('host_died')
  expect(afterwards([...running, deadline], stop()).context.reason).toBe('time')
})

test('a new recording begins with nothing of the last one', () => {
  const { context } = afterwards([...running, failed, cleared], start('s2', 'r2'))
  expect(context).toMatchObject({ recordingId: 'r2', failure: null, reason: null, saved: 0, bytes: 0 })
})

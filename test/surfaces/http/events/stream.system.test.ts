/** GET /events over real sockets: what is told, in which order, and that nobody misses or hears twice anything. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { JournalError } from '../../../../src/runtime/journal/fault.ts'
import { refusedWith, successOf } from '../../../support/executions/fake-executions.ts'
import { payloadOf } from '../../../support/executions/lab.ts'
import { call, codeOf, readEvents, type SseEvent } from '../../../support/http/http-client.ts'
import { type FakeServer, listen, startFake } from '../../../support/http/http-server.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { until, wait } from '../../../support/until.ts'

let fake: FakeServer
beforeEach(async () => {
  fake = await startFake()
})
afterEach(() => fake.server.close({ graceMs: 0 }))

const snapshot = (body: object = {}, url = fake.url) => call(`${url}/snapshot`, { body })
const listenTo = (lastEventId?: string, url = fake.url) =>
  readEvents(`${url}/events`, lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId })
const names = (events: readonly SseEvent[]) => events.map(({ event }) => event)
const ids = (events: readonly SseEvent[]) => events.map(({ id }) => id)

describe('what is told', () => {
  test('the headers are exactly the documented ones', async () => {
    const reader = await listenTo()
    const { date: _, 'transfer-encoding': __, ...headers } = reader.headers
    expect(reader.status).toBe(200)
    expect(headers).toEqual({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      connection: 'keep-alive',
    })
    reader.close()
  })

  test('a heartbeat at once, and once', async () => {
    const reader = await listenTo()
    await reader.have(1)
    await snapshot()
    await reader.have(3)
    expect(names(reader.events)).toEqual(['heartbeat', 'svc:result', 'svc:execution'])
    expect(reader.events[0]?.data).toEqual({ code: 'CONNECTED', message: expect.any(String) })
    reader.close()
  })

  test('a success: the envelope, and then the outcome with what was sent', async () => {
    const reader = await listenTo()
    const execution = payloadOf([{ id: 'a', type: 'tap', params: { node: { textEquals: 'x' } } }])
    const answer = await call(`${fake.url}/execute`, { body: { execution, deviceId: 'd5' } })
    const [, result, outcome] = await reader.have(3)
    expect(result?.data).toEqual({ deviceId: 'd5', envelope: (answer.json as { envelope: unknown }).envelope })
    expect(outcome?.data).toEqual({ deviceId: 'd5', input: execution, result: answer.json })
    reader.close()
  })

  test('a host failure: no svc:result', async () => {
    const reader = await listenTo()
    fake.executions.answer = () => refusedWith('RESULT_ENVELOPE_TIMEOUT', { executionId: 'e1', deviceId: 'd1' })
    const answer = await snapshot()
    await reader.have(2)
    fake.executions.answer = request => ({ executionId: 'e2', deviceId: 'd1', result: successOf(request) })
    await snapshot()
    await reader.have(4)
    expect(names(reader.events)).toEqual(['heartbeat', 'svc:execution', 'svc:result', 'svc:execution'])
    expect(reader.events[1]?.data).toMatchObject({ deviceId: 'd1', result: answer.json })
    reader.close()
  })

  test('invalid and refused executions, with the device that was named or chosen', async () => {
    const reader = await listenTo()
    const invalid = { commandId: 5 }
    await call(`${fake.url}/execute`, { body: { execution: invalid } })
    await call(`${fake.url}/execute`, { body: { execution: invalid, deviceId: ' ' } })
    await call(`${fake.url}/execute`, { body: { deviceId: 'd2' } })
    fake.executions.answer = () => refusedWith('NO_DEVICES')
    await snapshot()
    fake.executions.answerOnce = () => ({ kind: 'reused' })
    const keyed = { body: { execution: payloadOf([{ id: 'a', type: 'snapshot' }]), deviceId: 'd2' } }
    await call(`${fake.url}/execute`, { ...keyed, headers: { 'Idempotency-Key': 'k' } })

    await call(`${fake.url}/execute`, { body: { execution: invalid, deviceId: 'd3' } })
    fake.executions.answer = () => refusedWith('DEVICE_NOT_FOUND')
    await snapshot({ deviceId: 'd4' })
    fake.executions.answer = () => refusedWith('DEVICE_NOT_INTERACTIVE', { deviceId: 'd6' })
    await snapshot()
    await reader.have(9)
    await wait(30)
    const told = reader.events.slice(1).map(({ event, data }) => {
      const { deviceId, result } = data as { deviceId: string; result: { error: { code: string } } }
      return [event, deviceId, result.error.code]
    })
    expect(told).toEqual([
      ['svc:execution', '', 'EXECUTION_VALIDATION_FAILED'],
      ['svc:execution', '', 'EXECUTION_VALIDATION_FAILED'],
      ['svc:execution', 'd2', 'MISSING_EXECUTION'],
      ['svc:execution', '', 'NO_DEVICES'],
      ['svc:execution', 'd2', 'IDEMPOTENCY_KEY_REUSED'],
      ['svc:execution', 'd3', 'EXECUTION_VALIDATION_FAILED'],
      ['svc:execution', 'd4', 'DEVICE_NOT_FOUND'],
      ['svc:execution', 'd6', 'DEVICE_NOT_INTERACTIVE'],
    ])
    expect(reader.events[1]?.data).toMatchObject({ input: invalid })
    reader.close()
  })

  test('a replayed answer is not a new outcome', async () => {
    const reader = await listenTo()
    fake.executions.answerOnce = (_, request) => ({
      kind: 'replayed',
      executionId: 'e',
      deviceId: 'd',
      result: successOf(request),
    })
    const body = { execution: payloadOf([{ id: 'a', type: 'snapshot' }]) }
    await call(`${fake.url}/execute`, { body, headers: { 'Idempotency-Key': 'k' } })
    await snapshot()
    await reader.have(3)
    await wait(30)
    expect(reader.events).toHaveLength(3)
    reader.close()
  })
})

describe('order and ids', () => {
  test('many at once: pairs stay together, ids are unique, each reader hears the same', async () => {
    const readers = await Promise.all([listenTo(), listenTo(), listenTo()])
    await Promise.all(Array.from({ length: 60 }, (_, index) => snapshot({ deviceId: `d${index}` })))
    for (const reader of readers) await reader.have(121)
    const [first] = readers
    const events = first?.events.slice(1) ?? []
    expect(new Set(ids(events)).size).toBe(120)
    for (let at = 0; at < events.length; at += 2) {
      expect(names(events.slice(at, at + 2))).toEqual(['svc:result', 'svc:execution'])
      const devices = events.slice(at, at + 2).map(({ data }) => (data as { deviceId: string }).deviceId)
      expect(devices[0]).toBe(devices[1])
    }
    for (const reader of readers) {
      expect(ids(reader.events.slice(1))).toEqual(ids(events))
      reader.close()
    }
  })

  test('heartbeats have ids of their own', async () => {
    const heartbeats = await Promise.all([listenTo(), listenTo(), listenTo()])
    for (const reader of heartbeats) await reader.have(1)
    expect(new Set(heartbeats.map(({ events }) => events[0]?.id)).size).toBe(3)
    for (const reader of heartbeats) reader.close()
  })
})

describe('Last-Event-ID', () => {
  const produce = async (count: number) => {
    const reader = await listenTo()
    for (let index = 0; index < count; index++) await snapshot({ deviceId: `d${index}` })
    const events = [...(await reader.have(1 + 2 * count))]
    reader.close()
    return events
  }

  test('goes on after every id, the halves of a pair and heartbeats included', async () => {
    const all = await produce(4)
    for (const [index, { id }] of all.entries()) {
      const reader = await listenTo(id)
      const rest = all.slice(index + 1)
      await reader.have(1 + rest.length)
      await wait(10)
      expect(reader.events[0]?.event).toBe('heartbeat')
      expect(reader.events.slice(1)).toEqual(rest)
      // Gone before anything but the heartbeat was read, it comes back with the heartbeat's id.
      const again = await listenTo(reader.events[0]?.id)
      await again.have(1 + rest.length)
      expect(again.events.slice(1)).toEqual(rest)
      reader.close()
      again.close()
    }
  })

  test('across a restart of the server, and live from there on', async () => {
    const all = await produce(3)
    await fake.server.close({ graceMs: 0 })
    const next = await listen(fake.deps)
    const reader = await listenTo(all[2]?.id, next.url)
    await reader.have(5)
    await snapshot({ deviceId: 'new' }, next.url)
    await reader.have(7)
    expect(reader.events.slice(1, 5)).toEqual(all.slice(3))
    expect(new Set(ids(reader.events)).size).toBe(7)
    expect(reader.events[6]?.data).toMatchObject({ deviceId: 'new' })
    reader.close()
    await next.server.close({ graceMs: 0 })
  })

  test('of another listener on the same journal nothing is heard', async () => {
    const [start] = await produce(1)
    const other = await listen({ ...fake.deps, listener: 'serve:other' })
    await snapshot({ deviceId: 'elsewhere' }, other.url)
    const reader = await listenTo(start?.id)
    await snapshot({ deviceId: 'here' })
    await reader.have(5)
    expect(JSON.stringify(reader.events)).not.toContain('elsewhere')
    const there = await listenTo(start?.id, other.url)
    await there.have(3)
    expect(JSON.stringify(there.events.slice(1))).toContain('elsewhere')
    await wait(20)
    expect(there.events).toHaveLength(3)
    reader.close()
    there.close()
    await other.server.close({ graceMs: 0 })
  })

  test('from another journal, or from the future: only what is new', async () => {
    await produce(2)
    const reader = await listenTo('999999999999.1')
    await reader.have(1)
    await snapshot({ deviceId: 'new' })
    await reader.have(3)
    expect(reader.events[2]?.data).toMatchObject({ deviceId: 'new' })
    reader.close()
  })

  test.each(['abc', '1', '1.2', '-1.0', '1.0.0', '1e3.0', '0x1.0', '9999999999999999.1', '1.1~a b', '1.1\u00e9'])(
    '%j is not an id',
    async id => {
      const answer = await call(`${fake.url}/events`, { headers: { 'Last-Event-ID': id } })
      expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_QUERY'])
    },
  )

  test('a blank one counts as none', async () => {
    await produce(1)
    const reader = await listenTo('')
    await reader.have(1)
    await wait(20)
    expect(names(reader.events)).toEqual(['heartbeat'])
    reader.close()
  })

  test('a reader that comes and goes while things happen misses nothing and hears nothing twice', async () => {
    const heard: SseEvent[] = []
    const start = await listenTo()
    await start.have(1)
    let last = start.events[0]?.id
    start.close()
    const total = 150
    const work = (async () => {
      for (let index = 0; index < total; index++) await snapshot({ deviceId: `d${index}` })
    })()
    for (let visit = 0; heard.length < 2 * total; visit++) {
      const reader = await listenTo(last)
      const want = Math.min(1 + (visit % 7), 2 * total - heard.length)
      await reader.have(1 + want)
      reader.close()
      // Of what came, a prefix of any length was read.
      heard.push(...reader.events.slice(1, 1 + want))
      last = heard.at(-1)?.id
    }
    await work
    const devices = heard.map(({ data }) => (data as { deviceId: string }).deviceId)
    expect(devices).toEqual(Array.from({ length: 2 * total }, (_, index) => `d${Math.floor(index / 2)}`))
    expect(new Set(ids(heard)).size).toBe(2 * total)
  })

  test('a long replay comes whole and in order, new events after it', async () => {
    const reader = await listenTo()
    await reader.have(1)
    // More than the journal is read at once.
    for (let round = 0; round < 12; round++) {
      await Promise.all(Array.from({ length: 50 }, (_, index) => snapshot({ deviceId: `d${round * 50 + index}` })))
    }
    await reader.have(1_201)
    const back = await listenTo(reader.events[0]?.id)
    await snapshot({ deviceId: 'last' })
    await back.have(1_203)
    expect(ids(back.events.slice(1, 1_201))).toEqual(ids(reader.events.slice(1, 1_201)))
    expect(back.events.at(-1)?.data).toMatchObject({ deviceId: 'last' })
    reader.close()
    back.close()
  })
})

describe('the journal', () => {
  test('whose stream another process writes to: both are heard, in order', async () => {
    const reader = await listenTo()
    await reader.have(1)
    await snapshot({ deviceId: 'mine-1' })
    const other = await listen(fake.deps)
    await snapshot({ deviceId: 'theirs' }, other.url)
    await wait(20)
    await snapshot({ deviceId: 'mine-2' })
    await reader.have(7)
    const devices = reader.events.slice(1).map(({ data }) => (data as { deviceId: string }).deviceId)
    expect(devices).toEqual(['mine-1', 'mine-1', 'theirs', 'theirs', 'mine-2', 'mine-2'])
    reader.close()
    await other.server.close({ graceMs: 0 })
  })

  test('that cannot be read ends the stream, and a new one is refused', async () => {
    const { head } = fake.deps.journal()
    fake.deps.journal().head = () => {
      throw new JournalError('corrupt', 'it is damaged')
    }
    const answer = await call(`${fake.url}/events`)
    expect([answer.status, codeOf(answer)]).toEqual([500, 'JOURNAL_UNAVAILABLE'])
    fake.deps.journal().head = head
  })
})

describe('time', () => {
  test('a comment every 15 s', async () => {
    const clock = manualClock()
    const server = await startFake({ clock })
    const reader = await listenTo(undefined, server.url)
    await reader.have(1)
    for (let count = 1; count <= 3; count++) {
      clock.advance(14_999)
      clock.advance(1)
      await until(() => reader.comments.length === count, `comment ${count}`)
    }
    expect(names(reader.events)).toEqual(['heartbeat'])
    reader.close()
    await server.server.close({ graceMs: 0 })
  })

  test('the timer goes with the last reader', async () => {
    const clock = manualClock()
    const server = await startFake({ clock })
    const readers = await Promise.all([listenTo(undefined, server.url), listenTo(undefined, server.url)])
    const [first, second] = readers
    first?.close()
    second?.close()
    // Left over: the watch over requests, which ends by itself.
    await until(() => {
      clock.advance(1_000)
      return clock.pending() === 0
    }, 'all timers to be gone')
    await server.server.close({ graceMs: 0 })
  })
})

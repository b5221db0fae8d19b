/** The actors over HTTP: from the journal, whichever process wrote it. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { NewRecord } from '../../../../src/runtime/journal/journal.ts'
import { call, codeOf, readEvents } from '../../../support/http/http-client.ts'
import { type FakeServer, startFake } from '../../../support/http/http-server.ts'
import { recordOf } from '../../../support/runtime/records.ts'
import { wait } from '../../../support/until.ts'

let fake: FakeServer
beforeEach(async () => {
  fake = await startFake()
})
afterEach(() => fake.server.close({ graceMs: 0 }))

const get = (path: string) => call(`${fake.url}${path}`)
const write = (actor: string, n: number, more: Partial<NewRecord> = {}) =>
  fake.deps.journal().append(recordOf(actor, n, more))
const history = () => {
  write('device:a', 0, { to: 'idle' })
  write('device:a', 1, { from: 'idle', to: 'running.accepted', tags: ['in-flight'], at: 5_000 })
  write('daemon:default', 0, { machine: 'daemon', to: 'running' })
  // Streams of the journal that are not actors.
  write('serve:test', 0, { machine: 'listener' })
  write('idempotency-key:1', 0, { machine: 'idempotency-key' })
}

describe('the list', () => {
  test('the most recent first, and actors only', async () => {
    history()
    const { status, json } = await get('/actors')
    expect(status).toBe(200)
    expect(json).toEqual({
      ok: true,
      actors: [
        { id: 'daemon:default', machine: 'daemon', state: 'running', tags: [], updatedAt: 1_000 },
        { id: 'device:a', machine: 'device', state: 'running.accepted', tags: ['in-flight'], updatedAt: 5_000 },
      ],
    })
  })

  test('empty', async () => {
    expect((await get('/actors')).json).toEqual({ ok: true, actors: [] })
  })
})

test('one of them, by an id that may be encoded', async () => {
  history()
  for (const id of ['device:a', 'device%3Aa']) {
    expect((await get(`/actors/${id}`)).json).toMatchObject({
      ok: true,
      actor: { id: 'device:a', state: 'running.accepted' },
    })
  }
  for (const id of ['device:b', 'serve:test', 'idempotency-key:1', '%00']) {
    for (const path of [`/actors/${id}`, `/actors/${id}/history`]) {
      const answer = await get(path)
      expect([path, answer.status, codeOf(answer)]).toEqual([path, 404, 'ACTOR_NOT_FOUND'])
    }
  }
})

test('a stream of a kind of actor that there is not is refused', async () => {
  expect((await get('/actors/events?machine=foo')).json).toMatchObject({
    error: { code: 'INVALID_QUERY', message: expect.stringMatching(/must be one of device, .*policy; got .*foo/) },
  })
})

test('the denials of the policy are told like the transitions of any actor, and other logs are not', async () => {
  const deny = (n: number) =>
    write('policy', n, {
      machine: 'policy',
      from: n === 0 ? '' : 'denied',
      to: 'denied',
      event: { type: 'execution.denied', rule: 'no' },
    })
  deny(0)
  write('screen:a', 0, { machine: 'screen' })
  write('cancel:e1', 0, { machine: 'cancel' })
  const reader = await readEvents(`${fake.url}/actors/events?actor=policy`, { 'Last-Event-ID': '0' })
  await reader.have(1)
  deny(1)
  await reader.have(2)
  expect(reader.events.map(({ data }) => data)).toMatchObject([
    { actor: 'policy', event: 'execution.denied', from: '', to: 'denied' },
    { actor: 'policy', event: 'execution.denied', from: 'denied', to: 'denied' },
  ])
  reader.close()
  expect((await get('/actors')).json).toMatchObject({ actors: [{ id: 'policy', machine: 'policy', state: 'denied' }] })
  expect((await get('/inspector/actors')).json).toMatchObject({ actors: [{ id: 'policy' }] })
  const { json } = await get('/actors/policy/history')
  expect(json).toMatchObject({ events: [{ event: { rule: 'no' } }, { event: { rule: 'no' } }] })
})

describe('history', () => {
  test('oldest first, a page at a time', async () => {
    for (let n = 0; n < 5; n++) write('device:a', n)
    write('device:b', 0)
    const whole = await get('/actors/device:a/history')
    expect(whole.json).toEqual({
      ok: true,
      events: [1, 2, 3, 4, 5].map(seq => ({
        seq,
        at: 999 + seq,
        type: 'thing.happened',
        event: { type: 'thing.happened', n: seq - 1 },
      })),
    })
    const pages: number[][] = []
    let next: number | undefined = 0
    while (next !== undefined) {
      const { json } = await get(`/actors/device:a/history?after=${next}&limit=2`)
      const page = json as { events: { seq: number }[]; next?: number }
      pages.push(page.events.map(({ seq }) => seq))
      next = page.next
    }
    expect(pages).toEqual([[1, 2], [3, 4], [5]])
    expect((await get('/actors/device:a/history?after=5')).json).toEqual({ ok: true, events: [] })
  })

  test.each(['limit=0', 'limit=1001', 'limit=x', 'after=-1', 'after=x', 'after=1&after=2', 'limit=1&limit=1'])(
    '%s is INVALID_QUERY',
    async query => {
      history()
      const answer = await get(`/actors/device:a/history?${query}`)
      expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_QUERY'])
    },
  )
})

describe('events', () => {
  const listenTo = (query = '', lastEventId?: string | number) =>
    readEvents(
      `${fake.url}/actors/events${query}`,
      lastEventId === undefined ? {} : { 'Last-Event-ID': `${lastEventId}` },
    )

  test('every transition as it is recorded, by its position', async () => {
    write('device:a', 0)
    const reader = await listenTo()
    write('device:a', 1, { from: 'idle', to: 'running.accepted', event: { type: 'execution.requested', secret: 1 } })
    write('serve:test', 0, { machine: 'listener' })
    write('daemon:default', 0, { machine: 'daemon' })
    await reader.have(2)
    await wait(20)
    expect(reader.headers['content-type']).toBe('text/event-stream')
    expect(reader.events.map(({ id, event }) => [id, event])).toEqual([
      ['2', 'svc:transition'],
      ['4', 'svc:transition'],
    ])
    expect(reader.events[0]?.data).toEqual({
      seq: 2,
      actor: 'device:a',
      machine: 'device',
      event: 'execution.requested',
      from: 'idle',
      to: 'running.accepted',
      at: 1_001,
    })
    reader.close()
  })

  test('of one actor, of one machine', async () => {
    const readers = await Promise.all(
      ['?actor=device:a', '?machine=daemon', '?actor=device:a&machine=daemon', '?machine=emulator', ''].map(query =>
        listenTo(query),
      ),
    )
    history()
    write('device:b', 0)
    const [actor, machine, both, streams, all] = readers
    await all?.have(4)
    await wait(20)
    expect([actor, machine, both, streams].map(reader => reader?.events.map(({ id }) => id))).toEqual([
      ['1', '2'],
      ['3'],
      [],
      [],
    ])
    for (const reader of readers) reader.close()
  })

  test('resumes after an id, filtered too, and goes on live', async () => {
    for (let n = 0; n < 700; n++) write(`device:${n % 7}`, Math.floor(n / 7))
    const all = await listenTo('', 0)
    await all.have(700)
    expect(all.events.map(({ id }) => Number(id))).toEqual(Array.from({ length: 700 }, (_, index) => index + 1))
    const one = await listenTo('?actor=device:3', 350)
    await one.have(50)
    write('device:3', 100)
    write('device:4', 100)
    await one.have(51)
    await all.have(702)
    expect(one.events.map(({ id }) => Number(id)).slice(-3)).toEqual([690, 697, 701])
    expect(new Set(one.events.map(({ id }) => id)).size).toBe(51)
    all.close()
    one.close()
  })

  test('from the future: only what is new', async () => {
    history()
    const reader = await listenTo('', 999_999)
    write('device:z', 0)
    await reader.have(1)
    expect(reader.events[0]?.data).toMatchObject({ actor: 'device:z' })
    reader.close()
  })

  test('what comes while a reader comes is heard once', async () => {
    let n = 0
    for (let round = 0; round < 30; round++) {
      write('device:a', n++)
      const reader = await listenTo('', n - 1)
      write('device:a', n++)
      await reader.have(2)
      await wait(2)
      expect(reader.events.map(({ id }) => Number(id))).toEqual([n - 1, n])
      reader.close()
    }
  })

  test.each([
    ['?actor=a&actor=b', undefined],
    ['', 'abc'],
    ['', '1.1'],
    ['', '-1'],
  ])('%s with Last-Event-ID %s is INVALID_QUERY', async (query, id) => {
    const answer = await call(
      `${fake.url}/actors/events${query}`,
      id === undefined ? {} : { headers: { 'Last-Event-ID': id } },
    )
    expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_QUERY'])
  })
})

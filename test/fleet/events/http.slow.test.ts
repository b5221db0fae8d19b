/** GET /actors/events and GET /events of a fleet: every host tells the same, and a reader resumes at any of them. */
import { describe, expect, test } from 'vitest'
import type { JournalRecord } from '../../../src/contracts/records/journal.ts'
import { createLogReader } from '../../../src/fleet/log/log-reader.ts'
import { type Mirror, startMirror } from '../../../src/fleet/log/mirror.ts'
import { createSharedLog } from '../../../src/fleet/log/shared-log.ts'
import { recordsAfter } from '../../../src/runtime/journal/reading.ts'
import { toTransition } from '../../../src/runtime/transitions.ts'
import { fleetOutcomeOf } from '../../../src/surfaces/http/events/outcome-text.ts'
import { refusedWith } from '../../support/executions/fake-executions.ts'
import { call, codeOf, type EventReader, readEvents, type SseEvent } from '../../support/http/http-client.ts'
import { type FakeServer, startFake } from '../../support/http/http-server.ts'
import { needs } from '../../support/needs.ts'
import { testEnd } from '../../support/per-test.ts'
import { until } from '../../support/until.ts'
import { clock, fill, newJournal } from './mirroring.ts'
import { fleetServers, type Servers } from './servers.ts'

const startServers = fleetServers()

interface FleetHost extends FakeServer {
  host: string
  mirror: Mirror
}

const atEnd = testEnd()

const startHost = async (servers: Servers, host: string): Promise<FleetHost> => {
  const journal = newJournal()
  const connection = await servers.connect(host)
  const note = () => {}
  const outcomeOf = (record: JournalRecord) => fleetOutcomeOf(journal, record)
  const mirror = startMirror({ connection, names: servers.names, host, journal, clock, note, outcomeOf })
  const reader = createLogReader({ connection, names: servers.names, clock, note })
  const fake = await startFake({ journal: () => journal, fleetLog: createSharedLog({ reader, clock, note }) })
  atEnd(() => Promise.all([fake.server.close({ graceMs: 0 }), mirror.close()]))
  return { ...fake, host, mirror }
}

const read = async (url: string, lastEventId?: string) => {
  const reader = await readEvents(url, lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId })
  atEnd(() => reader.close())
  return reader
}

const ofHost = (events: readonly SseEvent[], host: string) =>
  events.flatMap(({ data }) => ((data as { host?: string }).host === host ? [data] : []))

const journalOf = ({ deps, host }: FleetHost) =>
  [...recordsAfter(deps.journal(), 0, {})].map(record => ({ ...toTransition(record), host }))

const ids = (events: readonly SseEvent[]) => events.map(({ id }) => id)

describe.skipIf(!needs('nats-server')).concurrent('GET /actors/events in a fleet', () => {
  test('tells of all hosts, and resumes at another one after any event', async () => {
    const servers = await startServers(1)
    const a = await startHost(servers, 'a')
    const b = await startHost(servers, 'b')
    const whole = await read(`${a.url}/actors/events`)
    await Promise.all([fill(a.deps.journal(), 0, 120), fill(b.deps.journal(), 0, 120)])
    await whole.have(240)
    expect(ofHost(whole.events, 'a')).toEqual(journalOf(a))
    expect(ofHost(whole.events, 'b')).toEqual(journalOf(b))
    const readers = [whole]
    for (const at of [0, 1, 100, 239]) {
      const resumed = await read(`${b.url}/actors/events`, ids(whole.events)[at])
      await resumed.have(239 - at)
      expect(resumed.events).toEqual(whole.events.slice(at + 1))
      readers.push(resumed)
    }
    await fill(a.deps.journal(), 120, 125)
    for (const reader of readers) await until(() => reader.events.at(-1)?.id === ids(whole.events)[244], 'what follows')
    expect(whole.events).toHaveLength(245)
  })

  test('catches up over more than one page, of one actor alone, while more is written', async () => {
    const servers = await startServers(1)
    const a = await startHost(servers, 'a')
    const b = await startHost(servers, 'b')
    const first = await read(`${a.url}/actors/events`)
    await fill(a.deps.journal(), 0, 1)
    await first.have(1)
    const id = ids(first.events)[0] ?? ''
    first.close()
    await Promise.all([fill(a.deps.journal(), 1, 6_000), fill(b.deps.journal(), 0, 6_000)])
    const all = await read(`${b.url}/actors/events`, id)
    const one = await read(`${a.url}/actors/events?actor=device:d1@b`, id)
    await fill(b.deps.journal(), 6_000, 6_100)
    await until(() => one.events.length >= 6_100 && all.events.length >= 12_099, 'all of it', 40_000)
    expect(one.events.map(({ data }) => data)).toEqual(journalOf(b))
    expect(ofHost(all.events, 'a')).toEqual(journalOf(a).slice(1))
    expect(ofHost(all.events, 'b')).toEqual(journalOf(b))
  })

  test('?scope=host tells of this host alone, by the ids of its journal', async () => {
    const servers = await startServers(1)
    const a = await startHost(servers, 'a')
    const b = await startHost(servers, 'b')
    await fill(b.deps.journal(), 0, 5)
    await fill(a.deps.journal(), 0, 10)
    const reader = await read(`${a.url}/actors/events?scope=host`, '4')
    await reader.have(6)
    expect(ids(reader.events)).toEqual(['5', '6', '7', '8', '9', '10'])
    expect(reader.events[0]?.data).not.toHaveProperty('host')
  })

  test('an id of the other scope is refused with what to do', async () => {
    const servers = await startServers(1)
    const a = await startHost(servers, 'a')
    const refused = async (path: string, id: string) => {
      const answer = await call(`${a.url}${path}`, { headers: { 'Last-Event-ID': id } })
      expect(codeOf(answer)).toBe('INVALID_QUERY')
      return (answer.json as { error: { hint: string } }).error.hint
    }
    expect(await refused('/actors/events', '17')).toContain('?scope=host')
    expect(await refused('/actors/events?scope=host', '17.0')).toContain('?scope=fleet')
    expect(await refused('/events', '17.1')).toContain('?scope=host')
    expect(await refused('/events?scope=host', '17.0.1')).toContain('?scope=fleet')
    expect(codeOf(await call(`${a.url}/events?scope=all`))).toBe('INVALID_QUERY')
  })

  test('says that the servers of the fleet do not answer', async () => {
    const servers = await startServers(1)
    const a = await startHost(servers, 'a')
    await servers.kill(0)
    for (const path of ['/actors/events', '/events']) {
      const answer = await call(`${a.url}${path}`)
      expect(answer.status).toBe(503)
      expect(codeOf(answer)).toBe('FLEET_UNREACHABLE')
    }
    const local = await read(`${a.url}/actors/events?scope=host`)
    await fill(a.deps.journal(), 0, 3)
    await local.have(3)
  })

  test('a stream goes on when the servers of the fleet were away', async () => {
    const servers = await startServers(1)
    const a = await startHost(servers, 'a')
    const reader = await read(`${a.url}/actors/events`)
    await fill(a.deps.journal(), 0, 10)
    await reader.have(10)
    await servers.kill(0)
    await fill(a.deps.journal(), 10, 30)
    await servers.restart(0)
    await until(() => reader.events.length >= 30, 'what came meanwhile', 40_000)
    expect(ofHost(reader.events, 'a')).toEqual(journalOf(a))
  })
})

describe.skipIf(!needs('nats-server')).concurrent('GET /events in a fleet', () => {
  /** What the fake executions record is of 1970, and a mirror does not begin with what is as old as that. */
  const begin = async ({ deps, mirror }: FleetHost) => {
    await fill(deps.journal(), 0, 1, 'device:other')
    await until(() => mirror.lag().mirrored > 0, 'the mirror')
  }
  const snapshot = ({ url }: FleetHost, body: object = {}) => call(`${url}/snapshot`, { body })

  test('tells the outcomes of every host, and resumes at another one after any event', async () => {
    const servers = await startServers(1)
    const a = await startHost(servers, 'a')
    const b = await startHost(servers, 'b')
    await Promise.all([begin(a), begin(b)])
    const whole = await read(`${b.url}/events`)
    await whole.have(1)
    const answer = await snapshot(a)
    await whole.have(3)
    a.executions.answer = () => refusedWith('NO_DEVICES')
    await snapshot(a, { deviceId: 'd9' })
    await whole.have(4)
    await snapshot(b)
    await whole.have(6)
    expect(whole.events.map(({ event }) => event)).toEqual([
      'heartbeat',
      'svc:result',
      'svc:execution',
      'svc:execution',
      'svc:result',
      'svc:execution',
    ])
    const [, result, execution, refused, , last] = whole.events
    const { envelope } = answer.json as { envelope: unknown }
    expect(result?.data).toEqual({ deviceId: 'd1', envelope, host: 'a' })
    expect(execution?.data).toMatchObject({ deviceId: 'd1', result: { ok: true, envelope }, host: 'a' })
    expect(refused?.data).toMatchObject({ deviceId: 'd9', result: { ok: false }, host: 'a' })
    expect(last?.data).toMatchObject({ host: 'b' })
    for (const [at, id] of ids(whole.events).entries()) {
      const resumed = await read(`${a.url}/events`, id)
      await resumed.have(6 - at)
      expect(resumed.events.slice(1)).toEqual(whole.events.slice(at + 1))
    }
  })

  test('what is told of an outcome is what its host tells', async () => {
    const servers = await startServers(1)
    const a = await startHost(servers, 'a')
    const b = await startHost(servers, 'b')
    await begin(a)
    const local = await read(`${a.url}/events?scope=host`)
    const fleet = await read(`${b.url}/events`)
    await fleet.have(1)
    await snapshot(a)
    await snapshot(a, { deviceId: ' ' })
    await local.have(3)
    await fleet.have(3)
    const data = (reader: EventReader) => reader.events.slice(1, 3).map(({ event, data }) => ({ event, data }))
    expect(data(fleet)).toEqual(
      data(local).map(({ event, data }) => ({ event, data: { ...(data as object), host: 'a' } })),
    )
  })
})

test('a server in no fleet takes scope=host, and says that it is in no fleet', async () => {
  const fake = await startFake()
  const reader = await read(`${fake.url}/actors/events?scope=host`)
  await fill(fake.deps.journal(), 0, 2)
  await reader.have(2)
  expect(reader.events.map(({ id }) => id)).toEqual(['1', '2'])
  for (const path of ['/events', '/actors/events']) {
    const answer = await call(`${fake.url}${path}?scope=fleet`)
    expect(answer.status).toBe(400)
    expect(codeOf(answer)).toBe('INVALID_QUERY')
  }
  await fake.server.close({ graceMs: 0 })
})

/** Whatever happens in whatever order, each subscriber of a hub gets every entry of its stream once, in order, or is dropped. */
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SSE_QUEUE_EVENTS } from '../../../../src/contracts/limits/limits.ts'
import { createHub } from '../../../../src/surfaces/http/events/hub.ts'
import type { Entry, Filter } from '../../../../src/surfaces/http/events/ring.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { propertyRuns } from '../../../support/property-runs.ts'

/** As much of a response as a hub uses; how much its socket takes is the test's to say. */
class FakeResponse extends EventEmitter {
  written: string[] = []
  writableNeedDrain = false
  writableEnded = false
  destroyed = false
  /** After so many writes it is full. */
  room = Number.POSITIVE_INFINITY

  writeHead() {}
  write(chunk: string | Buffer) {
    this.written.push(chunk.toString())
    this.room -= 1
    this.writableNeedDrain = this.room <= 0
  }
  drain(room: number) {
    if (this.destroyed) return
    this.room = room
    if (!this.writableNeedDrain || room <= 0) return
    this.writableNeedDrain = false
    this.emit('drain')
  }
  end() {
    this.writableEnded = true
    this.emit('close')
  }
  destroy() {
    this.destroyed = true
    setImmediate(() => this.emit('close'))
  }
}

interface Reader {
  response: FakeResponse
  after: number
  filter: Filter
}

const ACTORS = ['a', 'b', 'c'] as const

const stage = () => {
  const store: Entry[] = []
  const notes: string[] = []
  const head = () => store.at(-1)?.seq ?? 0
  function* after(seq: number, { actor }: Filter) {
    for (const entry of [...store]) if (entry.seq > seq && (actor === undefined || actor === entry.actor)) yield entry
  }
  /** What a subscription to the journal has yet to deliver, while somebody attends. */
  let queue: Entry[] | undefined
  const startWatching = () => {
    queue = []
    return () => {
      queue = undefined
    }
  }
  const hub = createHub({
    clock: manualClock(),
    source: { head, after, startWatching },
    note: text => void notes.push(text),
  })
  const readers: Reader[] = []
  const append = (actor: string, events = 1): Entry => {
    // Positions have gaps: other streams are in the same journal.
    const seq = head() + 1 + (store.length % 3)
    const entry: Entry = { seq, actor, machine: 'm', chunk: Buffer.from(`${seq}`), events }
    store.push(entry)
    return entry
  }
  return {
    hub,
    notes,
    readers,
    publish: (actor: string, events?: number) => hub.publish(append(actor, events)),
    /** Recorded now, by whichever process; published when the journal delivers it. */
    record(actor: string) {
      const entry = append(actor)
      queue?.push(entry)
    },
    deliver() {
      for (const entry of queue?.splice(0) ?? []) hub.publish(entry)
    },
    join(room: number, position: number | undefined, filter: Filter = {}) {
      const response = new FakeResponse()
      response.room = room
      const from = position === undefined ? undefined : (store[position % (store.length + 1)]?.seq ?? 0)
      readers.push({ response, after: from ?? head(), filter })
      hub.subscribe({ outgoing: response as unknown as ServerResponse, after: from, opening: 'opening', ...filter })
    },
    expected: ({ after: from, filter }: Reader) =>
      store.filter(({ seq, actor }) => seq > from && (filter.actor ?? actor) === actor).map(({ seq }) => `${seq}`),
  }
}

const about = <const D extends string>(name: D) =>
  fc.record({ do: fc.constant(name), actor: fc.constantFrom(...ACTORS) })
const alone = <const D extends string>(name: D) => fc.record({ do: fc.constant(name) })

/** Outcomes are published by who records them; transitions are delivered by the journal, later. */
const ofOutcomes = about('publish')
const ofTransitions = fc.oneof({ weight: 6, arbitrary: about('record') }, { weight: 2, arbitrary: alone('deliver') })
const ofReaders = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('join' as const),
      room: fc.integer({ min: 1, max: 6 }),
      position: fc.option(fc.nat(50), { nil: undefined }),
      actor: fc.option(fc.constantFrom(...ACTORS), { nil: undefined }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('drain' as const), who: fc.nat(9), room: fc.integer({ min: 1, max: 6 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), who: fc.nat(9) }) },
  { weight: 1, arbitrary: alone('breathe') },
)

const breathe = () => new Promise(resolve => setImmediate(resolve))

type StepOf<A> = A extends fc.Arbitrary<infer T> ? T : never
type Step = StepOf<typeof ofOutcomes> | StepOf<typeof ofTransitions> | StepOf<typeof ofReaders>

const streams: Record<string, fc.Arbitrary<Step>> = {
  outcomes: fc.oneof(ofOutcomes, ofReaders),
  transitions: fc.oneof(ofTransitions, ofReaders),
}

test.each(Object.entries(streams))('no gap, no repeat: %s', async (_, operation) => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 120 }), async operations => {
      const { hub, notes, readers, publish, record, deliver, join, expected } = stage()
      for (const step of operations) {
        const reader = 'who' in step ? readers[step.who % Math.max(1, readers.length)] : undefined
        if (step.do === 'publish') publish(step.actor)
        if (step.do === 'record') record(step.actor)
        if (step.do === 'deliver') deliver()
        if (step.do === 'join') join(step.room, step.position, { actor: step.actor })
        if (step.do === 'drain') reader?.response.drain(step.room)
        if (step.do === 'leave') reader?.response.end()
        if (step.do === 'breathe') await breathe()
      }
      for (const { response } of readers) response.drain(Number.POSITIVE_INFINITY)
      deliver()
      await breathe()
      for (const reader of readers) {
        const { written, writableEnded } = reader.response
        const all = expected(reader)
        const got = written.slice(1)
        // A reader that left has read up to some point; everybody else has everything.
        expect(got).toEqual(writableEnded ? all.slice(0, got.length) : all)
        expect(written[0]).toBe('opening')
      }
      for (const { response } of readers) response.end()
      expect([hub.size(), notes]).toEqual([0, []])
    }),
    { numRuns: propertyRuns(300) },
  )
})

test('a subscriber that was up to date is dropped when it is 1,000 events behind, and not before', () => {
  const { hub, readers, publish, join } = stage()
  join(2, undefined)
  join(Number.POSITIVE_INFINITY, undefined)
  const [slow, fast] = readers
  publish('a', 2)
  expect(slow?.response.writableNeedDrain).toBe(true)
  for (let events = 2; events < SSE_QUEUE_EVENTS; events += 2) publish('a', 2)
  expect(slow?.response.destroyed).toBe(false)
  publish('a', 2)
  expect(slow?.response.destroyed).toBe(true)
  expect(hub.size()).toBe(1)
  expect(fast?.response.written).toHaveLength(1 + 1 + SSE_QUEUE_EVENTS / 2)
  expect(slow?.response.written).toHaveLength(2)
})

test('a subscriber that reads what was long ago is not dropped for what comes meanwhile', async () => {
  const { readers, publish, join, expected } = stage()
  for (let count = 0; count < 3_000; count++) publish('a')
  join(50, 0)
  const [reader] = readers
  if (!reader) throw new Error('nobody came')
  reader.after = 1
  for (let round = 0; round < 200; round++) {
    for (let count = 0; count < 20; count++) publish('b')
    reader.response.drain(50)
    await breathe()
  }
  reader.response.drain(Number.POSITIVE_INFINITY)
  for (let turn = 0; turn < 40; turn++) await breathe()
  expect(reader.response.destroyed).toBe(false)
  expect(reader.response.written.slice(1)).toEqual(expected(reader))
})

test('a source that fails ends the stream of who needs it, and says so', () => {
  const notes: string[] = []
  const response = new FakeResponse()
  const hub = createHub({
    clock: manualClock(),
    note: text => void notes.push(text),
    source: {
      head: () => 5,
      // biome-ignore lint/correctness/useYield: it fails before it has anything to give.
      *after() {
        throw new Error('damaged')
      },
    },
  })
  hub.subscribe({ outgoing: response as unknown as ServerResponse, after: 1, opening: '' })
  expect([response.destroyed, hub.size(), notes.length]).toEqual([true, 0, 1])
})

test('the watcher is told when the last has gone', async () => {
  let attended = 0
  const hub = createHub({
    clock: manualClock(),
    note: () => {},
    source: {
      head: () => 0,
      after: () => [][Symbol.iterator](),
      startWatching: () => {
        attended += 1
        return () => {
          attended -= 1
        }
      },
    },
  })
  const responses = [new FakeResponse(), new FakeResponse()]
  const ended: number[] = []
  for (const [index, response] of responses.entries()) {
    const outgoing = response as unknown as ServerResponse
    hub.subscribe({ outgoing, opening: '', onEnd: () => void ended.push(index) })
  }
  expect(attended).toBe(1)
  responses[0]?.end()
  expect(attended).toBe(1)
  responses[1]?.end()
  expect([attended, ended]).toEqual([0, [0, 1]])
})

/** Streams: every event once and in order, whatever becomes of the connections, until somebody ends them. */
import type { ServerResponse } from 'node:http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEventReader } from '../../../src/surfaces/library/sse.ts'
import { connectHere, json, startStubServer } from './stub-server.ts'

const transition = (seq: number) => ({ seq, actor: 'a', machine: 'device', event: 'e', from: 'x', to: 'y', at: 1 })
const frame = (seq: number) => `id: ${seq}\nevent: svc:transition\ndata: ${JSON.stringify(transition(seq))}\n\n`

const begin = (outgoing: ServerResponse, text = '') => {
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
  outgoing.write(`: hello\n\n${text}`)
}

const LAST = 12

/** Breaks each connection in the middle of an event. */
const startBreaking = () =>
  startStubServer(({ headers }, outgoing) => {
    const after = Number(headers['last-event-id'] ?? 0)
    const next = [1, 2, 3].map(each => after + each).filter(each => each <= LAST)
    begin(outgoing, next.map(frame).join('') + frame(99).slice(0, 20))
    if (next.length > 0) setTimeout(() => outgoing.destroy(), 10)
  })

test('goes on behind the last event, without gap or double, over broken connections', async () => {
  const { url, asked } = await startBreaking()
  const svc = await connectHere({ url })
  const seen: number[] = []
  for await (const { seq, eventId } of svc.transitions({ after: 0, actor: 'a' })) {
    expect(eventId).toBe(String(seq))
    seen.push(seq)
    if (seq === LAST) break
  }
  expect(seen).toEqual(Array.from({ length: LAST }, (_, index) => index + 1))
  expect(asked[0]?.path).toBe('/actors/events?actor=a')
  expect(asked.map(({ headers }) => headers['last-event-id']).slice(0, 3)).toEqual(['0', '3', '6'])
})

test('a connection that breaks before its first event goes on from where it began', async () => {
  const { url, asked } = await startStubServer((_, outgoing) => {
    if (asked.length > 1) return begin(outgoing, frame(8))
    begin(outgoing, 'id: 7\n\n')
    setTimeout(() => outgoing.destroy(), 10)
  })
  const svc = await connectHere({ url })
  for await (const { seq } of svc.transitions()) {
    expect(seq).toBe(8)
    break
  }
  expect(asked.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '7'])
})

test('ends while it waits: by return, by its signal, and by the end of the connection to svc', async () => {
  const { url } = await startStubServer((_, outgoing) => begin(outgoing))
  const svc = await connectHere({ url })
  const returned = svc.transitions()
  const waiting = returned.next()
  await returned.return?.()
  expect(await waiting).toMatchObject({ done: true })

  const controller = new AbortController()
  const signalled = svc.transitions({ signal: controller.signal }).next()
  setTimeout(() => controller.abort(), 20)
  expect(await signalled).toMatchObject({ done: true })

  const closed = svc.logs('phone-1').next()
  setTimeout(() => void svc.close(), 20)
  expect(await closed).toMatchObject({ done: true })
})

test('a refusal is an error, and is not asked for again', async () => {
  const error = { code: 'INVALID_QUERY', message: 'The machine is unknown.', hint: 'Name another.' }
  const { url, asked } = await startStubServer((_, outgoing) => json(outgoing, { ok: false, error }, {}, 400))
  const svc = await connectHere({ url })
  await expect(svc.transitions({ machine: 'none' }).next()).rejects.toMatchObject(error)
  expect(asked).toHaveLength(1)
})

test('a gap is an error unless somebody hears of it', async () => {
  const gap = `id: 4\nevent: svc:gap\ndata: {"reason":"log-expired"}\n\n`
  const { url } = await startStubServer((_, outgoing) => begin(outgoing, gap + frame(5)))
  const svc = await connectHere({ url })
  await expect(svc.transitions().next()).rejects.toMatchObject({ code: 'EVENTS_MISSING' })
  const gaps: unknown[] = []
  const { value } = await svc.transitions({ onGap: each => gaps.push(each) }).next()
  expect(value).toMatchObject({ seq: 5 })
  expect(gaps).toEqual([{ reason: 'log-expired' }])
})

test('a log ends with the error that the server tells', async () => {
  const line = `id: p-1\nevent: svc:log\ndata: {"tag":"App","message":"ä"}\n\n`
  const error = `event: svc:error\ndata: {"code":"DEVICE_LINK_LOST","message":"Gone."}\n\n`
  const { url } = await startStubServer((_, outgoing) => begin(outgoing, line + error))
  const svc = await connectHere({ url })
  const log = svc.logs('phone/1', { level: 'error' })
  expect((await log.next()).value).toEqual({ tag: 'App', message: 'ä', position: 'p-1' })
  await expect(log.next()).rejects.toMatchObject({ code: 'DEVICE_LINK_LOST' })
})

test('a reader that takes nothing holds the server back', async () => {
  let written = 0
  const big = `id: 1\nevent: svc:transition\ndata: ${JSON.stringify({ ...transition(1), pad: 'x'.repeat(60_000) })}\n\n`
  const { url } = await startStubServer(async (_, outgoing) => {
    begin(outgoing)
    for (let at = 0; at < 2_000 && !outgoing.destroyed; at += 1) {
      if (!outgoing.write(big)) await new Promise(resolve => outgoing.once('drain', resolve))
      written = at
    }
  })
  const svc = await connectHere({ url })
  const stream = svc.transitions()
  await stream.next()
  await new Promise(resolve => setTimeout(resolve, 300))
  expect(written).toBeLessThan(1_000)
  await stream.return?.()
})

test('an event has an end, also one of many lines', () => {
  const read = createEventReader()
  const line = Buffer.from(`data: ${'x'.repeat(1_000)}\n`)
  const readOn = () => {
    for (let lines = 0; lines < 20_000; lines += 1) read(line)
  }
  expect(readOn).toThrow('An event of the stream is longer than')
})

test('a position that no header can hold is none', () => {
  const told = createEventReader()(Buffer.from('id: 1\n\nid: \u0000\ndata: a\n\nid: ü\ndata: b\n\n'))
  expect(told).toEqual([
    { id: '1', event: undefined, data: '' },
    { id: '1', event: 'message', data: 'a' },
    { id: '1', event: 'message', data: 'b' },
  ])
})

test('events are read whole, whatever pieces they come in', () => {
  const whole = Buffer.from(
    `: c\n\nid: 1\nevent: a\ndata: {"x":"äöü€😀"}\n\ndata: one\ndata: two\n\nid: 2\r\n\r\nevent: b\r\ndata:3\r\n\r\n`,
  )
  const all = createEventReader()(whole)
  expect(all).toEqual([
    { id: '1', event: 'a', data: '{"x":"äöü€😀"}' },
    { id: '1', event: 'message', data: 'one\ntwo' },
    { id: '2', event: undefined, data: '' },
    { id: '2', event: 'b', data: '3' },
  ])
  fc.assert(
    fc.property(fc.array(fc.nat(whole.length), { maxLength: 12 }), cuts => {
      const read = createEventReader()
      const ends = [0, ...cuts.sort((a, b) => a - b), whole.length]
      const pieces = ends.slice(1).map((end, index) => whole.subarray(ends[index], end))
      expect(pieces.flatMap(read)).toEqual(all)
    }),
  )
})

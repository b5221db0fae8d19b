/** Messages that no host of ours would send. */
import { describe, expect, test } from 'vitest'
import { startAsk } from '../../../src/fleet/exchange/ask.ts'
import { frame, type ToHost, toAskerIn } from '../../../src/fleet/exchange/messages.ts'
import { wait } from '../../support/until.ts'
import { createBus, randomOf } from './bus.ts'
import { alive, encode, hostOn, ok, requestOf, said } from './hosts.ts'
import { clock, names } from './server.ts'

const host = () => {
  const bus = createBus(randomOf(1))
  const b = hostOn(bus.wire(), 'b')
  const handled: string[] = []
  b.serve('i1', async ({ id }) => {
    handled.push(id)
    return ok()
  })
  const peer = bus.wire()
  const heard: unknown[] = []
  peer.subscribe('>', ({ subject, data }) => {
    if (!subject.startsWith('svc.lab.to.')) heard.push({ subject, head: toAskerIn(data)?.head })
  })
  const inbox = `${names.inbox('a')}.k.0`
  const send = (payload: Uint8Array, reply: string | undefined = inbox) =>
    void peer.publish(names.request('b', 'a'), payload, reply)
  const until = clock.now() + 10_000
  const { body: _, ...request } = requestOf()
  const ask = { kind: 'ask', until, request } as ToHost & { kind: 'ask' }
  return { bus, b, peer, handled, heard, send, until, ask, settled: () => wait(100) }
}

const framed = (text: string, length = Buffer.byteLength(text)) => {
  const bytes = Buffer.alloc(4 + Buffer.byteLength(text))
  bytes.writeUInt32BE(length)
  bytes.write(text, 4)
  return bytes
}

describe('to the host', () => {
  const head = (change: object) => (given: ToHost & { kind: 'ask' }) =>
    frame({ ...given, request: { ...given.request, ...change } } as ToHost)

  test.each([
    ['nothing', () => new Uint8Array()],
    ['three bytes', () => new Uint8Array(3)],
    ['text', () => encode('GET / HTTP/1.1\r\n\r\n')],
    ['a head longer than the message', () => framed('{}', 3)],
    ['a head of four gigabytes', () => framed('{}', 0xffffffff)],
    ['a head that is no JSON', () => framed('{"kind":')],
    ['a head that is no object', () => framed('[]')],
    ['a head of another kind', () => framed('{"kind":"eval"}')],
    ['a head with a prototype', () => framed('{"kind":"__proto__"}')],
    ['deep nesting', () => framed('['.repeat(60_000))],
    ['a path with a line break', head({ path: '/x\r\nHost: y' })],
    ['a path of another host', head({ path: 'http://other/' })],
    ['a path of 17,000 characters', head({ path: `/${'x'.repeat(17_000)}` })],
    ['a header value with a line break', head({ headers: { a: 'b\r\nc: d' } })],
    ['a header name with a colon', head({ headers: { 'a:b': 'c' } })],
    ['a header name in capitals', head({ headers: { Host: 'c' } })],
    ['a hundred headers', head({ headers: Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`h${n}`, ''])) })],
    ['a method that is not known', head({ method: 'CONNECT' })],
    ['an id with a wildcard', head({ id: '*' })],
    ['a wait of a day', head({ withinMs: 86_400_000 })],
    ['a negative wait', head({ withinMs: -1 })],
    ['a body of 300 KB', (given: ToHost) => frame(given, new Uint8Array(300 * 1_024))],
  ])('%s is dropped and counted', async (_, make) => {
    const { b, handled, heard, send, ask, settled } = host()
    send(make(ask))
    await settled()
    expect([handled, heard, b.malformed()]).toEqual([[], [], 1])
    send(frame(ask))
    await settled()
    expect(handled).toEqual([ask.request.id])
  })

  test('an end in the far future is refused, with the clock of the host for an asker whose own is ahead', async () => {
    const { handled, heard, send, ask, settled } = host()
    send(frame({ ...ask, until: ask.until + 1e9 }))
    await settled()
    expect(handled).toEqual([])
    expect(heard).toMatchObject([{ head: { kind: 'refused', why: 'late', now: expect.any(Number) } }])
  })

  test.each([
    '$JS.API.STREAM.DELETE.x',
    'svc.lab.to.c.b',
    'svc.lab.re.c.k.0',
    'svc.lab.re.a.*',
    'svc.lab.re.a.>',
    'svc.lab.re.a',
    '',
  ])('a reply to %j is not sent, and the request is not handled', async reply => {
    const { b, handled, heard, send, ask, settled } = host()
    send(frame(ask), reply)
    await settled()
    expect([handled, heard, b.malformed()]).toEqual([[], [], 1])
  })

  test('parts that the answer does not have are not sent', async () => {
    const { b, heard, send, ask, until, settled } = host()
    send(frame(ask))
    await settled()
    const before = heard.length
    for (const part of [1, 99, Number.MAX_SAFE_INTEGER]) {
      send(frame({ kind: 'fetch', id: ask.request.id, instance: 'i1', until, part }))
    }
    await settled()
    expect([heard.length, b.malformed()]).toEqual([before, 3])
  })

  test('a fetch, a look or an end of what was never asked begins nothing', async () => {
    const { handled, heard, send, until, settled } = host()
    const about = { id: 'r', instance: 'i1', until }
    send(frame({ kind: 'fetch', ...about, part: 0 }))
    send(frame({ kind: 'look', ...about, cancel: false }))
    send(frame({ kind: 'done', ...about }))
    await settled()
    expect([handled, heard]).toMatchObject([[], [{ head: { kind: 'unknown' } }, { head: { kind: 'unknown' } }]])
  })

  test('the request of one peer is not seen by another that uses its id', async () => {
    const { peer, handled, send, ask, until, settled } = host()
    send(frame(ask))
    await settled()
    const { id } = ask.request
    peer.publish(names.request('b', 'c'), frame({ kind: 'done', id, instance: 'i1', until }), `${names.inbox('c')}.k`)
    peer.publish(names.request('b', 'c'), frame(ask), `${names.inbox('c')}.k`)
    await settled()
    expect(handled).toEqual([id, id])
  })

  test('a request that was cancelled before it came in is not handled', async () => {
    const { handled, heard, send, ask, until, settled } = host()
    send(frame({ kind: 'look', id: ask.request.id, instance: 'i1', until, cancel: true }))
    await settled()
    send(frame(ask))
    await settled()
    expect(handled).toEqual([])
    expect(heard).toMatchObject([{ head: { why: 'cancelled' } }, { head: { why: 'cancelled' } }])
  })
})

describe('to the asker', () => {
  const answerTo = async (make: (asked: { id: string }) => Uint8Array, more?: Uint8Array) => {
    const bus = createBus(randomOf(1))
    const a = hostOn(bus.wire(), 'a')
    const wire = bus.wire()
    let asks = 0
    wire.subscribe(names.request('b', '*'), ({ reply = '' }) => {
      asks++
      wire.publish(reply, asks === 1 ? make({ id: 'r' }) : (more ?? make({ id: 'r' })))
    })
    const exchanged = await a.ask('b', requestOf({ withinMs: 1_500 }), alive)
    return { exchanged, malformed: a.malformed() }
  }
  const head = { status: 200, headers: {} }
  const good = frame({ kind: 'answer', answer: head, bytes: 2, partBytes: 4_096 }, encode('ok'))

  test.each([
    ['text', () => encode('ok')],
    ['a status of 99', () => frame({ kind: 'answer', answer: { ...head, status: 99 }, bytes: 0, partBytes: 4_096 })],
    [
      'a header with a line break',
      () => frame({ kind: 'answer', answer: { ...head, headers: { a: '\r\n' } }, bytes: 0, partBytes: 4_096 }),
    ],
    [
      'fewer bytes than it says',
      () => frame({ kind: 'answer', answer: head, bytes: 5, partBytes: 4_096 }, encode('ok')),
    ],
    [
      'more bytes than it says',
      () => frame({ kind: 'answer', answer: head, bytes: 1, partBytes: 4_096 }, encode('ok')),
    ],
    ['65 MB', () => frame({ kind: 'answer', answer: head, bytes: 65 * 1_024 * 1_024, partBytes: 4_096 }, encode('ok'))],
    ['parts of no bytes', () => frame({ kind: 'answer', answer: head, bytes: 0, partBytes: 0 })],
    ['millions of parts', () => frame({ kind: 'answer', answer: head, bytes: 6e7, partBytes: 2 }, encode('ok'))],
    ['a part of no answer', () => frame({ kind: 'part', part: 0 }, encode('ok'))],
  ])('an answer with %s is dropped and counted, and the next one counts', async (_, make) => {
    const { exchanged, malformed } = await answerTo(make, good)
    expect([said(exchanged), malformed]).toEqual(['ok', 1])
  })

  test('a part that is too long or has another number is not taken for the right one', async () => {
    const heads: ToHost[] = []
    let exchanged: unknown
    const ask = startAsk(requestOf() as never, new Uint8Array(), alive, {
      clock,
      isUp: () => true,
      send: message => heads.push(message) > 0,
      finish: given => {
        exchanged = given
      },
    })
    const answer = { kind: 'answer', answer: head, bytes: 5, partBytes: 2 } as const
    expect(ask.heard({ head: answer, bytes: encode('ab') }, 0)).toBe(true)
    for (const [part, text] of [
      [1, 'cde'],
      [3, 'e'],
      [2, 'ef'],
      [1, ''],
    ] as const) {
      expect(ask.heard({ head: { kind: 'part', part }, bytes: encode(text) }, -1)).toBe(false)
    }
    ask.heard({ head: { kind: 'part', part: 2 }, bytes: encode('e') }, -1)
    ask.heard({ head: { kind: 'part', part: 1 }, bytes: encode('cd') }, -1)
    expect(said(exchanged as never)).toBe('abcde')
  })

  test('nobody but the host that was asked can answer: the place to answer at is not to be guessed', async () => {
    const bus = createBus(randomOf(1))
    const replies: string[] = []
    bus.onPublish = (_, __, reply) => replies.push(reply ?? '') > 0
    const a = hostOn(bus.wire(), 'a')
    const b = hostOn(bus.wire(), 'b')
    b.serve('i1', async () => ok())
    await Promise.all([1, 2].map(() => a.ask('b', requestOf(), alive)))
    const tokens = replies.filter(reply => reply !== '').map(reply => reply.split('.')[5])
    expect(new Set(tokens).size).toBe(2)
    expect(tokens.every(token => /^[0-9a-f]{32}$/.test(token ?? ''))).toBe(true)
  })
})

/** Requests of other hosts, performed by the app of this one on its private socket. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { ANSWER_BYTES_MAX } from '../../src/fleet/exchange/limits.ts'
import type { FleetRequest, Progress } from '../../src/fleet/exchange/request.ts'
import type { HandleTools } from '../../src/fleet/exchange/serve.ts'
import { createInbound } from '../../src/fleet/peer-requests.ts'
import { systemIds } from '../../src/runtime/ids.ts'
import { memoryJournal } from '../../src/runtime/journal/memory.ts'
import { createApp } from '../../src/surfaces/http/app.ts'
import { startSocketServer } from '../../src/surfaces/http/server.ts'
import { payloadOf, startLab } from '../support/executions/lab.ts'
import { labDeps } from '../support/http/http-server.ts'
import { temporary } from '../support/temporary.ts'
import { wait } from '../support/until.ts'
import { decode, encode, requestOf } from './exchange/hosts.ts'
import { clock } from './exchange/server.ts'

const folder = temporary('svc-inbound-')
const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

let sockets = 0
const listening = async (answer: (incoming: IncomingMessage, outgoing: ServerResponse, body: string) => void) => {
  const socketPath = join(folder(), `${sockets++}.sock`)
  const server: Server = createServer(async (incoming, outgoing) => {
    let body = ''
    for await (const chunk of incoming.setEncoding('utf8')) body += chunk
    answer(incoming, outgoing, body)
  })
  await new Promise<void>(resolve => server.listen(socketPath, resolve))
  closers.push(() => {
    const closed = new Promise(resolve => server.close(resolve))
    server.closeAllConnections()
    return closed
  })
  return socketPath
}

const journal = memoryJournal({ alive: () => true, clock })
const never = () => new AbortController().signal
const performOn = (socketPath: string, given: Partial<FleetRequest> = {}, ends: Partial<HandleTools> = {}) =>
  createInbound({ socketPath, journal, clock })(
    { ...requestOf(given), from: 'a' },
    { signal: never(), cancelled: never(), silent: never(), progress: () => {}, ...ends },
  )

describe('an app', () => {
  test('gets method, path, body and the headers that are meant for it', async () => {
    const path = await listening((incoming, outgoing, body) => {
      const { method, url, headers } = incoming
      outgoing.setHeader('set-cookie', 'a=b')
      outgoing.setHeader('svc-execution-id', 'e1')
      outgoing.setHeader('content-type', 'application/json')
      outgoing.writeHead(201).end(JSON.stringify({ method, url, headers, body }))
    })
    const answer = await performOn(path, {
      path: '/execute?a=b%20c',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': 'k',
        'svc-caller': 'mcp',
        'transfer-encoding': 'chunked',
        connection: 'close, x',
        host: 'elsewhere',
        authorization: 'Bearer secret',
        origin: 'http://page',
        'svc-fleet-from': 'c',
        'content-length': '1',
      },
      body: encode('{"a":1}'),
      withinMs: 5_000,
    })
    expect([answer.status, answer.headers]).toEqual([
      201,
      { 'content-type': 'application/json', 'svc-execution-id': 'e1' },
    ])
    expect(JSON.parse(decode(answer.body))).toEqual({
      method: 'POST',
      url: '/execute?a=b%20c',
      body: '{"a":1}',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': 'k',
        'svc-caller': 'mcp',
        'svc-answer-within': '5000',
        'content-length': '7',
        connection: 'close',
        host: 'localhost',
        'svc-fleet-from': 'a',
        'svc-fleet-taken': '1',
      },
    })
  })

  test.each([
    ['3000', '3000'],
    ['99999', '5000'],
    ['soon', '5000'],
  ])('is told to answer within the shorter of both times (%s: %s)', async (asked, told) => {
    const path = await listening(({ headers }, outgoing) => void outgoing.end(headers['svc-answer-within']))
    const answer = await performOn(path, { headers: { 'svc-answer-within': asked }, withinMs: 5_000 })
    expect(decode(answer.body)).toBe(told)
  })

  test.each(['GET', 'DELETE'])('gets a %s', async method => {
    const path = await listening((incoming, outgoing, body) => void outgoing.end(`${incoming.method}:${body}`))
    expect(decode((await performOn(path, { method, body: new Uint8Array() })).body)).toBe(`${method}:`)
  })
})

test('where nothing listens, nothing was done', async () => {
  const answer = await performOn(join(folder(), 'nobody.sock'))
  expect(answer.status).toBe(503)
  expect(JSON.parse(decode(answer.body))).toMatchObject({ error: { code: 'FLEET_UNREACHABLE', retriable: true } })
})

test('a connection that breaks in the middle of the answer is a doubt', async () => {
  const path = await listening((incoming, outgoing) => {
    outgoing.writeHead(200, { 'content-length': 100 }).write('abc')
    setImmediate(() => incoming.socket.destroy())
  })
  await expect(performOn(path)).rejects.toThrow()
})

test('an answer over 64 MB is given up', async () => {
  const path = await listening((_, outgoing) => {
    outgoing.on('error', () => {})
    outgoing.end(Buffer.alloc(ANSWER_BYTES_MAX + 1))
  })
  await expect(performOn(path)).rejects.toThrow('more than 67108864 bytes')
})

test('an app that does not answer is given up', async () => {
  const path = await listening(() => {})
  await expect(performOn(path, { withinMs: 1 })).rejects.toThrow('did not answer in time')
})

test('an event stream is refused', async () => {
  const path = await listening((_, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n')
  })
  expect(await performOn(path, { method: 'GET' })).toMatchObject({ status: 400 })
})

test('when the asker leaves, what only reads is given up, and what does something goes on', async () => {
  const path = await listening((_, outgoing) => void wait(300).then(() => outgoing.end('done')))
  const left = new AbortController()
  const both = [
    performOn(path, { method: 'GET' }, { signal: left.signal }),
    performOn(path, {}, { signal: left.signal }),
  ] as const
  await wait(50)
  left.abort()
  await expect(both[0]).rejects.toThrow('does not wait any more')
  expect(decode((await both[1]).body)).toBe('done')
})

test('when the asker cancels, the execution of its request is cancelled at once, here or where it was sent on to', async () => {
  const cancelled: string[] = []
  let answer = () => {}
  const path = await listening(({ method, url, headers }, outgoing) => {
    if (method !== 'DELETE') {
      answer = () => outgoing.end('cancelled')
      return
    }
    cancelled.push(`${url} from ${headers['svc-fleet-from']}`)
    outgoing.end()
    answer()
  })
  const both = [{ 'svc-execution-id': 'e1', 'svc-fleet-from': 'a' }, { 'svc-execution-id': 'e2' }]
  for (const headers of both) {
    const cancel = new AbortController()
    const answered = performOn(path, { path: '/execute', headers }, { cancelled: cancel.signal })
    await wait(50)
    cancel.abort()
    expect(decode((await answered).body)).toBe('cancelled')
  }
  expect(cancelled).toEqual(['/executions/e1 from a', '/executions/e2 from undefined'])
})

test('an execution under a chosen id: its progress is told, and a repetition is answered from its receipt', async () => {
  const lab = await startLab()
  closers.push(() => lab.close())
  const deps = { ...labDeps(lab), isPrivate: true }
  const socketPath = join(folder(), 'app.sock')
  const started = await startSocketServer({ app: createApp(deps), path: socketPath, clock, note: () => {} })
  if (!started.ok) throw new Error(started.error.message)
  closers.push(() => started.server.close({ graceMs: 1_000 }))
  const handle = createInbound({ socketPath, journal: deps.journal, clock })
  const executionId = systemIds().at(clock.now())
  const execution = payloadOf([{ id: 'nap', type: 'sleep', params: { durationMs: 100 } }])
  const told: Progress[] = []
  const ask = () =>
    handle(
      {
        ...requestOf({ withinMs: 30_000 }),
        from: 'a',
        path: '/execute',
        headers: { 'content-type': 'application/json', 'svc-execution-id': executionId },
        body: encode(JSON.stringify({ execution, deviceId: lab.fleet.devices[0]?.serial })),
      },
      { signal: never(), cancelled: never(), silent: never(), progress: progress => void told.push(progress) },
    )
  const [first, second] = await Promise.all([ask(), ask()])
  const third = await ask()
  expect([first.status, first.headers['svc-execution-id']]).toEqual([200, executionId])
  expect([decode(second.body), decode(third.body)]).toEqual([decode(first.body), decode(first.body)])
  expect(told).toContainEqual({ executionId, dispatched: false })
  expect(told).toContainEqual({ executionId, dispatched: true })
  expect(lab.fleet.devices[0]?.phone.arrivals()).toHaveLength(1)
})

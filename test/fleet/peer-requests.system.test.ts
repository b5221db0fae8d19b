/** Requests of other hosts, performed by the app of this one. */
import { afterEach, describe, expect, test } from 'vitest'
import { ANSWER_BYTES_MAX } from '../../src/fleet/exchange/limits.ts'
import type { FleetRequest, Progress } from '../../src/fleet/exchange/request.ts'
import type { HandleTools } from '../../src/fleet/exchange/serve.ts'
import { type AskOwnApp, createInbound } from '../../src/fleet/peer-requests.ts'
import { systemIds } from '../../src/runtime/ids.ts'
import { memoryJournal } from '../../src/runtime/journal/memory.ts'
import { createListener } from '../../src/start/listener.ts'
import { askApp } from '../../src/surfaces/http/ask-app.ts'
import { payloadOf, startLab } from '../support/executions/lab.ts'
import { labDeps } from '../support/http/http-server.ts'
import { wait } from '../support/until.ts'
import { decode, encode, requestOf } from './exchange/hosts.ts'
import { clock } from './exchange/server.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

type Own = Parameters<AskOwnApp>[0]
const bodyOf = ({ body }: Own) => (body === undefined ? '' : decode(body))

const journal = memoryJournal({ alive: () => true, clock })
const never = () => new AbortController().signal
const performOn = (ask: AskOwnApp | undefined, given: Partial<FleetRequest> = {}, ends: Partial<HandleTools> = {}) =>
  createInbound({ ask: () => ask, journal, clock })(
    { ...requestOf(given), from: 'a' },
    { signal: never(), cancelled: never(), silent: never(), progress: () => {}, ...ends },
  )

describe('an app', () => {
  test('gets method, path, body and the headers that are meant for it', async () => {
    const app: AskOwnApp = async request =>
      new Response(JSON.stringify({ ...request, body: bodyOf(request) }), {
        status: 201,
        headers: { 'set-cookie': 'a=b', 'svc-execution-id': 'e1', 'content-type': 'application/json' },
      })
    const answer = await performOn(app, {
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
      path: '/execute?a=b%20c',
      body: '{"a":1}',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': 'k',
        'svc-caller': 'mcp',
        'svc-answer-within': '5000',
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
    const app: AskOwnApp = async ({ headers }) => new Response(headers['svc-answer-within'] ?? null)
    const answer = await performOn(app, { headers: { 'svc-answer-within': asked }, withinMs: 5_000 })
    expect(decode(answer.body)).toBe(told)
  })

  test.each(['GET', 'DELETE'])('gets a %s', async method => {
    const app: AskOwnApp = async request => new Response(`${request.method}:${bodyOf(request)}`)
    expect(decode((await performOn(app, { method, body: new Uint8Array() })).body)).toBe(`${method}:`)
  })
})

test('where no app takes requests, nothing was done', async () => {
  const answer = await performOn(undefined)
  expect(answer.status).toBe(503)
  expect(JSON.parse(decode(answer.body))).toMatchObject({ error: { code: 'FLEET_UNREACHABLE', retriable: true } })
})

test('an answer that breaks off in the middle is a doubt', async () => {
  const broken = new ReadableStream({
    start: stream => {
      stream.enqueue(encode('abc'))
      stream.error(new Error('it broke'))
    },
  })
  await expect(performOn(async () => new Response(broken))).rejects.toThrow('it broke')
})

test('an answer over 64 MB is given up', async () => {
  const app: AskOwnApp = async () => new Response(Buffer.alloc(ANSWER_BYTES_MAX + 1))
  await expect(performOn(app)).rejects.toThrow('more than 67108864 bytes')
})

test('an app that does not answer is given up', async () => {
  await expect(performOn(() => new Promise(() => {}), { withinMs: 1 })).rejects.toThrow('did not answer in time')
})

test('an event stream is refused', async () => {
  const app: AskOwnApp = async () => new Response(': open\n\n', { headers: { 'content-type': 'text/event-stream' } })
  expect(await performOn(app, { method: 'GET' })).toMatchObject({ status: 400 })
})

test('when the asker leaves, what only reads is given up, and what does something goes on', async () => {
  const leaves: boolean[] = []
  const app: AskOwnApp = async (_, leave) => {
    await wait(300)
    leaves.push(leave.aborted)
    return new Response('done')
  }
  const left = new AbortController()
  const both = [
    performOn(app, { method: 'GET' }, { signal: left.signal }),
    performOn(app, {}, { signal: left.signal }),
  ] as const
  await wait(50)
  left.abort()
  await expect(both[0]).rejects.toThrow('does not wait any more')
  expect(decode((await both[1]).body)).toBe('done')
  expect(leaves).toEqual([true, false])
})

test('when the asker cancels, the execution of its request is cancelled at once, here or where it was sent on to', async () => {
  const cancelled: string[] = []
  let answer = (_: Response) => {}
  const app: AskOwnApp = async ({ method, path, headers }) => {
    if (method !== 'DELETE')
      return new Promise<Response>(resolve => {
        answer = resolve
      })
    cancelled.push(`${path} from ${headers['svc-fleet-from']}`)
    answer(new Response('cancelled'))
    return new Response(null)
  }
  const both = [{ 'svc-execution-id': 'e1', 'svc-fleet-from': 'a' }, { 'svc-execution-id': 'e2' }]
  for (const headers of both) {
    const cancel = new AbortController()
    const answered = performOn(app, { path: '/execute', headers }, { cancelled: cancel.signal })
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
  const { app } = createListener(deps)
  const own: AskOwnApp = (request, leave) => askApp(app, request, leave)
  const handle = createInbound({ ask: () => own, journal: deps.journal(), clock })
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

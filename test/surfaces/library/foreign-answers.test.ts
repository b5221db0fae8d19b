/** What is not svc answers: every call ends, with an error that says whether something may have happened. */
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import type { Svc } from '../../../src/surfaces/library/svc.ts'
import { SvcError } from '../../../src/surfaces/library/svc-error.ts'
import { jumpingClock } from '../../support/jumping-clock.ts'
import { connectHere, executed, json, startStubServer } from './stub-server.ts'

const failureOf = async (call: Promise<unknown>): Promise<SvcError> => {
  const error = await call.then(
    value => value,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(SvcError)
  return error as SvcError
}

const html = (outgoing: ServerResponse) => void outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
const switching = (outgoing: ServerResponse) =>
  void outgoing.socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n')

const ANSWERS: Readonly<Record<string, (outgoing: ServerResponse) => void>> = {
  'a page': html,
  'an answer without its part': outgoing => json(outgoing, { ok: true }),
  'a part that is null': outgoing =>
    json(outgoing, { ok: true, envelope: null, lease: null, execution: null, testRunId: null }),
  'an error that is a text': outgoing => json(outgoing, { ok: false, error: 'boom' }),
}

const ACTING: Readonly<Record<string, (svc: Svc) => Promise<unknown>>> = {
  click: svc => svc.device('p').click('Pay'),
  lease: svc => svc.lease('p', { forMs: 1_000 }),
  'test.run': svc => svc.test.run({} as never),
}

test.each(Object.keys(ANSWERS))('%s is no answer of svc', async name => {
  const { url } = await startStubServer((_, outgoing) => ANSWERS[name]?.(outgoing))
  const svc = await connectHere({ url })
  for (const call of Object.values(ACTING))
    expect(await failureOf(call(svc))).toMatchObject({ code: 'INTERNAL_ERROR', dispatched: 'unknown' })
  for (const call of [svc.devices.list(), svc.receipts.wait('e')])
    expect(await failureOf(call)).toMatchObject({ code: 'INTERNAL_ERROR', dispatched: false })
})

test('a site that is no server of svc is not connected to', async () => {
  const { url, server } = await startStubServer(() => {})
  server.removeAllListeners('request')
  server.on('request', (_, outgoing) => html(outgoing))
  await expect(connectHere({ url })).rejects.toMatchObject({ code: 'INTERNAL_ERROR', dispatched: false })
})

test('an answer that changes the protocol is a lost one', async () => {
  const { url, asked } = await startStubServer((_, outgoing) =>
    asked.length < 2 ? switching(outgoing) : json(outgoing, executed()),
  )
  const svc = await connectHere({ url })
  expect(await svc.device('p').back()).toMatchObject({ data: {} })
  expect(asked).toHaveLength(2)
})

test('a stream whose answer changes the protocol goes on with another', async () => {
  const { url, asked } = await startStubServer((_, outgoing) => {
    if (asked.length < 2) return switching(outgoing)
    outgoing
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .write('id: 1\nevent: svc:transition\ndata: {"seq":1}\n\n')
  })
  const stream = (await connectHere({ url })).transitions()
  expect((await stream.next()).value).toMatchObject({ seq: 1 })
  await stream.return?.()
})

test('a status that a daemon has for its instance is an answer where a server is asked', async () => {
  const error = { code: 'USAGE', message: 'No.' }
  const { url, asked } = await startStubServer((_, outgoing) => json(outgoing, { ok: false, error }, {}, 412))
  const svc = await connectHere({ url })
  expect(await failureOf(svc.device('p').back())).toMatchObject(error)
  expect(await failureOf(svc.devices.list())).toMatchObject(error)
  expect(asked).toHaveLength(2)
})

test('a page in the place of a stream ends it', async () => {
  const { url, asked } = await startStubServer((_, outgoing) => html(outgoing))
  const svc = await connectHere({ url })
  expect(await failureOf(svc.transitions().next())).toMatchObject({ code: 'INTERNAL_ERROR', dispatched: false })
  expect(asked).toHaveLength(1)
})

test('a stream that ends as soon as it begins, again and again, ends in an error', async () => {
  const { url } = await startStubServer((_, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).end(': hello\n\n')
  })
  const clock = jumpingClock()
  const next = failureOf((await connectHere({ url }, clock)).transitions().next())
  const jumping = setInterval(() => clock.jump(6_000), 20)
  expect(await next).toMatchObject({ code: 'SERVER_UNREACHABLE', dispatched: false })
  clearInterval(jumping)
})

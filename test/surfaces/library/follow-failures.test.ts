/** Streams over connections that do not break but say nothing, and servers that stay away. */
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { jumpingClock } from '../../support/jumping-clock.ts'
import { until } from '../../support/until.ts'
import { connectHere, json, startStubServer } from './stub-server.ts'

const SILENCE_MS = 60_000
const GIVE_UP_MS = 120_000

const begin = (outgoing: ServerResponse, text: string) =>
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).write(`: hello\n\n${text}`)
const transition = (seq: number) => `id: ${seq}\nevent: svc:transition\ndata: {"seq":${seq}}\n\n`
const line = (position: string) => `id: ${position}\nevent: svc:log\ndata: {"message":"${position}"}\n\n`

test('a connection that has fallen silent is given up, and the stream goes on behind its last event', async () => {
  const { url, asked } = await startStubServer((_, outgoing) => void begin(outgoing, transition(asked.length)))
  const clock = jumpingClock()
  const stream = (await connectHere({ url }, clock)).transitions()
  expect((await stream.next()).value).toMatchObject({ seq: 1 })
  const next = stream.next()
  await new Promise(setImmediate)
  clock.jump(SILENCE_MS)
  expect((await next).value).toMatchObject({ seq: 2 })
  expect(asked.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '1'])
})

test('a log goes on behind its last line', async () => {
  const { url, asked } = await startStubServer((_, outgoing) => {
    begin(outgoing, line(`p-${asked.length}`))
    setTimeout(() => outgoing.destroy(), 10)
  })
  const log = (await connectHere({ url })).logs('phone-1', { after: 'p-0' })
  for (const position of ['p-1', 'p-2', 'p-3']) expect((await log.next()).value).toMatchObject({ position })
  expect(asked.slice(0, 3).map(({ headers }) => headers['last-event-id'])).toEqual(['p-0', 'p-1', 'p-2'])
  await log.return?.()
})

test('a server with a passing fault of its own is asked again', async () => {
  const { url, asked } = await startStubServer((_, outgoing) =>
    asked.length < 3 ? json(outgoing, { ok: false }, {}, 503) : void begin(outgoing, transition(4)),
  )
  const svc = await connectHere({ url })
  expect((await svc.transitions({ after: 3 }).next()).value).toMatchObject({ seq: 4 })
  expect(asked.map(({ headers }) => headers['last-event-id'])).toEqual(['3', '3', '3'])
})

test('a server that stays away for two minutes ends the stream', async () => {
  const { url, server, asked } = await startStubServer((_, outgoing) => void begin(outgoing, transition(1)))
  const clock = jumpingClock()
  const stream = (await connectHere({ url }, clock)).transitions()
  await stream.next()
  const next = stream.next().catch((error: unknown) => error)
  server.close()
  server.closeAllConnections()
  await until(() => asked.length === 1, 'the stream to be asked for')
  const jumping = setInterval(() => clock.jump(GIVE_UP_MS / 2), 50)
  expect(await next).toMatchObject({ code: 'SERVER_UNREACHABLE', dispatched: false })
  clearInterval(jumping)
})

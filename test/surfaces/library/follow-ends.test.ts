/** The end of a stream leaves nothing behind: no connection, no listener, and no daemon that nobody asked for. */
import type { Server } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import type { Door } from '../../../src/surfaces/library/door.ts'
import { follow } from '../../../src/surfaces/library/follow.ts'
import { SvcError } from '../../../src/surfaces/library/svc-error.ts'
import { jumpingClock } from '../../support/jumping-clock.ts'
import { until } from '../../support/until.ts'
import { connectHere, startStubServer } from './stub-server.ts'

const startStreaming = () =>
  startStubServer(
    (_, outgoing) => void outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n'),
  )

const connectionsOf = (server: Pick<Server, 'getConnections'>) =>
  new Promise<number>(resolve => server.getConnections((_, count) => resolve(count)))

test.each(['abort', 'return', 'close'] as const)('%s in the turn of the first next leaves no connection', async how => {
  const { url, server } = await startStreaming()
  const svc = await connectHere({ url })
  const controller = new AbortController()
  const stream = svc.transitions({ signal: controller.signal })
  const next = stream.next()
  if (how === 'abort') controller.abort()
  else if (how === 'return') void stream.return?.()
  else void svc.close()
  expect(await next).toMatchObject({ done: true })
  // Time enough for a request that should not be sent.
  await new Promise(resolve => setTimeout(resolve, 200))
  expect(await connectionsOf(server as Server)).toBe(0)
})

test('a stream that nobody has read listens to no signal', async () => {
  const { url } = await startStreaming()
  const svc = await connectHere({ url })
  let listeners = 0
  const signal = {
    aborted: false,
    addEventListener() {
      listeners += 1
    },
    removeEventListener() {
      listeners -= 1
    },
  }
  await svc.transitions({ signal }).return?.()
  expect(listeners).toBe(0)
  const read = svc.transitions({ signal })
  const next = read.next()
  expect(listeners).toBe(1)
  await read.return?.()
  await next
  expect(listeners).toBe(0)
})

test('a stream whose daemon was ended starts none, and goes on with one that runs again', async () => {
  const { url, asked } = await startStubServer((_, outgoing) => {
    outgoing
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .write(`id: ${asked.length}\nevent: svc:x\ndata: {}\n\n`)
    if (asked.length === 1) setTimeout(() => outgoing.destroy(), 10)
  })
  const place = { url: new URL(url), headers: {} }
  const counts = { starting: 0, looking: 0 }
  const door: Door = {
    name: 'a daemon',
    mayChooseIds: true,
    sharesFiles: true,
    place: async () => {
      counts.starting += 1
      return place
    },
    running: async () => {
      counts.looking += 1
      return counts.looking < 3 ? undefined : place
    },
    forget: () => true,
    unreachable: why => new SvcError({ code: 'DAEMON_START_FAILED', message: why, dispatched: false }),
  }
  const stream = follow({ door, clock: jumpingClock(), path: '/', after: undefined, signals: [] }, ({ id }) => id)
  onTestFinished(async () => void (await stream.return?.()))
  expect((await stream.next()).value).toBe('1')
  const next = stream.next()
  await until(() => counts.looking === 3, 'a daemon to run again')
  expect((await next).value).toBe('2')
  expect(counts.starting).toBe(1)
})

test('without a daemon that runs again, a stream ends in an error', async () => {
  const { url, asked } = await startStubServer((_, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).write('id: 1\nevent: svc:x\ndata: {}\n\n')
    setTimeout(() => outgoing.destroy(), 10)
  })
  const door: Door = {
    name: 'a daemon',
    mayChooseIds: true,
    sharesFiles: true,
    place: async () => ({ url: new URL(url), headers: {} }),
    running: async () => undefined,
    forget: () => true,
    unreachable: why => new SvcError({ code: 'DAEMON_START_FAILED', message: why, dispatched: false }),
  }
  const clock = jumpingClock()
  const stream = follow({ door, clock, path: '/', after: undefined, signals: [] }, ({ id }) => id)
  await stream.next()
  const next = stream.next().catch((error: unknown) => error)
  const jumping = setInterval(() => clock.jump(6_000), 20)
  expect(await next).toMatchObject({ code: 'DAEMON_START_FAILED', message: 'no daemon runs' })
  clearInterval(jumping)
  expect(asked).toHaveLength(1)
})

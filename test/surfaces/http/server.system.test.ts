/** Starting, and above all ending: a port in use is a failure with a code, and no client keeps the server from closing. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { createListener } from '../../../src/start/listener.ts'
import { startServer, startSocketServer } from '../../../src/surfaces/http/server.ts'
import { fakeExecutions, successOf } from '../../support/executions/fake-executions.ts'
import { call, codeOf, openWire, readEvents } from '../../support/http/http-client.ts'
import { type FakeServer, fakeDeps, startFake } from '../../support/http/http-server.ts'
import { until } from '../../support/until.ts'

const clock = systemClock()
const folder = mkdtempSync(join(tmpdir(), 'svc-http-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const options = (more: { host?: string; port?: number; allowOrigins?: string[]; token?: string } = {}) => {
  const notes: string[] = []
  const app = createListener(fakeDeps(fakeExecutions())).app
  return { notes, app, host: '127.0.0.1', port: 0, clock, note: (text: string) => void notes.push(text), ...more }
}

const failing = async (more: Parameters<typeof options>[0]) => {
  const started = await startServer(options(more))
  if (!started.ok) return started.error
  await started.server.close({ graceMs: 0 })
  return undefined
}

describe('starting', () => {
  test('says where it listens', async () => {
    const started = await startServer(options())
    if (!started.ok) throw new Error(started.error.message)
    const { address, url, close } = started.server
    expect(address).toEqual({ host: '127.0.0.1', port: expect.any(Number) })
    expect(url).toBe(`http://127.0.0.1:${address.port}`)
    await close({ graceMs: 0 })
    await expect(call(`${url}/ping`)).rejects.toThrow()
  })

  test('a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => other.once('listening', resolve))
    const { port } = other.address() as { port: number }
    expect(await failing({ port })).toMatchObject({
      code: 'SERVE_START_FAILED',
      message: `127.0.0.1:${port} is in use.`,
      hint: expect.any(String),
    })
    other.close()
  })

  test.each([
    { host: 'no.such.host.invalid' },
    { host: '203.0.113.7' },
    { host: '' },
    { host: 'a b' },
    { port: 70_000 },
    { port: -1 },
    { port: 1.5 },
    { port: Number.NaN },
    { allowOrigins: ['*'] },
    { allowOrigins: ['https://ok.example', 'nonsense'] },
  ])('%j cannot be done', async more => {
    expect(await failing(more)).toMatchObject({ code: 'SERVE_START_FAILED', message: expect.stringMatching(/\.$/) })
  })

  test('on loopback no token is minted', async () => {
    const given = options({ host: 'localhost' })
    const started = await startServer(given)
    if (started.ok) await started.server.close({ graceMs: 0 })
    expect([started.ok, given.notes]).toEqual([true, []])
  })
})

describe('on a Unix socket', () => {
  test('the same app, for this user alone, and no questions about hosts and origins', async () => {
    const path = join(folder, 'a.sock')
    const started = await startSocketServer({ ...options(), path })
    if (!started.ok) throw new Error(started.error.message)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const headers = { Host: 'evil.example', Origin: 'http://evil.example', 'Sec-Fetch-Site': 'cross-site' }
    const answer = await call('http://localhost/ping', { socketPath: path, headers })
    expect([answer.status, answer.text]).toEqual([200, '{"ok":true}'])
    expect(codeOf(await call('http://localhost/x', { socketPath: path }))).toBe('NOT_FOUND')
    expect(codeOf(await call('http://localhost/%ff', { socketPath: path }))).toBe('INVALID_QUERY')
    expect((await call('http://localhost/ping', { socketPath: path, headers: { Host: 'a b' } })).status).toBe(400)
    await started.server.close({ graceMs: 0 })
    expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined()
  })

  test('a path that would be cut is refused', async () => {
    const path = join(folder, 'x'.repeat(104))
    const started = await startSocketServer({ ...options(), path })
    expect(started).toMatchObject({ ok: false, error: { code: 'SERVE_START_FAILED' } })
    expect(started.ok ? '' : started.error.message).toContain(`${Buffer.byteLength(path)} bytes`)
  })

  test('one that is taken, and one in a folder that is not there', async () => {
    const path = join(folder, 'b.sock')
    const first = await startSocketServer({ ...options(), path })
    expect(await startSocketServer({ ...options(), path })).toMatchObject({ error: { code: 'SERVE_START_FAILED' } })
    const nowhere = join(folder, 'nowhere', 'c.sock')
    expect(await startSocketServer({ ...options(), path: nowhere })).toMatchObject({
      error: { code: 'SERVE_START_FAILED' },
    })
    if (first.ok) await first.server.close({ graceMs: 0 })
  })
})

describe('ending', () => {
  let fake: FakeServer
  beforeEach(async () => {
    fake = await startFake()
  })
  afterEach(() => fake.server.close({ graceMs: 0 }))

  const timed = async (graceMs: number) => {
    const start = clock.elapsed()
    await fake.server.close({ graceMs })
    return clock.elapsed() - start
  }

  test('with nobody there it is over at once, and twice is as good as once', async () => {
    expect(await timed(5_000)).toBeLessThan(2_000)
    expect(await timed(5_000)).toBeLessThan(2_000)
  })

  test('idle connections do not hold it up', async () => {
    const agent = new Agent({ keepAlive: true })
    await new Promise<void>((resolve, reject) => {
      request(`${fake.url}/ping`, { agent }, received => received.resume().on('end', resolve))
        .on('error', reject)
        .end()
    })
    const wire = openWire(fake.port)
    await until(() => wire.socket.readyState === 'open', 'the connection')
    expect(await timed(5_000)).toBeLessThan(3_000)
    await wire.closed
    agent.destroy()
  })

  test('streams end, those of stalled readers too', async () => {
    const reader = await readEvents(`${fake.url}/events`)
    const transitions = await readEvents(`${fake.url}/actors/events`)
    const stalled = await readEvents(`${fake.url}/events`)
    stalled.stall()
    expect(await timed(5_000)).toBeLessThan(3_000)
    await until(() => reader.isOver() && transitions.isOver(), 'the streams to end')
    stalled.close()
  })

  test('an answer in the making is finished, nothing new is taken, and the connection ends with it', async () => {
    let finish = () => {}
    const gate = new Promise<void>(resolve => {
      finish = resolve
    })
    fake.executions.answer = async request => {
      await gate
      return { executionId: 'e', deviceId: 'd1', result: successOf(request) }
    }
    const agent = new Agent({ keepAlive: true })
    const answer = call(`${fake.url}/snapshot`, { body: {}, headers: { Connection: 'keep-alive' } })
    await until(() => fake.executions.requests.length === 1, 'the execution')
    const closing = fake.server.close({ graceMs: 20_000 })
    await expect(call(`${fake.url}/ping`)).rejects.toThrow()
    finish()
    expect(await answer).toMatchObject({ status: 200, headers: { connection: 'close' } })
    const start = clock.elapsed()
    await closing
    expect(clock.elapsed() - start).toBeLessThan(5_000)
    agent.destroy()
  })

  test('an answer that does not come in time is given up', async () => {
    fake.executions.answer = () => new Promise(() => {})
    const answer = call(`${fake.url}/snapshot`, { body: {} })
    const failed = expect(answer).rejects.toThrow()
    await until(() => fake.executions.requests.length === 1, 'the execution')
    const took = await timed(300)
    expect(took).toBeGreaterThan(250)
    expect(took).toBeLessThan(5_000)
    await failed
  })

  test('half a request, half a body, and a socket that was never used', async () => {
    const wires = [
      '',
      'GET /ping HT',
      'POST /snapshot HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    ].map(bytes => {
      const wire = openWire(fake.port)
      wire.socket.write(bytes)
      return wire
    })
    await until(() => wires.every(({ socket }) => socket.readyState === 'open'), 'the connections')
    expect(await timed(300)).toBeLessThan(5_000)
    await Promise.all(wires.map(({ closed }) => closed))
  })
})

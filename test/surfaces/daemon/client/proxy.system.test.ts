import { existsSync, linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { dispatch } from '../../../../machines/dispatch/dispatch.ts'
import type { DispatchEvent } from '../../../../src/contracts/events/dispatch.ts'
import type { Unstamped } from '../../../../src/contracts/events/event.ts'
import { type Clock, systemClock } from '../../../../src/runtime/clock.ts'
import type { ProxyCommand } from '../../../../src/surfaces/daemon/client/command.ts'
import {
  type ProxyOptions,
  type ProxyResult,
  proxyCommand,
  type StartReason,
} from '../../../../src/surfaces/daemon/client/proxy.ts'
import { daemonPaths } from '../../../../src/surfaces/daemon/paths.ts'
import { command } from '../../../support/daemon/daemon-lab.ts'
import { given } from '../../../support/runtime/given.ts'
import { until } from '../../../support/until.ts'
import {
  CONTINUE,
  type FakeDaemon,
  type FakeOptions,
  fakeDaemon,
  OFFERED_ID,
  PLAIN_CONTINUE,
  refusal,
  response,
  type Script,
  VERSION,
  versionAnswer,
} from './fake-daemon.ts'

const clock = systemClock()
/** Makes waits of minutes end at once, and leaves those of milliseconds alone. */
const impatient: Clock = {
  ...clock,
  at: (at, call, options) => clock.at(at - clock.now() > 5_000 ? 0 : at, call, options),
}
const KINDS = ['exec', 'flat', 'screenshot', 'snapshot'] as const

let home: string
let daemon: FakeDaemon | undefined
let events: Unstamped<DispatchEvent>[]
let start: ReturnType<typeof vi.fn<(reason: StartReason) => Promise<string | undefined>>>

beforeEach(() => {
  home = join(mkdtempSync(join(tmpdir(), 'svc-p-')), 'h')
  events = []
  start = vi.fn(async () => 'nobody starts daemons here')
})

afterEach(async () => {
  await daemon?.close()
  daemon = undefined
  rmSync(join(home, '..'), { recursive: true, force: true })
})

const call = (given_: Partial<ProxyCommand> = {}, options: Partial<ProxyOptions> = {}): Promise<ProxyResult> =>
  proxyCommand(
    { ...command('exec', 'c1'), ...given_ },
    {
      home,
      isDisabled: false,
      platform: 'linux',
      version: VERSION,
      environment: '',
      clock,
      start,
      onEvent: event => events.push(event),
      ...options,
    },
  )

/** Ready, and answers a POST as told. */
const daemonThat = async (post: Script, options: Partial<FakeOptions> = {}) => {
  daemon = await fakeDaemon({
    home,
    script: (request, socket) => (request.startsWith('GET /version') ? versionAnswer() : post(request, socket)),
    ...options,
  })
  return daemon
}

/** What the machine says of the same events. */
const charted = () => {
  const stamped = events.map(event => ({ ...event, at: 1 }))
  const last = stamped.at(-1)
  return last ? given(dispatch, stamped.slice(0, -1)).when(last).state : undefined
}

const agrees = (proxied: ProxyResult) => {
  expect(charted()).toBe(proxied.kind)
  return proxied
}

describe('the selection rules, in their order and before any daemon is touched', () => {
  const relative = { commandId: 'c1', actions: [{ id: 'a', type: 'take_screenshot', params: { path: 'a.png' } }] }

  test.each<[string, Partial<ProxyCommand>, Partial<ProxyOptions>]>([
    ['--no-daemon', {}, { isDisabled: true }],
    ['a screenshot with a relative path', { kind: 'screenshot', execution: relative }, {}],
    ['Windows', {}, { platform: 'win32' }],
  ])('%s runs direct, without a notice', async (_, given_, options) => {
    await daemonThat(() => response('{}'))
    const proxied = await call(given_, options)
    expect(agrees(proxied)).toEqual({ kind: 'direct', notice: undefined, isRerun: false })
    expect([daemon?.requests, start.mock.calls]).toEqual([[], []])
  })

  test('a socket path over the limit runs direct with a notice, and nothing is connected to', async () => {
    const proxied = await call({ device: 'x'.repeat(100) })
    expect(agrees(proxied)).toMatchObject({
      kind: 'direct',
      notice: expect.stringContaining('the maximum is 103'),
    })
    expect(start).not.toHaveBeenCalled()
    expect(existsSync(home)).toBe(false)
  })

  test('a home that is a link runs direct with a notice', async () => {
    const real = join(home, '..', 'real')
    mkdirSync(real)
    symlinkSync(real, home)
    expect(agrees(await call())).toMatchObject({ kind: 'direct', notice: `${home} is a symbolic link` })
    expect(start).not.toHaveBeenCalled()
  })
})

describe('a warm daemon', () => {
  test('gets the command in one request', async () => {
    const { requests, connections } = await daemonThat(() => response('{"ok":true}', { 'Svc-Execution-Id': 'e1' }))
    const proxied = await call({ kind: 'snapshot' })
    expect(agrees(proxied)).toEqual({
      kind: 'answered',
      status: 200,
      body: '{"ok":true}',
      executionId: 'e1',
      offeredId: OFFERED_ID,
    })
    expect(requests).toEqual([
      `POST /execute ${JSON.stringify({ execution: command('exec', 'c1').execution, operatorPackage: 'com.svc.operator' })}`,
    ])
    expect([start.mock.calls, connections()]).toEqual([[], 1])
  })

  test('may refuse it: that is an answer too', async () => {
    await daemonThat(() => response('{"ok":false}', {}, 423))
    expect(agrees(await call())).toMatchObject({
      kind: 'answered',
      status: 423,
      body: '{"ok":false}',
      executionId: undefined,
    })
  })

  test('may answer 2 MB in chunks', async () => {
    const part = 'ü'.repeat(32_000)
    const chunk = `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`
    await daemonThat(() => `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(33)}0\r\n\r\n`)
    const proxied = await call()
    expect(proxied.kind === 'answered' && proxied.body === part.repeat(33)).toBe(true)
  })
})

describe('a daemon that may not be used runs the command direct, with a notice', () => {
  test.each<[string, Partial<FakeOptions>, string]>([
    ['of another instance', { metadata: { instanceId: 'other' } }, 'belongs to a listener that svc did not start'],
    ['whose process has another start time', { metadata: { startTime: 'x' } }, 'that svc did not start'],
    ['that reaches other devices', { metadata: { environment: 'SVC_TCP_DEVICES=x' } }, 'svc daemon restart'],
    [
      'that does not know of instances, as most listeners',
      { takes: () => PLAIN_CONTINUE, script: () => response('{}', { 'Svc-Instance': '' }) },
      'that svc did not start',
    ],
    [
      'that says to be another instance',
      { takes: () => CONTINUE.replace(': i', ': j'), script: () => response('{}', { 'Svc-Instance': 'j' }) },
      'that svc did not start',
    ],
    ['that is ending', { takes: () => refusal({ ...VERSION, ending: true }) }, 'is shutting down'],
    ['that answers garbage', { takes: () => 'SSH-2.0\r\n\r\n' }, 'does not answer'],
    ['that hangs up', { takes: (_, socket) => void socket.destroy() }, 'does not answer'],
    ['that is silent', { takes: () => undefined }, 'no answer within 500 ms'],
    ['that is silent and not ours', { script: () => undefined, metadata: { pid: 1 } }, 'that svc did not start'],
  ])('one %s', async (_, options, notice) => {
    await daemonThat(() => response('{}'), options)
    const proxied = agrees(await call())
    expect(proxied).toMatchObject({ kind: 'direct', notice: expect.stringContaining(notice), isRerun: false })
    expect(daemon?.requests.filter(request => request.startsWith('POST'))).toEqual([])
    expect(start).not.toHaveBeenCalled()
  })
})

describe('a daemon that is needed', () => {
  const paths = () => daemonPaths(home, undefined)

  test.each<[StartReason, () => Promise<unknown>]>([
    ['missed', async () => {}],
    [
      'refused',
      async () => {
        mkdirSync(paths().directory, { recursive: true })
        const server = createServer().listen(`${paths().socket}.x`)
        await until(() => existsSync(`${paths().socket}.x`), 'a socket')
        linkSync(`${paths().socket}.x`, paths().socket)
        await new Promise(resolve => server.close(resolve))
      },
    ],
    ...[
      { ...VERSION, version: '2' },
      { ...VERSION, buildIdentity: { ...VERSION.buildIdentity, size: 3 } },
      { version: 7 },
      'no version',
    ].flatMap((version): [StartReason, () => Promise<unknown>][] => [
      ['differed', () => daemonThat(() => '', { takes: () => refusal(version) })],
      // One that knows of no expectations says it when it is asked.
      ['differed', () => daemonThat(() => '', { takes: () => PLAIN_CONTINUE, script: () => versionAnswer(version) })],
    ]),
    ['differed', () => daemonThat(() => '', { takes: () => PLAIN_CONTINUE, script: () => response('{}', {}, 500) })],
  ])(
    'because it was %s is asked for once, under the lock, and the command runs direct without it',
    async (need, prepare) => {
      await prepare()
      let lock: unknown
      start.mockImplementation(async () => {
        lock = JSON.parse(readFileSync(paths().lock, 'utf8'))
        return 'it would not start'
      })
      const proxied = agrees(await call())
      expect(proxied).toMatchObject({ kind: 'direct', notice: 'it would not start' })
      expect(start.mock.calls).toEqual([[need]])
      expect(lock).toMatchObject({ pid: process.pid })
      expect(existsSync(paths().lock)).toBe(false)
    },
  )

  test('is used once it is there', async () => {
    start.mockImplementation(async () => {
      await daemonThat(() => response('{}'))
      return undefined
    })
    expect(agrees(await call())).toMatchObject({ kind: 'answered', body: '{}' })
  })

  test('is waited for while another process starts it', async () => {
    mkdirSync(paths().directory, { recursive: true, mode: 0o700 })
    writeFileSync(paths().lock, JSON.stringify({ pid: process.ppid }))
    const calling = call()
    await until(() => true, 'a moment')
    await daemonThat(() => response('{}'))
    expect(agrees(await calling)).toMatchObject({ kind: 'answered' })
    expect(start).not.toHaveBeenCalled()
  })

  test('is not waited for longer than the lock may be held', async () => {
    mkdirSync(paths().directory, { recursive: true, mode: 0o700 })
    writeFileSync(paths().lock, JSON.stringify({ pid: process.ppid }))
    let elapsed = 0
    const fast: Clock = { ...clock, elapsed: () => (elapsed += 1_000) }
    const proxied = await call({}, { clock: fast })
    expect(proxied).toMatchObject({
      kind: 'direct',
      notice: `process ${process.ppid} is starting or stopping this daemon`,
    })
  })

  test('that comes up as another build is not used', async () => {
    start.mockImplementation(async () => {
      await daemonThat(() => '', { takes: () => refusal({ ...VERSION, version: '2' }) })
      return undefined
    })
    expect(agrees(await call())).toMatchObject({
      kind: 'direct',
      notice: expect.stringContaining('is a different version or build'),
    })
  })
})

describe('an answer that is lost after the request was written', () => {
  const LOSSES: readonly [string, Script][] = [
    ['before a byte of it', (_, socket) => void socket.destroy()],
    ['in its head', (_, socket) => void socket.end('HTTP/1.1 200 OK\r\nSvc-Ex')],
    ['in its body', (_, socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}')],
    ['as garbage', () => 'garbage\r\n\r\n'],
  ]
  const cases = LOSSES.flatMap(([when, script]) => KINDS.map(kind => [kind, when, script] as const))

  test.each(cases)('%s, %s: one request, and only a snapshot may run direct', async (kind, _, script) => {
    const { requests } = await daemonThat(script)
    const proxied = agrees(await call({ kind }))
    expect(requests.filter(request => request.startsWith('POST'))).toHaveLength(1)
    if (kind === 'snapshot') {
      expect(proxied).toMatchObject({ kind: 'direct', isRerun: true, notice: expect.stringContaining('was lost') })
    } else {
      expect(proxied).toMatchObject({
        kind: 'lost',
        error: {
          code: 'DAEMON_PROXY_ERROR',
          message: expect.stringContaining('may have executed'),
          details: { error: expect.stringMatching(/./) },
          hint: expect.stringContaining(`\`GET /executions/${OFFERED_ID}\`, or \`GET /executions?commandId=c1\``),
          retriable: false,
        },
      })
    }
  })

  test('names the execution when the head of the answer did', async () => {
    await daemonThat(
      (_, socket) => void socket.end('HTTP/1.1 200 OK\r\nSvc-Execution-Id: e7\r\nContent-Length: 9\r\n\r\n'),
    )
    expect(await call()).toMatchObject({
      error: { details: { executionId: 'e7' }, hint: expect.stringContaining('`GET /executions/e7`') },
    })
  })

  test('names the execution when the journal knows it', async () => {
    await daemonThat((_, socket) => void socket.destroy())
    const findExecution = vi.fn(async () => 'e8')
    const before = clock.now()
    expect(await call({}, { findExecution })).toMatchObject({ error: { details: { executionId: 'e8' } } })
    expect(findExecution).toHaveBeenCalledExactlyOnceWith('c1', expect.any(Number))
    const [[, since]] = findExecution.mock.calls as unknown as [[string, number]]
    expect(since).toBeGreaterThanOrEqual(before)
  })

  test('is told as it is when the journal fails too', async () => {
    await daemonThat((_, socket) => void socket.destroy())
    const findExecution = () => Promise.reject(new Error('no journal'))
    expect(await call({}, { findExecution })).toMatchObject({ kind: 'lost', error: { code: 'DAEMON_PROXY_ERROR' } })
  })

  test.each(KINDS)(
    '%s: one that does not come within timeoutMs + 5000 is lost, and nothing is sent again',
    async kind => {
      const { requests } = await daemonThat(() => undefined)
      const proxied = agrees(await call({ kind }, { clock: impatient }))
      expect(proxied).toMatchObject({ kind: 'lost', error: { details: { error: 'no answer within 25000 ms' } } })
      // The daemon reads it in this process too, perhaps after the wait has ended.
      await vi.waitFor(() => expect(requests).toHaveLength(1))
    },
  )
})

describe('a caller that is interrupted', () => {
  test('before is told that nothing was sent', async () => {
    const { requests } = await daemonThat(() => response('{}'))
    const proxied = agrees(await call({}, { signal: AbortSignal.abort() }))
    expect(proxied).toMatchObject({
      kind: 'cancelled',
      error: { code: 'EXECUTION_CANCELLED', details: { dispatched: false } },
    })
    expect(requests).toEqual([])
  })

  const DELETE = `DELETE /executions/${OFFERED_ID}`
  const cancelled = (dispatched: boolean) => {
    const details = { executionId: OFFERED_ID, dispatched }
    return { ok: false, error: { code: 'EXECUTION_CANCELLED', message: 'Cancelled.', details } }
  }
  const receipt = (execution: Record<string, unknown>) => response(JSON.stringify({ ok: true, execution }))

  /** Interrupted once the daemon has the body; `said` is what it says to the cancellation. */
  const interrupted = async (said: Script, options: Partial<ProxyOptions> = {}) => {
    const stop = new AbortController()
    const { requests } = await daemonThat((request, socket) => {
      if (request.startsWith('DELETE')) return said(request, socket)
      return void stop.abort()
    })
    const proxied = agrees(await call({ kind: 'snapshot' }, { signal: stop.signal, ...options }))
    expect(requests.slice(1)).toEqual([DELETE])
    return proxied
  }

  test.each<[string, string, boolean | 'unknown']>([
    ['was never accepted', response('{"ok":false,"error":{"code":"EXECUTION_NOT_FOUND"}}', {}, 404), false],
    ['is nothing to who answers', response('{"ok":false,"error":{"code":"NOT_FOUND"}}', {}, 404), 'unknown'],
    ['was not dispatched', receipt({ state: 'settled', result: cancelled(false) }), false],
    ['was dispatched', receipt({ state: 'settled', dispatchedAt: 5, result: cancelled(true) }), true],
    ['is accepted, and has not ended', receipt({ state: 'accepted' }), 'unknown'],
    ['is held by a process that does not answer', response('{"ok":false}', {}, 423), 'unknown'],
  ])('of an execution that %s is told so', async (_, said, dispatched) => {
    expect(await interrupted(() => said)).toMatchObject({
      kind: 'cancelled',
      error: { code: 'EXECUTION_CANCELLED', details: { executionId: OFFERED_ID, dispatched } },
    })
  })

  test('of an execution that has ended meanwhile gets its result', async () => {
    const result = { ok: true, envelope: { status: 'success' } }
    const proxied = await interrupted(() => receipt({ state: 'settled', dispatchedAt: 5, result }))
    expect(proxied).toMatchObject({ kind: 'answered', body: JSON.stringify(result) })
  })

  test.each<[string, Script, Partial<ProxyOptions>]>([
    ['hangs up', (_, socket) => void socket.destroy(), {}],
    ['says nothing', () => undefined, { clock: { ...clock, at: (_, call) => clock.at(clock.now() + 300, call) } }],
  ])('asks the journal when the daemon %s, and says so when that knows nothing either', async (_, said, options) => {
    const cancelRecorded = vi.fn(async () => ({ state: 'settled', result: cancelled(false) }) as never)
    expect(await interrupted(said, { ...options, cancelRecorded })).toMatchObject({
      error: { details: { dispatched: false } },
    })
    expect(cancelRecorded).toHaveBeenCalledExactlyOnceWith(OFFERED_ID)
    await daemon?.close()
    const failing = { ...options, cancelRecorded: () => Promise.reject(new Error('no journal')) }
    events = []
    expect(await interrupted(said, failing)).toMatchObject({
      error: {
        details: { executionId: OFFERED_ID, dispatched: 'unknown' },
        hint: `To see whether it happened: \`GET /executions/${OFFERED_ID}\`.`,
      },
    })
  })
})

test('a connection that ends once the command was taken has an unknown outcome only if the body went out', async () => {
  const { requests } = await daemonThat(() => undefined, { takes: (_, socket) => void socket.end(CONTINUE) })
  const { kind } = agrees(await call())
  if (requests.some(request => request.startsWith('POST'))) expect(kind).toBe('lost')
  else expect(['direct', 'lost']).toContain(kind)
})

test('a daemon that ends while it is asked is not there any more', async () => {
  await daemonThat(() => '', {
    takes: (_, socket) => {
      rmSync(daemonPaths(home, undefined).socket)
      return void socket.destroy()
    },
  })
  expect(agrees(await call())).toMatchObject({ kind: 'direct' })
  expect(start.mock.calls).toEqual([['missed']])
})

test('metadata that is written while a daemon is asked is read again', async () => {
  const paths = daemonPaths(home, undefined)
  const { requests } = await daemonThat(() => response('{}'), {
    metadata: { instanceId: 'predecessor' },
    takes: ({ instance }) => {
      if (instance === 'i') return CONTINUE
      const metadata = JSON.parse(readFileSync(paths.metadata, 'utf8'))
      writeFileSync(paths.metadata, JSON.stringify({ ...metadata, instanceId: 'i' }))
      return refusal(VERSION)
    },
  })
  expect(agrees(await call())).toMatchObject({ kind: 'answered' })
  expect(requests.filter(request => request.startsWith('POST'))).toHaveLength(1)
})

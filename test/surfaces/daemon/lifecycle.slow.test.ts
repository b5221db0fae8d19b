/** `svc daemon start|stop|status|restart` with real processes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { DaemonMetadata, DaemonResponse } from '../../../src/contracts/daemon.ts'
import { CliFailure } from '../../../src/contracts/failures/error.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { isAlive, thisProcess } from '../../../src/runtime/processes/processes.ts'
import { command, daemonLab } from '../../support/daemon/daemon-lab.ts'
import { until } from '../../support/until.ts'

const lab = daemonLab()
const self = thisProcess()

const listen = async (server: Server, path: string) => {
  server.listen(path)
  await once(server, 'listening')
}

const history = (home: string, actor = 'daemon:default') => {
  const journal = openJournal({ path: join(home, 'journal', 'journal.db'), alive: isAlive, clock: systemClock() })
  const records = journal.records({ actor })
  const leases = journal.leases.list()
  journal.close()
  return { types: records.map(({ event }) => event.type), state: records.at(-1)?.to, leases }
}

describe('the life of a daemon', () => {
  test('as the contract tells it', async () => {
    const { manage, paths, home, metadata, daemons, alive } = lab()
    const { socket: socketPath, directory, log, key, ...files } = paths()
    const report = (status: string) => ({ ok: true, daemon: { status, socketPath }, code: 0 })

    expect(await manage('status')).toMatchObject(report('not_running'))
    expect(await manage('stop')).toMatchObject(report('not_running'))
    expect(existsSync(directory)).toBe(false)

    expect(await manage('start')).toMatchObject(report('started'))
    expect(await manage('start')).toMatchObject(report('already_running'))
    expect(daemons()).toHaveLength(1)
    const status = await manage('status')
    expect(v.is(DaemonResponse, { ok: status.ok, daemon: status.ok && status.daemon })).toBe(true)
    expect(status).toMatchObject({
      daemon: {
        status: 'running',
        socketPath,
        pid: daemons()[0]?.pid,
        version: '1.2.3',
        uptimeSeconds: expect.any(Number),
      },
    })

    expect(v.is(DaemonMetadata, metadata())).toBe(true)
    expect(metadata()).toMatchObject({ pid: daemons()[0]?.pid, daemonKey: 'default', rawDeviceId: '' })
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    for (const file of [socketPath, log, files.metadata]) expect(statSync(file).mode & 0o777, file).toBe(0o600)
    expect(readdirSync(directory).sort()).toEqual(['daemon-default.log', 'daemon-default.pid', 'daemon-default.sock'])

    expect(await manage('restart')).toMatchObject(report('started'))
    expect(daemons()).toHaveLength(2)
    expect(alive()).toHaveLength(1)
    expect(await manage('stop')).toMatchObject(report('stopped'))
    expect(await manage('stop')).toMatchObject(report('not_running'))
    expect(await manage('restart')).toMatchObject(report('started'))
    expect(await manage('stop')).toMatchObject(report('stopped'))
    expect(alive()).toEqual([])
    expect(readdirSync(directory)).toEqual(['daemon-default.log'])

    const { types, state, leases } = history(home)
    expect(state).toBe('not_running')
    expect(leases).toEqual([])
    expect(types).toEqual(
      expect.arrayContaining(['start.requested', 'daemon.ready', 'stop.requested', 'daemon.stopped']),
    )
  })

  test('each device has a daemon of its own', async () => {
    const { manage, daemons, metadata, alive } = lab()
    for (const device of ['emulator-5554', 'emulator-5555']) {
      expect(await manage('start', {}, ['--device', device])).toMatchObject({ daemon: { status: 'started' } })
      expect(metadata(device)).toMatchObject({ rawDeviceId: device, daemonKey: expect.stringMatching(/^id-/) })
    }
    expect(daemons()).toHaveLength(2)
    await manage('stop', {}, ['--device', 'emulator-5554'])
    expect(alive()).toHaveLength(1)
    expect(await manage('status', {}, ['--device=emulator-5555'])).toMatchObject({ daemon: { status: 'running' } })
    expect(await manage('status')).toMatchObject({ daemon: { status: 'not_running' } })
  })

  test('a device whose name looks like a flag reaches its daemon', async () => {
    const { manage, metadata } = lab()
    await manage('start', {}, ['--device=--help'])
    expect(metadata('--help')).toMatchObject({ rawDeviceId: '--help' })
  })

  test('one that is run by hand is recorded too, and refuses a second one', async () => {
    const { start, home, manage, paths } = lab()
    const first = start(['daemon', 'run'])
    await until(() => existsSync(paths().socket), 'a socket')
    expect(await manage('run')).toMatchObject({
      ok: false,
      code: 1,
      error: { code: 'DAEMON_START_FAILED', message: expect.stringContaining('already running') },
    })
    await until(() => history(home).state === 'running', 'a record')
    first.child.kill('SIGTERM')
    expect(await first.ended).toMatchObject({ code: 0, said: { ok: true, end: 'told to end' } })
    expect(history(home)).toMatchObject({ state: 'not_running', types: expect.arrayContaining(['daemon.terminated']) })
    expect(existsSync(paths().socket)).toBe(false)
  })

  test('one that ends by itself records why', async () => {
    const { manage, home, alive } = lab()
    await manage('start', { SVC_DAEMON_IDLE_MS: '400' })
    await until(() => alive().length === 0, 'its end')
    const { types, state } = history(home)
    expect([types.at(-1), state]).toEqual(['daemon.idled', 'not_running'])
  })

  test('one that was started in the future, as the clock says now, is up for no time at all', async () => {
    const { manage, paths, metadata } = lab()
    await manage('start')
    writeFileSync(paths().metadata, JSON.stringify({ ...metadata(), startedAt: Date.now() + 3_600_000 }))
    expect(await manage('status')).toMatchObject({ daemon: { status: 'running', uptimeSeconds: 0 } })
  })

  test('one whose journal cannot be used can be started, looked at and ended', async () => {
    const { manage, home, alive } = lab()
    mkdirSync(home, { mode: 0o700 })
    writeFileSync(join(home, 'journal'), 'in the way')
    const started = await manage('start')
    expect(started).toMatchObject({ daemon: { status: 'started' }, stderr: expect.stringContaining('not recorded') })
    expect(await manage('status')).toMatchObject({ daemon: { status: 'running' } })
    expect(await manage('stop')).toMatchObject({ daemon: { status: 'stopped' } })
    expect(alive()).toEqual([])
  })
})

describe('a process that is not ours', () => {
  test('is never signalled, though the metadata names its pid', async () => {
    const { manage, makeHome, paths } = lab()
    makeHome()
    const stranger = spawn('sleep', ['60'], { env: {} })
    const ended = once(stranger, 'exit')
    try {
      for (const startTime of [`${self.started}1`, undefined, 12]) {
        const facts = { pid: stranger.pid, startedAt: 1, daemonKey: 'default', cliEntryPath: '/svc', rawDeviceId: '' }
        writeFileSync(paths().metadata, JSON.stringify({ ...facts, startTime, instanceId: 'i' }))
        for (const ask of ['stop', 'status']) {
          expect(await manage(ask)).toMatchObject({ daemon: { status: 'not_running' } })
        }
        expect(await manage('restart')).toMatchObject({ daemon: { status: 'started' } })
        expect(await manage('stop')).toMatchObject({ daemon: { status: 'stopped' } })
      }
      expect([stranger.exitCode, stranger.signalCode]).toEqual([null, null])
    } finally {
      stranger.kill('SIGKILL')
      await ended
    }
  })

  const answering = () => createHttpServer((_, outgoing) => void outgoing.end('{"ok":true}'))
  const mute = () => createServer(() => {})

  test.for([
    ['answers', answering, 'unowned'],
    ['is silent', mute, 'not_running'],
  ] as const)('and listens on the socket is left alone when it %s', async ([, create, status], { onTestFinished }) => {
    const { manage, call, makeHome, paths, alive } = lab()
    makeHome()
    const listener = create()
    onTestFinished(() => void listener.close())
    await listen(listener, paths().socket)
    const { ino } = statSync(paths().socket)
    expect(await manage('status')).toMatchObject({ code: 0, daemon: { status } })
    expect(await manage('stop')).toMatchObject({ code: 0, daemon: { status: 'unowned' } })
    for (const ask of ['start', 'restart', 'run']) {
      const { stderr: _stderr, code, ...refused } = await manage(ask)
      expect(refused).toMatchObject({
        ok: false,
        error: { code: 'DAEMON_START_FAILED', details: { timeoutMs: 3_000 } },
      })
      expect([v.is(CliFailure, 'error' in refused && refused.error), code]).toEqual([true, 1])
    }
    expect(await call(command('exec', 'c1'))).toMatchObject({
      kind: 'direct',
      notice: expect.stringContaining('a listener that svc did not start'),
    })
    expect([statSync(paths().socket).ino, listener.listening, alive()]).toEqual([ino, true, []])
  })
})

describe('what is found in the place of the files', () => {
  test.each([
    ['the socket of a dead daemon', 'stale'],
    ['garbage as metadata', 'metadata'],
    ['garbage as lock, long ago', 'lock'],
  ])('%s is not an obstacle', async (_, what) => {
    const { manage, call, makeHome, paths, daemons } = lab()
    makeHome()
    if (what === 'stale') {
      await manage('start')
      lab().signal('SIGKILL')
      await until(() => !isAlive(daemons()[0] ?? self), 'its death')
      expect(existsSync(paths().socket)).toBe(true)
    }
    if (what === 'metadata') writeFileSync(paths().metadata, '{"pid": ')
    if (what === 'lock') writeFileSync(paths().lock, JSON.stringify({ pid: 2 ** 22 + 1, createdAt: Date.now() + 9e7 }))
    expect(await call(command('exec', 'c1'))).toMatchObject({ kind: 'answered', status: 200 })
    expect(await manage('status')).toMatchObject({ daemon: { status: 'running' } })
  })

  test.each(['file', 'directory', 'link'])('a %s as socket stays, and the command runs direct', async what => {
    const { manage, call, makeHome, paths, folder } = lab()
    makeHome()
    const { socket } = paths()
    if (what === 'file') writeFileSync(socket, 'mine')
    if (what === 'directory') mkdirSync(socket)
    if (what === 'link') symlinkSync(join(folder, 'nothing'), socket)
    const problem = expect.stringContaining('is not a socket; remove it')
    expect(await call(command('exec', 'c1'))).toMatchObject({ kind: 'direct', notice: problem })
    expect(await manage('start')).toMatchObject({ error: { code: 'DAEMON_START_FAILED', message: problem } })
    expect(existsSync(socket) || what === 'link').toBe(true)
    if (what === 'file') expect(readFileSync(socket, 'utf8')).toBe('mine')
  })

  test('metadata that is damaged under a running daemon is mended by it', async () => {
    const { manage, paths, metadata } = lab()
    await manage('start')
    writeFileSync(paths().metadata, 'garbage')
    await until(() => metadata()?.instanceId !== undefined, 'metadata')
    expect(await manage('status')).toMatchObject({ daemon: { status: 'running' } })
  })
})

describe('a start that fails', () => {
  test('says the length of a socket path that is too long', async () => {
    const { manage, folder, call } = lab()
    const device = 'x'.repeat(80)
    const message = expect.stringMatching(/has \d{3} bytes, the maximum is 103/)
    expect(await manage('start', {}, ['--device', device])).toMatchObject({
      error: { code: 'DAEMON_START_FAILED', message },
    })
    expect(await manage('status', {}, ['--device', device])).toMatchObject({ daemon: { status: 'not_running' } })
    expect(await manage('stop', {}, ['--device', device])).toMatchObject({ daemon: { status: 'not_running' } })
    expect(await call({ ...command('exec', 'c1'), device })).toMatchObject({ kind: 'direct', notice: message })
    expect(readdirSync(folder)).toEqual([])
  })

  test('says what the process said last, and a command runs direct with the same words', async () => {
    const { manage, call, paths } = lab()
    const env = { TEST_SERVE_FAILS: 'EOPNOTSUPP: no sockets here' }
    const message = expect.stringContaining('EOPNOTSUPP: no sockets here')
    expect(await manage('start', env)).toMatchObject({ code: 1, error: { code: 'DAEMON_START_FAILED', message } })
    expect(await call(command('exec', 'c1'), env)).toMatchObject({ kind: 'direct', notice: message })
    expect(readdirSync(paths().directory)).toEqual(['daemon-default.log'])
  })

  test('ends the process that does not answer within 3000 ms', async () => {
    const { manage, alive, daemons } = lab()
    expect(await manage('start', { TEST_STARTS_AFTER_MS: '20000' })).toMatchObject({
      error: {
        code: 'DAEMON_START_FAILED',
        message: expect.stringContaining('within 3000 ms'),
        details: { timeoutMs: 3_000 },
      },
    })
    expect(daemons()).toHaveLength(1)
    await until(() => alive().length === 0, 'its end')
  })

  test('in a home that cannot be used says why and touches nothing', async () => {
    const { manage, call, home, folder } = lab()
    mkdirSync(join(folder, 'elsewhere'))
    symlinkSync(join(folder, 'elsewhere'), home)
    const message = `${home} is a symbolic link`
    expect(await call(command('exec', 'c1'))).toMatchObject({ kind: 'direct', notice: message })
    expect(await manage('start')).toMatchObject({ error: { code: 'DAEMON_START_FAILED', message: `${message}.` } })
    expect(readdirSync(join(folder, 'elsewhere'))).toEqual([])
    expect(await call(command('exec', 'c1'), { SVC_HOME: '/proc/svc/home' })).toMatchObject({ kind: 'direct' })
  })
})

describe('a daemon that is frozen', () => {
  test('is stopped all the same', async () => {
    const { manage, alive, paths } = lab()
    await manage('start')
    lab().signal('SIGSTOP')
    expect(await manage('status')).toMatchObject({ daemon: { status: 'not_running' } })
    expect(await manage('stop')).toMatchObject({ daemon: { status: 'stopped' } })
    expect([alive(), existsSync(paths().socket), existsSync(paths().metadata)]).toEqual([[], false, false])
  })

  test('is not joined by a second one, and commands run direct meanwhile', async () => {
    const { manage, call, alive } = lab()
    await manage('start')
    lab().signal('SIGSTOP')
    expect(await call(command('exec', 'c1'))).toMatchObject({
      kind: 'direct',
      notice: expect.stringContaining('does not answer'),
    })
    expect(await manage('start')).toMatchObject({
      error: { code: 'DAEMON_START_FAILED', message: expect.stringContaining('holds the socket') },
    })
    expect(await manage('run')).toMatchObject({ error: { code: 'DAEMON_START_FAILED' } })
    lab().signal('SIGCONT')
    const isAnswered = async () => (await call(command('exec', 'c2'))).kind === 'answered'
    await until(isAnswered, 'a daemon that answers again')
    expect(alive()).toHaveLength(1)
    expect(await manage('restart')).toMatchObject({ daemon: { status: 'started' } })
  })
})

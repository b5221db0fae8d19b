/** Where no daemon can be: the command runs in its own process and says why, and what is there stays as it is. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemonPaths } from '../../../../src/surfaces/daemon/paths.ts'
import { type SvcLab, startSvcLab } from '../../../support/cli/svc-lab.ts'

let lab: SvcLab
beforeAll(async () => {
  lab = await startSvcLab()
})
afterAll(() => lab.close())

const folder = (name: string) => {
  const path = join(realpathSync(lab.home), name)
  mkdirSync(path, { recursive: true })
  return path
}

/** Runs a snapshot there and a start, which cannot go on without a daemon. */
const tried = async (home: string) => {
  const env = { HOME: dirname(home), SVC_HOME: home }
  const snapshot = await lab.svc(['snapshot'], { env })
  const start = await lab.svc(['daemon', 'start'], { env })
  expect(snapshot.stderr).toMatch(/^Running without the daemon: .*[^.]\.\n$/)
  expect(start).toMatchObject({ code: 1 })
  const { socket: socketPath, log } = daemonPaths(home, undefined)
  // A log that is not there is not pointed to.
  const hint =
    existsSync(log) && statSync(log).isFile() ? `Commands run without it; its log: ${log}.` : 'Commands run without it.'
  expect(start.json()).toEqual({
    code: 'DAEMON_START_FAILED',
    message: expect.stringMatching(/[^.]\.$/),
    details: { socketPath, timeoutMs: 3_000 },
    hint,
    retriable: true,
  })
  return { snapshot, notice: snapshot.stderr, message: start.json<{ message: string }>().message }
}

test('a socket path over the limit: both say its length', async () => {
  const home = join(folder('x'.repeat(90)), '.svc')
  const { snapshot, notice, message } = await tried(home)
  const bytes = Buffer.byteLength(daemonPaths(home, undefined).socket)
  expect(snapshot.code).toBe(0)
  for (const text of [notice, message]) expect(text).toContain(`has ${bytes} bytes, the maximum is 103`)
  expect(existsSync(daemonPaths(home, undefined).directory)).toBe(false)
})

test('a home that is a link: neither it nor what it leads to is used for a daemon', async () => {
  const real = folder('real')
  const home = join(folder('linked'), '.svc')
  symlinkSync(real, home)
  const { snapshot, notice, message } = await tried(home)
  expect(snapshot.code).toBe(0)
  for (const text of [notice, message]) expect(text).toContain('is a symbolic link')
  expect(existsSync(join(real, 'daemon'))).toBe(false)
})

test('a home that cannot be written: nothing is recorded, so nothing is sent, and both say why', async () => {
  const home = join(folder('taken'), '.svc')
  writeFileSync(home, 'mine')
  const { snapshot } = await tried(home)
  expect(snapshot.json()).toMatchObject({ code: 'JOURNAL_UNAVAILABLE' })
  expect(readFileSync(home, 'utf8')).toBe('mine')
})

test('a file where the directory of daemons would be stays', async () => {
  const home = folder('half/.svc')
  writeFileSync(join(home, 'daemon'), 'mine')
  const { snapshot, notice } = await tried(home)
  expect(snapshot.code).toBe(0)
  expect(notice).toContain('is not a directory')
  expect(readFileSync(join(home, 'daemon'), 'utf8')).toBe('mine')
})

test.each(['socket', 'log', 'lock', 'metadata'] as const)('a directory in the place of its %s stays', async which => {
  const home = folder(`d-${which}/.svc`)
  const paths = daemonPaths(home, undefined)
  mkdirSync(paths[which], { recursive: true })
  // A lock that cannot be read is only waited for while it may still be in the writing.
  utimesSync(paths[which], 0, 0)
  const { snapshot, notice, message } = await tried(home)
  expect(snapshot.code).toBe(0)
  for (const text of [notice, message]) expect(text).toContain(paths[which].slice(paths.directory.length + 1))
  expect(statSync(paths[which]).isDirectory()).toBe(true)
  expect(readdirSync(paths.directory).filter(name => !/\.(log|sock|lock|pid)$/.test(name))).toEqual([])
})

describe('a listener that svc did not start', () => {
  test('is unowned, is not used, and is left alone', async () => {
    const home = folder('foreign/.svc')
    const { directory, socket } = daemonPaths(home, undefined)
    mkdirSync(directory, { mode: 0o700 })
    const heard: string[] = []
    const server = createServer(connection => {
      connection.on('error', () => {})
      connection.on('data', data => {
        heard.push(data.toString())
        connection.end('HTTP/1.1 200 OK\r\nContent-Length: 11\r\nConnection: close\r\n\r\n{"ok":true}')
      })
    })
    await new Promise<void>(resolve => server.listen(socket, resolve))
    try {
      const { snapshot, notice, message } = await tried(home)
      expect(snapshot.code).toBe(0)
      for (const text of [notice, message]) expect(text).toContain('listener that svc did not start')
      const env = { HOME: dirname(home), SVC_HOME: home }
      const daemon = { socketPath: socket }
      const status = await lab.svc(['daemon', 'status'], { env })
      expect(status).toMatchObject({ code: 0 })
      expect(status.json()).toEqual({ ok: true, daemon: { status: 'unowned', ...daemon } })
      const stop = await lab.svc(['daemon', 'stop'], { env })
      expect(stop.json()).toEqual({ ok: true, daemon: { status: 'unowned', ...daemon } })
      expect(existsSync(socket)).toBe(true)
      expect(heard.filter(text => !text.startsWith('GET '))).toEqual([])
    } finally {
      await new Promise(resolve => server.close(resolve))
    }
  })
})

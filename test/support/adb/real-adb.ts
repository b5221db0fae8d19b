/** A real adb server of its own for one test file: own socket, own home, no scan for emulators of other people. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { until } from '../until.ts'

const CALL_MS = 20_000

export interface RealAdb {
  /** The Unix socket of the server. */
  socketPath: string
  home: string
  env: Record<string, string>
  /** Runs the adb program against the server; never rejects for an exit code. */
  run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>
  server(): ChildProcess
  start(): Promise<void>
  stop(): Promise<void>
}

const answers = (path: string): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(path)
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

export const createRealAdb = (): RealAdb => {
  const home = mkdtempSync(join(tmpdir(), 'svc-adb-'))
  const socketPath = join(home, 'server')
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    TMPDIR: home,
    ADB_SERVER_SOCKET: `localfilesystem:${socketPath}`,
    ADB_LOCAL_TRANSPORT_MAX_PORT: '5553',
    ADB_EMU: '0',
    ADB_MDNS: '0',
  }
  let child: ChildProcess | undefined
  const server = () => {
    if (!child) throw new Error('the adb server was not started')
    return child
  }
  const run: RealAdb['run'] = (...args) => {
    const call = promisify(execFile)('adb', args, { env, timeout: CALL_MS, maxBuffer: 64 * 1024 * 1024 })
    return call.then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: { code?: number; stdout: string; stderr: string }) => ({
        code: typeof error.code === 'number' ? error.code : -1,
        stdout: error.stdout,
        stderr: error.stderr,
      }),
    )
  }
  return {
    socketPath,
    home,
    env,
    server,
    run,
    async start() {
      rmSync(socketPath, { force: true })
      child = spawn('adb', ['-L', `localfilesystem:${socketPath}`, 'nodaemon', 'server'], { env, stdio: 'ignore' })
      let up = false
      const look = setInterval(() => void answers(socketPath).then(is => (up ||= is)), 10)
      await until(() => up, 'the adb server to answer').finally(() => clearInterval(look))
    },
    async stop() {
      // A client that waited in vain for this server has started another one in its place.
      await run('kill-server')
      // Whoever misses it now finds no place for the socket of a new one.
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
      if (child && child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        await ended
      }
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** Starts the adb server when nobody listens at its address: the only process that a link ever needs. */
import { spawn } from 'node:child_process'
import { sharedChildEnv } from '../runtime/child-env.ts'
import type { Clock } from '../runtime/clock.ts'
import type { AdbProgram } from './adb-program.ts'
import { LinkError } from './link-error.ts'
import type { LinkLimits } from './link-limits.ts'
import { addressText, type ServerAddress, serverFlags } from './server-address.ts'

export interface ServerStarterOptions {
  clock: Clock
  address: ServerAddress
  program: AdbProgram
  limits: Pick<LinkLimits, 'startServerMs' | 'startServerPauseMs'>
}

const STDERR_CHARS_KEPT = 2_000

/** The server that adb leaves behind may hold our pipe: `exit` says that adb itself has ended, `close` may never come. */
const runAdb = (path: string, args: readonly string[], { clock, program, limits }: ServerStarterOptions) =>
  new Promise<string | undefined>(resolve => {
    const child = spawn(path, args, { env: sharedChildEnv(program.env), stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    const end = (problem: string | undefined) => {
      timer.cancel()
      child.stderr.destroy()
      resolve(problem)
    }
    const timer = clock.at(clock.now() + limits.startServerMs, () => {
      child.kill('SIGKILL')
      end(`did not end within ${limits.startServerMs} ms`)
    })
    child.stderr.setEncoding('utf8').on('data', text => {
      said = (said + text).slice(-STDERR_CHARS_KEPT)
    })
    child.once('error', error => end(error.message))
    child.once('exit', (code, signal) => end(code === 0 ? undefined : `ended with ${code ?? signal}: ${said.trim()}`))
  })

export const createServerStarter = (options: ServerStarterOptions): (() => Promise<void>) => {
  const { clock, address, program, limits } = options
  const where = addressText(address)
  let running: Promise<void> | undefined
  let failed: { until: number; error: LinkError } | undefined

  const start = async () => {
    const flags = serverFlags(address)
    if (flags === undefined)
      throw new LinkError(
        'ADB_SERVER_FAILED',
        `no adb server answers at ${where}, and svc starts one on this machine only`,
      )
    if (program.path === undefined)
      throw new LinkError(
        'ADB_NOT_FOUND',
        `no adb server answers at ${where}, and no adb program was found to start one`,
      )
    if (failed && clock.elapsed() < failed.until) throw failed.error
    const problem = await runAdb(program.path, [...flags, 'start-server'], options)
    if (problem === undefined) return
    const error = new LinkError('ADB_SERVER_FAILED', `${program.path} start-server for ${where} ${problem}`)
    failed = { until: clock.elapsed() + limits.startServerPauseMs, error }
    throw error
  }

  /** However many find the server gone at once, it is started once. */
  return () => {
    running ??= start().finally(() => {
      running = undefined
    })
    return running
  }
}

/** Finds the adb program by the variables that Android's own tools honour, and has it start its server. */

import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { addressText, type ServerAddress, serverFlags } from '../../contracts/device/addresses.ts'
import type { Clock } from '../../runtime/clock.ts'
import { sharedChildEnv } from '../../runtime/processes/child-env.ts'
import { LinkError } from './link.ts'
import type { LinkLimits } from './link-limits.ts'

export interface AdbProgram {
  /** Undefined when there is none. */
  readonly path: string | undefined
  /** The environment that it is started with. */
  readonly env: Readonly<Record<string, string | undefined>>
}

type Variable = 'ADB_PATH' | 'ANDROID_HOME' | 'ANDROID_SDK_ROOT' | 'PATH'
type ProgramEnvironment = Readonly<Partial<Record<Variable, string | undefined>>>

const isExecutableFile = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** A path that is given explicitly counts alone: another adb would be a surprise. */
export const findAdb = (env: ProgramEnvironment, isExecutable = isExecutableFile): string | undefined => {
  if (env.ADB_PATH) return isExecutable(env.ADB_PATH) ? env.ADB_PATH : undefined
  const sdks = [env.ANDROID_HOME, env.ANDROID_SDK_ROOT].filter(sdk => sdk)
  const folders = (env.PATH ?? '').split(':').filter(folder => folder !== '')
  const places = [...sdks.map(sdk => join(sdk ?? '', 'platform-tools')), ...folders]
  return places.map(folder => join(folder, 'adb')).find(isExecutable)
}

interface ServerStarterOptions {
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
    let stderr = ''
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
      stderr = (stderr + text).slice(-STDERR_CHARS_KEPT)
    })
    child.once('error', error => end(error.message))
    child.once('exit', (code, signal) => end(code === 0 ? undefined : `ended with ${code ?? signal}: ${stderr.trim()}`))
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

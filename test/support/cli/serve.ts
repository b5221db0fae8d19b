/** `svc serve` as a person starts it, on a free port: as a process, or inside this one where the process is not the point. */

import { until } from '../until.ts'
import { type CliHereOptions, startCliHere } from './cli-here.ts'
import { type CliEnded, type CliOptions, type RunningCli, startCli } from './run-cli.ts'

export interface ServingHere {
  url: string
  /** Everything that it wrote to stderr until now. */
  stderr(): string
  isRunning(): boolean
  /** Resolves when every caller is answered and it has ended. */
  end(): Promise<CliEnded>
}

export interface Serving extends ServingHere {
  running: RunningCli
}

interface Start {
  /** More flags. */
  args?: readonly string[]
  /** By when it listens; 15 s unless told. */
  startMs?: number
}

export type ServeOptions = CliOptions & Start
export type ServeHereOptions = CliHereOptions & Start

const SERVE = ['serve', '--port', '0']

const urlIn = (stderr: string): string | undefined => /listens on (\S+)\n/.exec(stderr)?.[1]

/** Resolves when it says where it listens. */
export const startServe = async ({ args = [], startMs, ...options }: ServeOptions = {}): Promise<Serving> => {
  const running = startCli([...SERVE, ...args], options)
  const { child, ended, stderr } = running
  await until(() => urlIn(stderr()) !== undefined || child.exitCode !== null, 'the server to listen', startMs)
  return {
    running,
    url: urlIn(stderr()) ?? '',
    stderr,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async end() {
      child.kill('SIGTERM')
      return ended
    },
  }
}

/** Resolves when it says where it listens, and rejects where it refuses to. */
export const startServeHere = async ({
  args = [],
  startMs,
  ...options
}: ServeHereOptions = {}): Promise<ServingHere> => {
  const { ended, stdout, stderr, interrupt } = startCliHere([...SERVE, ...args], options)
  let isRunning = true
  const over = ended.finally(() => {
    isRunning = false
  })
  over.catch(() => {})
  await until(() => urlIn(stderr()) !== undefined || !isRunning, 'the server to listen', startMs)
  const url = urlIn(stderr())
  if (url === undefined) throw new Error(`svc serve did not start: ${stdout()}${stderr()}`)
  return {
    url,
    stderr,
    isRunning: () => isRunning,
    async end() {
      interrupt()
      return over
    },
  }
}

/** The real `svc` with its real daemons before simulated devices, in a home of its own; every daemon is gone afterwards. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { liveOwner, type Metadata, readMetadata } from '../../../src/surfaces/daemon/identity.ts'
import { type DaemonPaths, daemonPaths } from '../../../src/surfaces/daemon/paths.ts'
import { type Lab, type LabOptions, startLab } from '../executions/lab.ts'
import { perTest } from '../per-test.ts'
import { until } from '../until.ts'
import { type CliHereOptions, runCliHere } from './cli-here.ts'
import { type CliEnded, type CliOptions, type RunningCli, startCli } from './run-cli.ts'

/** A daemon that a broken test forgets ends itself. */
const IDLE_MS = '60000'

const STARTED = /listens on \S+ as process (\d+)$/gm

export interface SvcLab extends Lab {
  env: NodeJS.ProcessEnv
  paths(device?: string): DaemonPaths
  metadata(device?: string): Metadata | undefined
  start(args: readonly string[], options?: CliOptions): RunningCli
  /** Inside this process; the daemons that it starts are processes. */
  svc(args: readonly string[], options?: CliHereOptions): Promise<CliEnded>
  /** The pids of all daemons that ever listened, as their logs tell. */
  daemons(device?: string): number[]
  /** What the operator app of a device was given, how often. */
  seen(device?: number): number
  /** Waits until the device has so many executions, the last one unfinished. */
  busy(count: number, device?: number): Promise<void>
}

/** Whether this very CLI is what the process runs. */
const isDaemon = (pid: number, home: string): boolean => {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    return words.includes('daemon') && words.includes('run') && environment.includes(`SVC_HOME=${home}`)
  } catch {
    return false
  }
}

export const startSvcLab = async (options: LabOptions = {}): Promise<SvcLab> => {
  const lab = await startLab(options)
  // Short, so that the sockets of named devices fit.
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'svc-')))
  const serials = lab.fleet.devices.map(({ serial }) => serial).join(',')
  const env = { HOME: home, SVC_NO_DAEMON: '0', SVC_DAEMON_IDLE_MS: IDLE_MS, SVC_TCP_DEVICES: serials }
  const svcHome = join(home, '.svc')
  const running: RunningCli[] = []

  const start = (args: readonly string[], more: CliOptions = {}) => {
    const started = startCli(args, { input: '', cwd: home, ...more, env: { ...env, ...more.env } })
    running.push(started)
    return started
  }
  const paths = (device?: string) => daemonPaths(svcHome, device)
  const daemons = (device?: string) => {
    const { log } = paths(device)
    return existsSync(log) ? [...readFileSync(log, 'utf8').matchAll(STARTED)].map(([, pid]) => Number(pid)) : []
  }
  const executions = (device: number) => lab.fleet.devices[device]?.phone.executions() ?? []
  const endAll = () => {
    const { directory } = paths()
    for (const name of existsSync(directory) ? readdirSync(directory) : []) {
      const file = join(directory, name)
      const pids = name.endsWith('.log')
        ? [...readFileSync(file, 'utf8').matchAll(STARTED)].map(([, pid]) => Number(pid))
        : []
      const owner = name.endsWith('.pid') ? liveOwner(file)?.pid : undefined
      for (const pid of owner === undefined ? pids : [...pids, owner]) {
        if (isDaemon(pid, svcHome)) process.kill(pid, 'SIGKILL')
      }
    }
  }
  return {
    ...lab,
    home,
    env,
    paths,
    metadata: device => readMetadata(paths(device).metadata),
    start,
    svc: (args, more = {}) => runCliHere(args, { cwd: home, ...more, env: { ...env, ...more.env } }),
    daemons,
    seen: (device = 0) => lab.fleet.devices[device]?.phone.arrivals().length ?? 0,
    async busy(count, device = 0) {
      const isBusy = () => executions(device).length === count && executions(device).at(-1)?.finishedAt === undefined
      await until(isBusy, `execution ${count} of device ${device} to run`)
    },
    async close() {
      for (const { child } of running) child.kill('SIGKILL')
      await Promise.all(running.map(({ ended }) => ended))
      endAll()
      await lab.close()
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** One for each test that asks for one, concurrent ones too. */
export const svcLab = (): ((options?: LabOptions) => Promise<SvcLab>) => perTest(startSvcLab)

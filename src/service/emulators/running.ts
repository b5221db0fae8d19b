/** The emulators that the debug bridge lists, and what can be observed of one AVD: its files, its lock, its device. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AVD_LIST_MS, EMULATOR_ASK_MS } from '../../contracts/limits/emulator-limits.ts'
import { type Link, LinkError } from '../../device/link/link.ts'
import { OUTPUT_BYTES_MAX } from '../../device/link/link-limits.ts'
import type { Links } from '../../device/link/links.ts'
import type { Clock } from '../../runtime/clock.ts'
import { userHome } from '../../runtime/home.ts'
import { startOf } from '../../runtime/processes/processes.ts'
import { avdNames, hasAvdFiles, isAvdName, lockedBy } from './avd-files.ts'
import { consoleAvdName } from './console.ts'
import { type EmulatorFailure, emulatorFailure, toolsMissing } from './failure.ts'
import { runTool } from './run-tool.ts'
import { avdHome, type EmulatorDeps, type Environment, findTool } from './sdk.ts'

export interface ListedEmulator {
  serial: string
  /** Null when nothing says it in time. */
  avdName: string | null
  booted: boolean
}

interface RunningDeps {
  links: () => Links
  env: Environment
  clock: Clock
}

const SERIAL = /^emulator-(\d+)$/
const LIST_MS = 15_000

export const consolePort = (serial: string): number | undefined => {
  const port = Number(SERIAL.exec(serial)?.[1])
  return Number.isSafeInteger(port) && port > 0 && port < 65_536 ? port : undefined
}

const PROPERTIES = ['ro.boot.qemu.avd_name', 'ro.kernel.qemu.avd_name', 'sys.boot_completed', 'dev.bootcomplete']
const ASK = PROPERTIES.map(name => `getprop ${name}`).join('; ')

interface ConsoleAnswer {
  avdName: string | undefined
  booted: boolean
}

const askDevice = async (link: Link, deadline: number, signal?: AbortSignal): Promise<ConsoleAnswer> => {
  const { stdout } = await link.shell(ASK, { deadline, signal, maxBytes: OUTPUT_BYTES_MAX.report })
  const [boot = '', kernel = '', system = '', device = ''] = stdout.split('\n').map(line => line.trim())
  return { avdName: boot || kernel || undefined, booted: system === '1' && device === '1' }
}

/** Rejects with LinkError. */
export const hasBooted = async (link: Link, clock: Clock, signal?: AbortSignal): Promise<boolean> =>
  (await askDevice(link, clock.now() + EMULATOR_ASK_MS, signal)).booted

/** Emulators write `pid_<pid>.ini` here with their port and AVD, for other programs. One that crashes leaves it. */
const discoveryFolders = (env: Environment): string[] => [
  ...(env.XDG_RUNTIME_DIR ? [join(env.XDG_RUNTIME_DIR, 'avd', 'running')] : []),
  join('/run/user', String(process.getuid?.() ?? ''), 'avd', 'running'),
  join(userHome(env), '.android', 'avd', 'running'),
]

const DISCOVERY = /^pid_(\d+)\.ini$/

/** Ports are used again: what a dead process wrote of one is about nobody. */
const isOfLiving = (file: string): boolean => {
  const pid = DISCOVERY.exec(file)?.[1]
  return pid !== undefined && startOf(Number(pid)) !== undefined
}

const discoveredName = (port: number, env: Environment): string | undefined => {
  for (const folder of discoveryFolders(env)) {
    try {
      for (const file of readdirSync(folder).filter(isOfLiving)) {
        const text = readFileSync(join(folder, file), 'utf8')
        if (new RegExp(`^port\\.serial=${port}$`, 'm').test(text)) return /^avd\.id=(.+)$/m.exec(text)?.[1]?.trim()
      }
    } catch {
      // No emulator has left anything there.
    }
  }
  return undefined
}

const firstName = async (answers: readonly Promise<string | undefined>[]): Promise<string | undefined> => {
  const named = answers.map(async answer => {
    const name = await answer
    if (name === undefined) throw new Error('unnamed')
    return name
  })
  return Promise.any(named).catch(() => undefined)
}

const seeOne = async (
  { serial, state }: { serial: string; state: string },
  { links, env, clock }: RunningDeps,
  signal?: AbortSignal,
): Promise<ListedEmulator> => {
  const deadline = clock.now() + EMULATOR_ASK_MS
  const port = consolePort(serial) ?? 0
  const answer: Promise<ConsoleAnswer> =
    state === 'device'
      ? links()
          .get(serial, { deadline, signal })
          .then(link => askDevice(link, deadline, signal))
          .catch(() => ({ avdName: undefined, booted: false }))
      : Promise.resolve({ avdName: undefined, booted: false })
  const stop = new AbortController()
  const byConsole = consoleAvdName({ port, env, clock, timeoutMs: EMULATOR_ASK_MS, signal: stop.signal })
  const name = await firstName([answer.then(({ avdName }) => avdName), byConsole])
  const { booted } = await answer
  stop.abort()
  return { serial, avdName: name ?? discoveredName(port, env) ?? null, booted }
}

type DevicesSeen = { ok: true; emulators: ListedEmulator[] } | { ok: false; failure: EmulatorFailure }

/** All of them at once, each with its own limit: one that hangs keeps nobody from being listed. */
export const seeEmulators = async (deps: RunningDeps, signal?: AbortSignal): Promise<DevicesSeen> => {
  try {
    const { devices, problem } = await deps.links().list({ deadline: deps.clock.now() + LIST_MS, signal })
    if (problem) throw problem
    const emulators = devices.filter(({ serial }) => consolePort(serial) !== undefined)
    return { ok: true, emulators: await Promise.all(emulators.map(device => seeOne(device, deps, signal))) }
  } catch (error) {
    if (!(error instanceof LinkError)) throw error
    if (error.code === 'ADB_NOT_FOUND') return { ok: false, failure: toolsMissing(['adb']) }
    return { ok: false, failure: emulatorFailure('ADB_SERVER_FAILED', error.message) }
  }
}

type Observed =
  | { ok: true; finding: 'absent' | 'stopped' | 'running'; serial: string | null }
  | { ok: false; failure: EmulatorFailure }

const NEVER = new AbortController().signal

interface ObserveOptions {
  signal?: AbortSignal | undefined
  /** The request that owns the process, for the cleanup after a dead host. */
  requestId?: string
}

/** The AVDs that `emulator -list-avds` names: nothing when there is no emulator, or when it fails. */
const listedBy = async (
  { env, clock }: EmulatorDeps,
  { signal = NEVER, requestId = 'list' }: ObserveOptions = {},
): Promise<string[]> => {
  const path = findTool('emulator', env)
  if (path === undefined) return []
  const until = clock.now() + AVD_LIST_MS
  const run = { tool: 'emulator', path, args: ['-list-avds'], env, clock, until, signal, requestId } as const
  const { problem, stdout } = await runTool(run)
  if (problem !== undefined) return []
  // Warnings and crash reports share the stream.
  return stdout
    .split('\n')
    .map(line => line.trim())
    .filter(isAvdName)
}

/** The names in the AVD home, and those that the emulator itself knows: some setups keep them where only it looks. */
export const allAvdNames = async (deps: EmulatorDeps, options: ObserveOptions = {}): Promise<string[]> => {
  const names = new Set([...avdNames(avdHome(deps.env)), ...(await listedBy(deps, options))])
  return [...names].sort()
}

const exists = async (avdName: string, deps: EmulatorDeps, options: ObserveOptions = {}): Promise<boolean> =>
  hasAvdFiles(avdHome(deps.env), avdName) || (await listedBy(deps, options)).includes(avdName)

/** Running also before the debug bridge lists it, by the lock that the emulator keeps on its AVD. */
export const isRunning = (avdName: string, emulators: readonly ListedEmulator[], deps: EmulatorDeps): boolean =>
  emulators.some(emulator => emulator.avdName === avdName) || lockedBy(avdHome(deps.env), avdName) !== undefined

export const observeAvd = async (
  avdName: string,
  deps: EmulatorDeps,
  options: ObserveOptions = {},
): Promise<Observed> => {
  if (!(await exists(avdName, deps, options))) return { ok: true, finding: 'absent', serial: null }
  const seen = await seeEmulators(deps, options.signal)
  if (!seen.ok) return seen
  const found = seen.emulators.find(emulator => emulator.avdName === avdName)
  const finding = isRunning(avdName, seen.emulators, deps) ? 'running' : 'stopped'
  return { ok: true, finding, serial: found?.serial ?? null }
}

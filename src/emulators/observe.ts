/** One AVD as it is right now: absent, stopped or running, by its files, its process and the debug bridge. */
import { AVD_LIST_MS } from '../contracts/emulator-limits.ts'
import { avdNames, hasAvdFiles, isAvdName, lockedBy } from './avd-files.ts'
import type { EmulatorDeps } from './deps.ts'
import type { EmulatorFailure } from './failure.ts'
import { runTool } from './run-tool.ts'
import { type SeenEmulator, seeEmulators } from './running.ts'
import { avdHome, findTool } from './sdk.ts'

export type Observed =
  | { ok: true; finding: 'absent' | 'stopped' | 'running'; serial: string | null }
  | { ok: false; failure: EmulatorFailure }

const NEVER = new AbortController().signal

export interface LookOptions {
  signal?: AbortSignal | undefined
  /** The request that owns the process, for the cleanup after a dead host. */
  requestId?: string
}

/** The AVDs that `emulator -list-avds` names: nothing when there is no emulator, or when it fails. */
const listedBy = async (
  { env, clock }: EmulatorDeps,
  { signal = NEVER, requestId = 'list' }: LookOptions = {},
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
export const allAvdNames = async (deps: EmulatorDeps, options: LookOptions = {}): Promise<string[]> => {
  const names = new Set([...avdNames(avdHome(deps.env)), ...(await listedBy(deps, options))])
  return [...names].sort()
}

const exists = async (avdName: string, deps: EmulatorDeps, options: LookOptions = {}): Promise<boolean> =>
  hasAvdFiles(avdHome(deps.env), avdName) || (await listedBy(deps, options)).includes(avdName)

/** Running also before the debug bridge lists it, by the lock that the emulator keeps on its AVD. */
export const isRunning = (avdName: string, emulators: readonly SeenEmulator[], deps: EmulatorDeps): boolean =>
  emulators.some(emulator => emulator.avdName === avdName) || lockedBy(avdHome(deps.env), avdName) !== undefined

export const observeAvd = async (avdName: string, deps: EmulatorDeps, options: LookOptions = {}): Promise<Observed> => {
  if (!(await exists(avdName, deps, options))) return { ok: true, finding: 'absent', serial: null }
  const seen = await seeEmulators(deps, options.signal)
  if (!seen.ok) return seen
  const found = seen.emulators.find(emulator => emulator.avdName === avdName)
  const finding = isRunning(avdName, seen.emulators, deps) ? 'running' : 'stopped'
  return { ok: true, finding, serial: found?.serial ?? null }
}

/** One AVD as it is right now: absent, stopped or running, by its files, its process and the debug bridge. */
import { avdNames, hasAvdFiles, lockedBy } from './avd-files.ts'
import type { EmulatorDeps } from './deps.ts'
import type { EmulatorFailure } from './failure.ts'
import { type LookOptions, listedBy } from './list-avds.ts'
import { type SeenEmulator, seeEmulators } from './running.ts'
import { avdHome } from './sdk.ts'

export type Observed =
  | { ok: true; finding: 'absent' | 'stopped' | 'running'; serial: string | null }
  | { ok: false; failure: EmulatorFailure }

/** The names in the AVD home, and those that the emulator itself knows. */
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

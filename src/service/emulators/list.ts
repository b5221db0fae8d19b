/** The AVDs that are configured, merged with what runs. */
import type { ConfiguredAvd, RunningEmulator } from '../../contracts/device/avd.ts'
import { avdFacts, NO_FACTS, unsupportedReasons } from './avd-files.ts'
import { type EmulatorFailure, toolsMissing } from './failure.ts'
import { hostAbis } from './host-abis.ts'
import { allAvdNames, isRunning, type ListedEmulator, seeEmulators } from './running.ts'
import { avdHome, type EmulatorDeps, missingTools } from './sdk.ts'

type Failed = { ok: false; failure: EmulatorFailure }

export const avdOf = (name: string, emulators: readonly ListedEmulator[], deps: EmulatorDeps): ConfiguredAvd => {
  const facts = avdFacts(avdHome(deps.env), name)
  const reasons = unsupportedReasons(facts, hostAbis(deps))
  const running = isRunning(name, emulators, deps)
  return { name, exists: true, running, ...facts, supported: reasons.length === 0, unsupportedReasons: reasons }
}

export const absentAvd = (name: string): ConfiguredAvd => ({
  name,
  exists: false,
  running: false,
  ...NO_FACTS,
  supported: false,
  unsupportedReasons: [],
})

export const configuredAvds = async (
  deps: EmulatorDeps,
  signal?: AbortSignal,
): Promise<{ ok: true; avds: ConfiguredAvd[]; emulators: ListedEmulator[] } | Failed> => {
  const missing = missingTools(['emulator', 'adb'], deps.env)
  if (missing.length > 0) return { ok: false, failure: toolsMissing(missing) }
  const [names, seen] = await Promise.all([allAvdNames(deps, { signal }), seeEmulators(deps, signal)])
  if (!seen.ok) return seen
  const { emulators } = seen
  return { ok: true, avds: names.map(name => avdOf(name, emulators, deps)), emulators }
}

export const runningEmulators = async (
  deps: EmulatorDeps,
  signal?: AbortSignal,
): Promise<{ ok: true; devices: RunningEmulator[] } | Failed> => {
  const missing = missingTools(['adb'], deps.env)
  if (missing.length > 0) return { ok: false, failure: toolsMissing(missing) }
  const seen = await seeEmulators(deps, signal)
  if (!seen.ok) return seen
  const abis = hostAbis(deps)
  const devices = seen.emulators.map(({ serial, avdName, booted }): RunningEmulator => {
    const reasons = unsupportedReasons(avdName === null ? NO_FACTS : avdFacts(avdHome(deps.env), avdName), abis)
    return {
      type: 'emulator',
      avdName: avdName ?? '',
      serial,
      booted,
      supported: reasons.length === 0,
      unsupportedReasons: reasons,
    }
  })
  return { ok: true, devices }
}

/** The ports of the machine `provision`: what runs and exists is looked up; AVDs are made and started by their own actors. */
import type { ProvisionInput } from '../../../machines/provision.ts'
import type { ConfiguredAvd } from '../../contracts/device/avd.ts'
import { EMULATOR_POLL_MS } from '../../contracts/limits/emulator-limits.ts'
import { pause } from '../../runtime/clock.ts'
import type { Port, Ports, PortTools } from '../../runtime/port.ts'
import { askEmulator, type Changed, isStart, stateOf, waitUntilIdle } from './ask-emulator.ts'
import { byPreference } from './avd-files.ts'
import { type EmulatorFailure, emulatorFailure, failedWith, toolsMissing } from './failure.ts'
import { hostAbis } from './host-abis.ts'
import { configuredAvds } from './list.ts'
import { isRunning, seeEmulators } from './running.ts'
import { type EmulatorServiceDeps, missingTools } from './sdk.ts'

/** A supported AVD is in the way only of a request that names another ABI. */
const detailsOf = ({ name, supported, unsupportedReasons }: ConfiguredAvd) => ({
  avdName: name,
  unsupportedReasons: supported ? ['unsupported_abi'] : unsupportedReasons,
  hint: `Name another storage size, so that the AVD gets another name, or delete this one: \`DELETE /android/emulators/${name}\`.`,
})

/** Somebody else made it, started it or is at it: what there is has to be looked up again. */
const isOthers = (changed: Changed): boolean =>
  !changed.ok && ['EMULATOR_BUSY', 'EMULATOR_ALREADY_EXISTS', 'EMULATOR_ALREADY_RUNNING'].includes(changed.failure.code)

export const provisionPorts = (deps: EmulatorServiceDeps): Ports => {
  const { env, clock } = deps

  /** An AVD that is being made has files already, and half of its facts. */
  const settle = async (avdName: string, signal: AbortSignal) => {
    await waitUntilIdle(avdName, deps, signal)
    if (stateOf(avdName, deps) === 'resting.unclear') {
      await askEmulator({ avdName, ask: 'repair', event: { resume: false } }, deps)
    }
  }

  const isComingUp = (avdName: string) =>
    /^busy\.(starting|observing)/.test(stateOf(avdName, deps) ?? '') || isStart(avdName, deps)

  /** An AVD of it would be made, and never start. */
  const refusalOf = (abi: string): EmulatorFailure | undefined => {
    const abis = hostAbis(deps)
    if (abis.includes(abi)) return undefined
    const message = `No emulator of the ABI ${abi} can run on this host, which runs ${abis.join(' and ')}.`
    const details = { abi, hostAbi: abis[0], unsupportedReasons: ['unsupported_abi'] }
    const hint = `Leave the ABI out, or name ${abis[0]}.`
    return emulatorFailure('EMULATOR_UNSUPPORTED', message, { ...details, hint })
  }

  const lookUp: Port<ProvisionInput> = async ({ request }, tools) => {
    const { send, signal } = tools
    const derived = request?.derivedName ?? ''
    const named = request?.abi ?? null
    const refusal = named === null ? undefined : refusalOf(named)
    if (refusal) return failedWith(tools, refusal)
    const missing = missingTools(['emulator', 'adb'], env)
    if (missing.length > 0) return failedWith(tools, toolsMissing(missing))
    if (stateOf(derived, deps)?.match(/^(resting\.unclear|busy\.(installing|creating|undoing))/)) {
      await settle(derived, signal)
    }
    const listed = await configuredAvds(deps, signal)
    if (!listed.ok) return failedWith(tools, listed.failure)
    const { avds, emulators } = listed
    const isFit = ({ supported, abi }: ConfiguredAvd) => supported && (named === null || abi === named)
    const inOrder = avds.filter(isFit).sort((one, other) => byPreference(derived)(one.name, other.name))
    const emulatorOf = (name: string) => emulators.find(({ avdName }) => avdName === name)
    // One that another request brings up, or brought up until its process died, is joined by starting it.
    const up = inOrder.filter(({ running }) => running)
    const first = up.find(({ name }) => emulatorOf(name)?.booted) ?? up[0]
    const isJoined = first !== undefined && !emulatorOf(first.name)?.booted && isComingUp(first.name)
    const running = isJoined ? undefined : first
    const startable = isJoined ? first.name : (inOrder.find(avd => !avd.running)?.name ?? null)
    const taken = avds.find(avd => avd.name === derived && !isFit(avd))
    await send({
      type: 'emulators.looked-up',
      running: running
        ? {
            avdName: running.name,
            serial: emulatorOf(running.name)?.serial ?? '',
            booted: emulatorOf(running.name)?.booted ?? false,
          }
        : null,
      startable,
      derivedNameTaken: taken !== undefined,
      details: taken ? detailsOf(taken) : null,
    })
  }

  const changedByOthers = async (avdName: string, { send, signal }: PortTools) => {
    await waitUntilIdle(avdName, deps, signal)
    await pause(clock, EMULATOR_POLL_MS, signal)
    await send({ type: 'emulators.changed' })
  }

  const createAvd: Port<ProvisionInput> = async ({ request, avdName }, tools) => {
    const changed = await askEmulator({ avdName, ask: 'create', event: { spec: request?.spec } }, deps)
    if (isOthers(changed)) return changedByOthers(avdName, tools)
    if (!changed.ok) return failedWith(tools, changed.failure)
    await tools.send({ type: 'avd.created', avdName })
  }

  const startAvd: Port<ProvisionInput> = async ({ request, avdName }, tools) => {
    const changed = await askEmulator({ avdName, ask: 'start', event: { options: request?.options } }, deps)
    if (isOthers(changed)) return changedByOthers(avdName, tools)
    if (!changed.ok) return failedWith(tools, changed.failure)
    const { serial, joined, adopted } = changed
    await tools.send({ type: 'emulator.started', avdName, serial: serial ?? '', joined: joined || adopted })
  }

  const awaitBoot: Port<ProvisionInput> = async ({ request, avdName }, tools) => {
    const { send, signal } = tools
    const limitMs = request?.limits.bootMs ?? 0
    const until = clock.elapsed() + limitMs
    while (clock.elapsed() < until && !signal.aborted) {
      const seen = await seeEmulators(deps, signal)
      const found = seen.ok ? seen.emulators.find(emulator => emulator.avdName === avdName) : undefined
      if (found?.booted) return void (await send({ type: 'emulator.booted', avdName, serial: found.serial }))
      if (seen.ok && !isRunning(avdName, seen.emulators, deps)) return changedByOthers(avdName, tools)
      await pause(clock, EMULATOR_POLL_MS, signal)
    }
    const message = `The emulator of ${avdName} runs, but did not boot within ${Math.round(limitMs / 1_000)} s.`
    const hint = `End it with \`POST /android/emulators/${avdName}/stop\`, and try again.`
    await failedWith(tools, emulatorFailure('EMULATOR_START_FAILED', message, { avdName, hint }))
  }

  return { lookUp, createAvd, startAvd, awaitBoot }
}

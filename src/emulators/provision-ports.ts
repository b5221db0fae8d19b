/** The ports of the machine `provision`: what runs and exists is looked up; AVDs are made and started by their own actors. */
import type { ProvisionInput } from '../../machines/provision.ts'
import { LinkError } from '../adb/link-error.ts'
import { EMULATOR_ASK_MS, EMULATOR_POLL_MS } from '../contracts/limits.ts'
import { pause } from '../runtime/clock.ts'
import type { Port, Ports, PortTools } from '../runtime/port.ts'
import { askEmulator, type Changed, stateOf, untilAtRest } from './ask.ts'
import type { EmulatorServiceDeps } from './deps.ts'
import { type EmulatorFailure, emulatorFailure, toolsMissing } from './failure.ts'
import { byPreference } from './kind.ts'
import { configuredAvds } from './list.ts'
import { hasBooted, seeEmulators } from './running.ts'
import { missingTools } from './sdk.ts'

const failedWith = ({ send }: PortTools, failure: EmulatorFailure) => send({ type: 'tool.failed', ...failure })

/** Somebody else made it, started it or is at it: what there is has to be looked up again. */
const isOthers = (changed: Changed): boolean =>
  !changed.ok && ['EMULATOR_BUSY', 'EMULATOR_ALREADY_EXISTS', 'EMULATOR_ALREADY_RUNNING'].includes(changed.failure.code)

export const provisionPorts = (deps: EmulatorServiceDeps): Ports => {
  const { env, clock } = deps

  /** An AVD that is being made has files already, and half of its facts. */
  const settle = async (avdName: string, signal: AbortSignal) => {
    await untilAtRest(avdName, deps, signal)
    if (stateOf(avdName, deps) === 'resting.unclear') {
      await askEmulator({ avdName, ask: 'repair', event: { resume: false } }, deps)
    }
  }

  const lookUp: Port<ProvisionInput> = async ({ request }, tools) => {
    const { send, signal } = tools
    const derived = request?.derivedName ?? ''
    const missing = missingTools(['emulator', 'adb'], env)
    if (missing.length > 0) return void failedWith(tools, toolsMissing(missing))
    if (stateOf(derived, deps)?.match(/^(resting\.unclear|busy\.(installing|creating|undoing))/)) {
      await settle(derived, signal)
    }
    const listed = await configuredAvds(deps, signal)
    if (!listed.ok) return void failedWith(tools, listed.failure)
    const { avds, emulators } = listed
    const supported = avds.filter(avd => avd.supported)
    const inOrder = supported.map(({ name }) => name).sort(byPreference(derived))
    const running = inOrder
      .map(name => emulators.find(({ avdName }) => avdName === name))
      .find(emulator => emulator !== undefined)
    const startable = inOrder.find(name => !avds.some(avd => avd.name === name && avd.running)) ?? null
    const taken = avds.find(({ name, supported: fits }) => name === derived && !fits)
    await send({
      type: 'emulators.looked-up',
      running: running ? { avdName: running.avdName, serial: running.serial, booted: running.booted } : null,
      startable,
      derivedNameTaken: taken !== undefined,
      details: taken ? { avdName: derived, unsupportedReasons: taken.unsupportedReasons } : null,
    })
  }

  const changedByOthers = async (avdName: string, { send, signal }: PortTools) => {
    await untilAtRest(avdName, deps, signal)
    await pause(clock, EMULATOR_POLL_MS, signal)
    await send({ type: 'emulators.changed' })
  }

  const createAvd: Port<ProvisionInput> = async ({ request, avdName }, tools) => {
    const changed = await askEmulator({ avdName, ask: 'create', event: { spec: request?.spec } }, deps)
    if (isOthers(changed)) return changedByOthers(avdName, tools)
    await (changed.ok ? tools.send({ type: 'avd.created', avdName }) : failedWith(tools, changed.failure))
  }

  const startAvd: Port<ProvisionInput> = async ({ request, avdName }, tools) => {
    const changed = await askEmulator({ avdName, ask: 'start', event: { options: request?.options } }, deps)
    if (isOthers(changed)) return changedByOthers(avdName, tools)
    const { serial, joined } = changed.ok ? changed : { serial: null, joined: false }
    await (changed.ok
      ? tools.send({ type: 'emulator.started', avdName, serial: serial ?? '', joined })
      : failedWith(tools, changed.failure))
  }

  const awaitBoot: Port<ProvisionInput> = async ({ request, avdName, serial }, tools) => {
    const { send, signal } = tools
    const limitMs = request?.limits.bootMs ?? 0
    const until = clock.elapsed() + limitMs
    while (clock.elapsed() < until && !signal.aborted) {
      try {
        const link = await deps.links().get(serial ?? '', { deadline: clock.now() + EMULATOR_ASK_MS, signal })
        if (await hasBooted(link, clock, signal))
          return void send({ type: 'emulator.booted', avdName, serial: serial ?? '' })
      } catch (error) {
        if (!(error instanceof LinkError)) throw error
        const seen = await seeEmulators(deps, signal)
        if (seen.ok && !seen.emulators.some(emulator => emulator.serial === serial))
          return changedByOthers(avdName, tools)
      }
      await pause(clock, EMULATOR_POLL_MS, signal)
    }
    const message = `The emulator ${serial} of ${avdName} runs, but did not boot within ${Math.round(limitMs / 1_000)} s.`
    await failedWith(
      tools,
      emulatorFailure('EMULATOR_START_FAILED', message, {
        serial,
        hint: `End it with svc emulators stop ${avdName}, and try again.`,
      }),
    )
  }

  return { lookUp, createAvd, startAvd, awaitBoot }
}

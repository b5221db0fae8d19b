/** The ports of the machine `emulator` that bring an emulator up, and end it. */
import type {
  ProcessInput,
  SerialInput,
  ShutdownInput,
  SpawnInput,
} from '../../../machines/emulator/emulator-context.ts'
import { EMULATOR_ALIVE_POLL_MS, EMULATOR_ASK_MS, EMULATOR_POLL_MS } from '../../contracts/limits/emulator-limits.ts'
import { LinkError } from '../../device/link/link.ts'
import { pause } from '../../runtime/clock.ts'
import type { Port } from '../../runtime/port.ts'
import { isAlive, type ProcessIdentity, startOf } from '../../runtime/processes/processes.ts'
import { lockedBy } from './avd-files.ts'
import { consoleKill } from './console.ts'
import { emulatorFailure, failedWith, toolsMissing } from './failure.ts'
import { abiProblem } from './host-abis.ts'
import { endProcess, exitOf, isExitUnknown, launchEmulator, logTail } from './process.ts'
import { endGroup } from './run-tool.ts'
import { consolePort, hasBooted, seeEmulators } from './running.ts'
import { avdHome, type EmulatorDeps, findTool, missingTools } from './sdk.ts'

const ENABLE = 'settings put global development_settings_enabled 1 && settings put global adb_enabled 1'

/** On a busy machine, the last thread of an emulator may take this long to end. */
const EXIT_TOLD_MS = 2_000

export const startPorts = (deps: EmulatorDeps) => {
  const { env, clock } = deps

  const spawn: Port<SpawnInput> = async ({ avdName, requestId, options }, tools) => {
    const missing = missingTools(['emulator', 'adb'], env)
    const path = findTool('emulator', env)
    if (missing.length > 0 || path === undefined) return failedWith(tools, toolsMissing(missing))
    const started = { path, avdName, requestId, options: options ?? { wipe: false, window: true } }
    const launched = await launchEmulator(started, deps)
    if (!launched.ok) return failedWith(tools, launched.failure)
    const isRecorded = await tools.send({ type: 'process.spawned', ...launched.process })
    // One that nobody knows of would run on for ever.
    if (!isRecorded) await endProcess(launched.process, clock)
  }

  /** Noticed within a moment, and not when a deadline has passed. */
  const alive: Port<ProcessInput> = async ({ avdName, process }, { send, signal }) => {
    while (process && isAlive(process)) {
      await pause(clock, EMULATOR_ALIVE_POLL_MS, signal)
      if (signal.aborted) return
    }
    // Ends the processes that the emulator had started.
    if (process) endGroup(process.pid, 'SIGKILL')
    const deadline = clock.elapsed() + EXIT_TOLD_MS
    while (process && isExitUnknown(process) && clock.elapsed() < deadline && !signal.aborted) {
      await pause(clock, EMULATOR_ALIVE_POLL_MS, signal)
    }
    const exit = process && exitOf(process)
    const output = process ? logTail(process.log) : ''
    const abi = abiProblem(avdName, output, deps)
    const ended = `The emulator of ${avdName} ended while it was starting${exit ? ` (${exit})` : ''}`
    const message = `${ended}${abi ? `: ${abi.said}` : ''}.`
    await send({ type: 'process.died', message, details: { log: process?.log ?? null, output, ...abi?.details } })
  }

  const register: Port<ProcessInput> = async ({ avdName }, tools) => {
    const { send, signal } = tools
    while (!signal.aborted) {
      const seen = await seeEmulators(deps, signal)
      const found = seen.ok ? seen.emulators.find(emulator => emulator.avdName === avdName) : undefined
      if (found) return void (await send({ type: 'emulator.registered', serial: found.serial }))
      if (!seen.ok && seen.failure.code === 'ANDROID_SDK_TOOL_MISSING') return failedWith(tools, seen.failure)
      await pause(clock, EMULATOR_POLL_MS, signal)
    }
  }

  /** Repeats what the device refuses or does not answer yet, until the deadline of the phase. */
  const untilDone = async (
    signal: AbortSignal,
    attempt: () => Promise<boolean>,
    isOver = () => false,
  ): Promise<boolean> => {
    while (!signal.aborted && !isOver()) {
      try {
        if (await attempt()) return !signal.aborted
      } catch (error) {
        if (!(error instanceof LinkError)) throw error
      }
      await pause(clock, EMULATOR_POLL_MS, signal)
    }
    return false
  }

  const linkOf = (serial: string | null, signal: AbortSignal) =>
    deps.links().get(serial ?? '', { deadline: clock.now() + EMULATOR_ASK_MS, signal })

  const boot: Port<SerialInput> = async ({ serial }, { send, signal }) => {
    const isDone = await untilDone(signal, async () => hasBooted(await linkOf(serial, signal), clock, signal))
    if (isDone) await send({ type: 'boot.completed' })
  }

  const prepare: Port<SerialInput> = async ({ serial }, { send, signal }) => {
    const isDone = await untilDone(signal, async () => {
      const link = await linkOf(serial, signal)
      let exitCode = 1
      const owned = await deps.owned(link, async () => {
        ;({ exitCode } = await link.shell(ENABLE, { deadline: clock.now() + EMULATOR_ASK_MS, signal }))
      })
      // Whoever reserved it has it as it is: a start that failed for that would end the emulator.
      return exitCode === 0 || owned === 'reserved'
    })
    if (isDone) await send({ type: 'settings.enabled' })
  }

  const abandon: Port<ProcessInput> = async ({ avdName, process }, { send }) => {
    const output = process ? logTail(process.log) : ''
    const isGone = !process || (await endProcess(process, clock))
    const left = isGone
      ? {}
      : { pid: process?.pid, hint: `End process ${process?.pid} by hand: it did not end on SIGKILL.` }
    const abi = abiProblem(avdName, output, deps)?.details
    await send({ type: 'process.ended', details: { log: process?.log ?? null, output, ...abi, ...left } })
  }

  /** The process of the emulator: the one that was started here, or the one that has locked the AVD. */
  const processOf = ({ avdName, process }: ShutdownInput): ProcessIdentity | undefined => {
    if (process && isAlive(process)) return process
    const pid = lockedBy(avdHome(env), avdName)
    const started = pid === undefined ? undefined : startOf(pid)
    return pid === undefined || started === undefined ? undefined : { pid, started }
  }

  const shutdown: Port<ShutdownInput> = async (input, tools) => {
    const { avdName, serial, until } = input
    const { send, signal } = tools
    const ends = clock.elapsed() + until - clock.now()
    const port = serial === null ? undefined : consolePort(serial)
    const known = processOf(input)
    const killAnswer =
      port === undefined ? 'unreachable' : await consoleKill({ port, env, clock, timeoutMs: EMULATOR_ASK_MS, signal })
    if (killAnswer === 'refused') {
      const message = `The console of ${serial} refuses to end the emulator.`
      const hint = 'The token in ~/.emulator_console_auth_token must be the one that the emulator was started with.'
      return failedWith(tools, emulatorFailure('EMULATOR_STOP_FAILED', message, { serial, hint }))
    }
    // A console that does not answer is passed over.
    if ((killAnswer === 'unreachable' || killAnswer === 'silent') && known && isAlive(known) && !signal.aborted) {
      tell(known.pid)
    }
    const isGone = await untilDone(
      signal,
      async () => {
        if (known && isAlive(known)) return false
        const seen = await seeEmulators(deps, signal)
        if (!seen.ok || lockedBy(avdHome(env), avdName) !== undefined) return false
        // The adb server lists it for a moment after its end, when nothing tells its name any more.
        return !seen.emulators.some(other => (other.avdName ?? (other.serial === serial ? avdName : null)) === avdName)
      },
      () => clock.elapsed() >= ends,
    )
    if (isGone) return void (await send({ type: 'emulator.gone' }))
    const left = known ? { pid: known.pid, hint: `End process ${known.pid}, and try again.` } : {}
    const message = `The emulator of ${avdName} was told to stop, but is still running.`
    await failedWith(tools, emulatorFailure('EMULATOR_STOP_FAILED', message, { serial, ...left }))
  }

  return { spawn, alive, register, boot, prepare, abandon, shutdown }
}

/** The emulator ends itself properly on this signal, as it does when its window is closed. */
const tell = (pid: number) => {
  try {
    process.kill(pid, 'SIGTERM')
  } catch {
    // The emulator is gone.
  }
}

/** The ports of the machine `emulator`: each does one phase with the tools of the SDK and says what came of it. */
import type {
  AvdInput,
  BoundedInput,
  CreateInput,
  ProcessInput,
  RepairInput,
  SerialInput,
  ShutdownInput,
  SpawnInput,
} from '../../machines/emulator-context.ts'
import { LinkError } from '../adb/link-error.ts'
import { EMULATOR_ALIVE_POLL_MS, EMULATOR_ASK_MS, EMULATOR_POLL_MS } from '../contracts/limits.ts'
import { pause } from '../runtime/clock.ts'
import { deadlinePort } from '../runtime/deadline.ts'
import { messageOf } from '../runtime/message-of.ts'
import type { Port, Ports, PortTools } from '../runtime/port.ts'
import { isAlive } from '../runtime/processes.ts'
import { hasAvdFiles, hasAvdLeftovers, lockedBy, removeAvdFiles, setStorage } from './avd-files.ts'
import { consoleKill } from './console.ts'
import type { EmulatorDeps } from './deps.ts'
import { type EmulatorFailure, emulatorFailure, toolsMissing } from './failure.ts'
import { installImage } from './images.ts'
import { observeAvd } from './observe.ts'
import { endProcess, exitOf, launchEmulator, logTail } from './process.ts'
import { repairLeftovers } from './repair.ts'
import { runTool, type ToolRun, toolFailure } from './run-tool.ts'
import { consolePort, hasBooted, seeEmulators } from './running.ts'
import { avdHome, findTool, missingTools, type SdkTool } from './sdk.ts'

const failedWith = ({ send }: PortTools, failure: EmulatorFailure) => send({ type: 'tool.failed', ...failure })

type ToolCall = { tool: SdkTool; input: BoundedInput; tools: PortTools }

export const emulatorPorts = (deps: EmulatorDeps): Ports => {
  const { env, clock } = deps
  const home = avdHome(env)

  /** Undefined, and said so, when it is missing. */
  const toolBase = ({ tool, input: { requestId, until }, tools }: ToolCall) => {
    const path = findTool(tool, env)
    if (path === undefined) return undefined
    const { send, signal } = tools
    const onSpawned: ToolRun['onSpawned'] = ({ pid, started }) =>
      void send({ type: 'tool.spawned', tool, pid, started })
    return { tool, path, env, clock, until, signal, requestId, onSpawned }
  }

  const observe: Port<RepairInput> = async (input, tools) => {
    const { avdName, cut } = input
    if (cut) await tools.send({ type: 'leftovers.repaired', ...(await repairLeftovers(input, cut, deps)) })
    const seen = await observeAvd(avdName, deps, tools.signal)
    await (seen.ok
      ? tools.send({ type: 'avd.observed', finding: seen.finding, serial: seen.serial })
      : failedWith(tools, seen.failure))
  }

  const install: Port<CreateInput> = async (input, tools) => {
    const missing = missingTools(['sdkmanager', 'avdmanager'], env)
    const base = toolBase({ tool: 'sdkmanager', input, tools })
    if (missing.length > 0 || !base) return void failedWith(tools, toolsMissing(missing))
    const installed = await installImage(base, input.spec?.image ?? '', progress => {
      void tools.send({ type: 'image.progressed', ...progress })
    })
    await (installed.ok ? tools.send({ type: 'image.installed' }) : failedWith(tools, installed.failure))
  }

  const create: Port<CreateInput> = async (input, tools) => {
    const { avdName, spec } = input
    if (hasAvdFiles(home, avdName)) return void tools.send({ type: 'avd.taken' })
    const base = toolBase({ tool: 'avdmanager', input, tools })
    if (!base) return void failedWith(tools, toolsMissing(['avdmanager']))
    const args = [
      'create',
      'avd',
      '--name',
      avdName,
      '--package',
      spec?.image ?? '',
      '--device',
      spec?.deviceProfile ?? '',
    ]
    const end = await runTool({ ...base, args, stdin: 'no\n' })
    const what = `The AVD ${avdName} could not be made`
    if (end.problem !== undefined) {
      if (/already exists/i.test(end.output)) return void tools.send({ type: 'avd.taken' })
      return void failedWith(tools, toolFailure('ANDROID_AVD_CREATE_FAILED', what, { tool: 'avdmanager', args }, end))
    }
    try {
      setStorage(home, avdName, spec?.storageGb ?? 0)
    } catch (error) {
      const message = `${what}: its storage size could not be set: ${messageOf(error)}.`
      return void failedWith(tools, emulatorFailure('ANDROID_AVD_CREATE_FAILED', message))
    }
    await tools.send({ type: 'avd.created' })
  }

  const undo: Port<AvdInput> = async ({ avdName }, { send }) => {
    removeAvdFiles(home, avdName)
    await send({ type: 'avd.undone' })
  }

  const spawn: Port<SpawnInput> = async ({ avdName, requestId, options }, tools) => {
    const missing = missingTools(['emulator', 'adb'], env)
    const path = findTool('emulator', env)
    if (missing.length > 0 || path === undefined) return void failedWith(tools, toolsMissing(missing))
    const started = { path, avdName, requestId, options: options ?? { wipe: false, window: true } }
    const launched = await launchEmulator(started, deps)
    await (launched.ok
      ? tools.send({ type: 'process.spawned', ...launched.process })
      : failedWith(tools, launched.failure))
  }

  /** Noticed within a moment, and not when a deadline has passed. */
  const alive: Port<ProcessInput> = async ({ avdName, process }, { send, signal }) => {
    while (process && isAlive(process)) {
      await pause(clock, EMULATOR_ALIVE_POLL_MS, signal)
      if (signal.aborted) return
    }
    const exit = process && exitOf(process)
    const output = process ? logTail(process.log) : ''
    const message = `The emulator of ${avdName} ended while it was starting${exit ? ` (${exit})` : ''}.`
    await send({ type: 'process.died', message, details: { log: process?.log ?? null, output } })
  }

  const register: Port<ProcessInput> = async ({ avdName }, tools) => {
    const { send, signal } = tools
    for (;;) {
      const seen = await seeEmulators(deps, signal)
      const found = seen.ok ? seen.emulators.find(emulator => emulator.avdName === avdName) : undefined
      if (signal.aborted) return
      if (found) return void send({ type: 'emulator.registered', serial: found.serial })
      if (!seen.ok && seen.failure.code === 'ANDROID_SDK_TOOL_MISSING') return void failedWith(tools, seen.failure)
      await pause(clock, EMULATOR_POLL_MS, signal)
      if (signal.aborted) return
    }
  }

  /** What the device refuses or does not answer yet is asked again, until the deadline of the phase. */
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
      await deps.owned(link, async () => {
        ;({ exitCode } = await link.shell(ENABLE, { deadline: clock.now() + EMULATOR_ASK_MS, signal }))
      })
      return exitCode === 0
    })
    if (isDone) await send({ type: 'settings.enabled' })
  }

  const abandon: Port<ProcessInput> = async ({ process }, { send }) => {
    const output = process ? logTail(process.log) : ''
    const isGone = !process || (await endProcess(process, clock))
    const left = isGone ? {} : { pid: process?.pid, hint: `End process ${process?.pid}: it does not heed SIGKILL.` }
    await send({ type: 'process.ended', details: { log: process?.log ?? null, output, ...left } })
  }

  const shutdown: Port<ShutdownInput> = async ({ avdName, process, serial, until }, tools) => {
    const { send, signal } = tools
    const port = serial === null ? undefined : consolePort(serial)
    const asked =
      port === undefined ? 'unreachable' : await consoleKill({ port, env, clock, timeoutMs: EMULATOR_ASK_MS, signal })
    if (asked === 'refused') {
      const message = `The console of ${serial} refuses to end the emulator.`
      const hint = 'The token in ~/.emulator_console_auth_token must be the one that the emulator was started with.'
      return void failedWith(tools, emulatorFailure('EMULATOR_STOP_FAILED', message, { serial, hint }))
    }
    const known = process && isAlive(process) ? process : undefined
    // Without a console, the process that was started here can be told by itself.
    if (asked === 'unreachable' && known) endGroupOf(known.pid)
    const isGone = await untilDone(
      signal,
      async () => {
        if (known && isAlive(known)) return false
        const seen = await observeAvd(avdName, deps, signal)
        return seen.ok && seen.finding !== 'running'
      },
      () => clock.now() >= until,
    )
    if (isGone) return void send({ type: 'emulator.gone' })
    const pid = known?.pid ?? lockedBy(home, avdName)
    const details = {
      serial,
      ...(pid === undefined ? {} : { pid, hint: `End process ${pid}, and try again.` }),
    }
    const message = `The emulator of ${avdName} was told to end, and still runs.`
    await failedWith(tools, emulatorFailure('EMULATOR_STOP_FAILED', message, details))
  }

  const remove: Port<BoundedInput> = async (input, tools) => {
    const { avdName } = input
    const base = toolBase({ tool: 'avdmanager', input, tools })
    if (!base) return void failedWith(tools, toolsMissing(['avdmanager']))
    const args = ['delete', 'avd', '--name', avdName]
    const end = await runTool({ ...base, args })
    // It does not know an AVD whose files are damaged, and leaves those of others behind.
    const isUnknown = /no android virtual device|cannot find|could not be loaded|not found/i.test(end.output)
    if (end.problem === undefined || isUnknown) removeAvdFiles(home, avdName)
    if (!hasAvdLeftovers(home, avdName)) return void tools.send({ type: 'avd.deleted' })
    const what = `The AVD ${avdName} could not be deleted`
    await failedWith(tools, toolFailure('ANDROID_AVD_DELETE_FAILED', what, { tool: 'avdmanager', args }, end))
  }

  const deadline = deadlinePort(clock) as Port
  return {
    observe,
    install,
    create,
    undo,
    spawn,
    alive,
    register,
    boot,
    prepare,
    abandon,
    shutdown,
    remove,
    deadline,
  }
}

const ENABLE = 'settings put global development_settings_enabled 1 && settings put global adb_enabled 1'

const endGroupOf = (pid: number) => {
  try {
    process.kill(-pid, 'SIGTERM')
  } catch {
    // It is gone.
  }
}

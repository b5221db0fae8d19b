/** Runs a tool of the SDK to its end without a shell: its time and its output are bounded, and its whole group, marked so that it can be found, ends with it. */
import { spawn } from 'node:child_process'
import {
  SDK_OUTPUT_CHARS_KEPT,
  SDK_OUTPUT_CHARS_MAX,
  TOOL_KILL_GRACE_MS,
} from '../../contracts/limits/emulator-limits.ts'
import type { Clock, Timer } from '../../runtime/clock.ts'
import { sharedChildEnv } from '../../runtime/processes/child-env.ts'
import { commandLineOf, markedPids } from '../../runtime/processes/process-list.ts'
import { type ProcessIdentity, startOf } from '../../runtime/processes/processes.ts'
import type { EmulatorFailure } from './failure.ts'
import type { Environment, SdkTool } from './sdk.ts'

export const EMULATOR_REQUEST_ENV = 'SVC_EMULATOR_REQUEST'

/** The oldest first. Where none can be found, only what was recorded is known. */
export const processesOf = (requestId: string): ProcessIdentity[] =>
  markedPids({ name: EMULATOR_REQUEST_ENV, value: requestId }).flatMap(pid => {
    const started = startOf(pid)
    return started === undefined ? [] : [{ pid, started }]
  })

/** True when the command line of the process is that of the AVD's emulator. */
export const isEmulatorOf = (pid: number, avdName: string): boolean => {
  const words = commandLineOf(pid)
  const at = words.indexOf('-avd')
  return words.includes(`@${avdName}`) || (at >= 0 && words[at + 1] === avdName)
}

export interface ToolRun {
  tool: SdkTool
  path: string
  args: readonly string[]
  env: Environment
  clock: Clock
  /** When it is ended, in epoch ms. */
  until: number
  /** Ends it at once. */
  signal: AbortSignal
  /** Marks its processes as those of this request. */
  requestId: string
  stdin?: string
  onSpawned?: ((identity: ProcessIdentity) => void) | undefined
  /** Hears the tool's output as it comes. */
  onText?: ((text: string) => void) | undefined
}

interface ToolEnd {
  /** Why it counts as failed; undefined when it exited with 0. */
  problem: string | undefined
  exitCode: number | null
  stdout: string
  /** The end of all that it printed. */
  output: string
}

/** After the exit, for pipes that a grandchild still holds. */
const CLOSE_GRACE_MS = 500

export const endGroup = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(-pid, signal)
  } catch {
    // The group is gone.
  }
}

export const runTool = (run: ToolRun): Promise<ToolEnd> =>
  new Promise(resolve => {
    const { path, args, clock, until, signal } = run
    const child = spawn(path, args, {
      env: { ...sharedChildEnv(run.env), [EMULATOR_REQUEST_ENV]: run.requestId },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    })
    let stdout = ''
    let output = ''
    let problem: string | undefined
    let isOver = false
    const take = (text: string) => {
      output = (output + text).slice(-SDK_OUTPUT_CHARS_KEPT)
      run.onText?.(text)
    }
    const settle = (end: Pick<ToolEnd, 'problem' | 'exitCode'>) => {
      if (isOver) return
      isOver = true
      deadline.cancel()
      kill?.cancel()
      grace?.cancel()
      signal.removeEventListener('abort', leave)
      child.stdout.destroy()
      child.stderr.destroy()
      resolve({ ...end, stdout, output })
    }
    let kill: Timer | undefined
    let grace: Timer | undefined
    const end = (why: string) => {
      problem ??= why
      if (child.pid === undefined || kill) return
      const { pid } = child
      endGroup(pid, 'SIGTERM')
      kill = clock.at(clock.now() + TOOL_KILL_GRACE_MS, () => endGroup(pid, 'SIGKILL'))
    }
    const limitMs = until - clock.now()
    const deadline = clock.at(until, () => end(`did not end within ${Math.round(limitMs / 1_000)} s`))
    const leave = () => end('was cancelled')
    signal.addEventListener('abort', leave, { once: true })
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (stdout.length < SDK_OUTPUT_CHARS_MAX) stdout += text
      take(text)
    })
    child.stderr.setEncoding('utf8').on('data', take)
    child.stdin.on('error', () => {})
    child.stdin.end(run.stdin ?? '')
    child.once('error', error => settle({ problem: `could not be started: ${error.message}`, exitCode: null }))
    child.once('exit', (code, killedBy) => {
      if (child.pid !== undefined) endGroup(child.pid, 'SIGKILL')
      const failed = code === 0 ? undefined : `ended with ${killedBy ?? `exit code ${code}`}`
      const over = () => settle({ problem: problem ?? failed, exitCode: code })
      child.once('close', over)
      grace = clock.at(clock.now() + CLOSE_GRACE_MS, over)
    })
    if (signal.aborted) leave()
    const started = child.pid === undefined ? undefined : startOf(child.pid)
    if (child.pid !== undefined && started !== undefined) run.onSpawned?.({ pid: child.pid, started })
  })

const HINTS: readonly (readonly [RegExp, string])[] = [
  [/licen[cs]e/i, 'Accept the licences with sdkmanager --licenses.'],
  [/no space left/i, 'Free space on the disk of the SDK and of the AVD home, and try again.'],
  [/failed to find package|package path is not valid/i, 'List the available images with sdkmanager --list.'],
  [
    /device.*(not found|unknown|invalid)|no device found/i,
    'List the available profiles with avdmanager list device -c.',
  ],
  [/java_home|no ['"]?java['"]? command|unsupportedclassversion/i, 'Install Java 17 or newer, or set JAVA_HOME.'],
  [/connection|timed out|unknownhost|download/i, 'Check the network, and try again.'],
]

/** Carriage returns draw over what was there; what a person would have seen last counts. */
export const shownText = (output: string): string =>
  output
    .split('\n')
    .map(line => line.replace(/\r+$/, '').split('\r').at(-1) ?? '')
    .filter(line => line.trim() !== '')
    .join('\n')

/** Describes the failure of a tool. */
export const toolFailure = (
  code: EmulatorFailure['code'],
  what: string,
  { tool, args }: Pick<ToolRun, 'tool' | 'args'>,
  { problem, exitCode, output }: ToolEnd,
): EmulatorFailure => {
  const text = shownText(output)
  const hint = HINTS.find(([pattern]) => pattern.test(text))?.[1]
  return {
    code,
    message: `${what}: ${tool} ${problem ?? 'reported success'}.`,
    details: { tool, args, exitCode, output: text, ...(hint === undefined ? {} : { hint }) },
  }
}

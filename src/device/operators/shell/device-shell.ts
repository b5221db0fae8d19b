/** Command lines of one execution on the device's shell: their deadlines, and how a refusal is told from success. */

import type { FailureCode } from '../../../contracts/failures/failures.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { type CallOptions, type Link, LinkError, type ShellResult } from '../../link/link.ts'
import { OUTPUT_BYTES_MAX } from '../../link/link-limits.ts'
import { StepFailure } from '../../screen/step-failure.ts'

export interface ShellOptions {
  clock: Clock
  /** When the time of the execution is over, in epoch ms; no call outlasts it. */
  deadline: number
  signal: AbortSignal
}

/** The time for a command that should answer at once. A device that needs longer is stuck. */
export const CALL_MS = 10_000
const REASON_CHARS_MAX = 200

/**
 * The tools of the device exit with 0 on many of their errors, and print them on either stream. Only the beginning of a
 * line counts: `am` prints the intent it was given, and that may hold any words.
 */
const COMPLAINT =
  /^[ \t]*(?:error\b|usage:|exception occurred\b|security ?exception\b|java\.lang\.SecurityException\b|\S*sh: .*(?:not found|inaccessible)).*$/im
/** Some makers' tools print the traces of exceptions that they have dealt with, so these count only beside an exit code. */
const EXCEPTION = /^[ \t]*(?:exception\b|[\w.$]+exception\b).*$/im

/**
 * On some versions a tool ends with 0 and the trace of what it died of: then the exception was thrown by the tool itself,
 * or by the code of the system that carries out its command.
 */
const DIED =
  /^[ \t]*(?:exception\b.{0,200}?)?((?:java|android)\.[\w.$]+(?:exception|error)\b.*)\r?\n[ \t]+at (?:com\.android\.commands\.|com\.android\.server\.[\w.$]*ShellCommand\b).*$/im
/** The exception that follows the announcement of one. */
const ANNOUNCED = /^[ \t]*exception occurred\b.*\r?\n[ \t]*([\w.$]+(?:exception|error)\b.*)$/im
/** The shell's word for a tool that a signal ended; an old link has no exit code to tell it by. */
const SIGNALLED = /^[ \t]*(?:killed|aborted|segmentation fault)[ \t\r]*$/im

/** The complaint of the command, on one line; undefined when it succeeded. A link without exit codes answers 0. */
export const complaintOf = ({ exitCode, stdout, stderr }: ShellResult): string | undefined => {
  const complaint = (pattern: RegExp) => {
    const found = pattern.exec(stderr) ?? pattern.exec(stdout)
    return found?.[1] ?? found?.[0]
  }
  const problem =
    complaint(ANNOUNCED) ??
    complaint(COMPLAINT) ??
    complaint(DIED) ??
    complaint(SIGNALLED) ??
    (exitCode === 0 ? undefined : complaint(EXCEPTION))
  if (problem === undefined && exitCode === 0) return undefined
  const line = (problem ?? stderr.trim().split('\n')[0] ?? '').trim() || `exit code ${exitCode}`
  return line.slice(0, REASON_CHARS_MAX)
}

/** Some makers let nobody inject events until a second switch is on, and say so in no other way. */
const withHint = (complaint: string) =>
  complaint.includes('INJECT_EVENTS') ? `${complaint}; switch on "USB debugging (Security settings)"` : complaint

export const isTimeout = (error: unknown): boolean => error instanceof LinkError && error.code === 'LINK_TIMEOUT'

/** More than an answer can have is the failure of the step that asked for it, where that has a code for it. */
export const tooLargeAs =
  (code: FailureCode) =>
  (error: unknown): never => {
    if (error instanceof LinkError && error.code === 'DEVICE_OUTPUT_TOO_LARGE')
      throw new StepFailure(code, error.message)
    throw error
  }

export interface AskOptions {
  /** Added to what an immediate answer may take. */
  ms?: number | undefined
  /** When the answer is of no use any more, in epoch ms. */
  until?: number | undefined
  maxBytes?: number
}

export interface DeviceShell {
  /** Whatever the command answers. */
  ask(command: string, options?: AskOptions): Promise<ShellResult>
  /** Throws a StepFailure with this code when the command complains. */
  insist(command: string, code: FailureCode, ms?: number): Promise<true>
  readonly options: ShellOptions
}

export const deviceShell = (link: Link, options: ShellOptions): DeviceShell => {
  const { clock, deadline, signal } = options
  const call = (ms: number, until = Number.POSITIVE_INFINITY): CallOptions => ({
    deadline: Math.min(deadline, until, clock.now() + CALL_MS + ms),
    signal,
  })
  const ask = (command: string, { ms = 0, until, maxBytes = OUTPUT_BYTES_MAX.report }: AskOptions = {}) =>
    link.shell(command, { ...call(ms, until), maxBytes })
  return {
    options,
    ask,
    insist: async (command, code, ms) => {
      const complaint = complaintOf(await ask(command, { ms }).catch(tooLargeAs(code)))
      if (complaint === undefined) return true
      throw new StepFailure(code, `the device refused: ${withHint(complaint)}`)
    },
  }
}

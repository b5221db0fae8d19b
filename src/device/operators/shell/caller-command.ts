/** The action shell: one command line of the caller, ended on the phone when nobody waits for it any more. */

import { SHELL_OUTPUT_BYTES_MAX } from '../../../contracts/limits/shell-limits.ts'
import { quote } from '../../../runtime/text/quote.ts'
import { type Link, LinkError } from '../../link/link.ts'
import { OUTPUT_BYTES_MAX } from '../../link/link-limits.ts'
import { StepFailure } from '../../screen/step-failure.ts'
import { isTimeout, type ShellOptions } from './device-shell.ts'

export interface CallerCommandOptions extends ShellOptions {
  link: Link
}

const KILL_MS = 2_000
/** The pid of the shell, which is that of its process group too: a line of its own in front of all output. */
const PID_CHARS_MAX = 11
const PID = /^(\d{1,10})\r?\n/

/** The shell tells its pid and becomes the one that runs the command, so a syntax error in there is that one's. */
const toldLine = (command: string): string => `echo $$; exec sh -c ${quote(command)} </dev/null`

interface KeptOutput {
  append(piece: Uint8Array): void
  /** A character that the bound cuts in two is left out. */
  text(): string
  /** All that came, kept or not. */
  bytes(): number
  isCut(): boolean
}

const keptOutput = (keepBytes: number): KeptOutput => {
  const pieces: Buffer[] = []
  let kept = 0
  let seen = 0
  return {
    append(piece) {
      seen += piece.length
      const taken = Buffer.from(piece.subarray(0, Math.max(0, keepBytes - kept)))
      kept += taken.length
      if (taken.length > 0) pieces.push(taken)
    },
    text: () => new TextDecoder().decode(Buffer.concat(pieces), { stream: seen > kept }),
    bytes: () => seen,
    isCut: () => seen > kept,
  }
}

interface CommandOutput {
  pid: string | undefined
  data: Record<string, string>
}

/** The first line of stdout is ours. Streams that are longer than the bound are told with their whole length. */
const outputOf = (stdout: KeptOutput, stderr: KeptOutput): CommandOutput => {
  const [line = '', pid] = PID.exec(stdout.text()) ?? []
  const sizes = { stdout_bytes: String(stdout.bytes() - line.length), stderr_bytes: String(stderr.bytes()) }
  return {
    pid,
    data: {
      stdout: stdout.text().slice(line.length),
      stderr: stderr.text(),
      ...(stdout.isCut() || stderr.isCut() ? { truncated: 'true', ...sizes } : {}),
    },
  }
}

/** With all that it has started and not put into a group of its own. */
const endOnPhone = async ({ link, clock }: CallerCommandOptions, pid: string | undefined): Promise<void> => {
  if (pid === undefined) return
  const options = { deadline: clock.now() + KILL_MS, maxBytes: OUTPUT_BYTES_MAX.report }
  await link.shell(`kill -9 -${pid} 2>/dev/null || kill -9 ${pid} 2>/dev/null`, options).catch(() => {})
}

const wasLeft = (error: unknown) => isTimeout(error) || (error instanceof LinkError && error.code === 'LINK_CANCELLED')

/** Whatever the exit code is, the command has run: that is for the caller to judge. */
export const runCallerCommand = async (
  command: string,
  options: CallerCommandOptions,
): Promise<Record<string, string>> => {
  const { link, deadline, signal } = options
  const stdout = keptOutput(SHELL_OUTPUT_BYTES_MAX + PID_CHARS_MAX)
  const stderr = keptOutput(SHELL_OUTPUT_BYTES_MAX)
  const streams = { stdout, stderr }
  try {
    const { exitCode } = await link.shell(toldLine(command), {
      deadline,
      signal,
      onOutput: (stream, piece) => streams[stream].append(piece),
    })
    return { ...outputOf(stdout, stderr).data, exit_code: String(exitCode) }
  } catch (error) {
    if (!wasLeft(error)) throw error
    const { pid, data } = outputOf(stdout, stderr)
    await endOnPhone(options, pid)
    if (!isTimeout(error)) throw error
    throw new StepFailure('ACTION_FAILED', 'the command did not end within the time of the execution, and was ended', {
      data,
      hint: 'Give the execution a longer `timeoutMs`, or run something that ends.',
    })
  }
}

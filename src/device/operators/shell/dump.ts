/** The screen as `uiautomator dump` gives it, in one command line, tried again where the tool is known to fail at times. */

import type { UiTree } from '../../../contracts/device/ui-tree.ts'
import { pause } from '../../../runtime/clock.ts'
import { commandLine } from '../../../runtime/text/quote.ts'
import { inSlices } from '../../../runtime/yielding.ts'
import { OUTPUT_BYTES_MAX } from '../../link/link-limits.ts'
import { parsingHierarchy } from '../../screen/parse-hierarchy.ts'
import { StepFailure } from '../../screen/step-failure.ts'
import { complaintOf, type DeviceShell, isTimeout, tooLargeAs } from './device-shell.ts'

/** A screen that is never still, and one between two windows, give no dump; moments later they often do. */
export const DUMP_ATTEMPTS = 3
const DUMP_PAUSE_MS = 300
/** The tool itself waits up to 10 s for a still screen before it gives up. */
const DUMP_MS = 20_000
const DUMP = { ms: DUMP_MS, maxBytes: OUTPUT_BYTES_MAX.command }
export const DUMP_FILE = '/data/local/tmp/svc-window.xml'

/**
 * Through a file, since `/dev/tty` exists on terminals only. It is removed before, so that a failed dump (which exits
 * with 0) can never show an older screen, and after, since what is on a screen may be private: also when the caller, or
 * the link to it, is gone in the middle.
 */
const COMMAND = [
  "trap '' HUP PIPE",
  commandLine('rm', '-f', DUMP_FILE),
  commandLine('uiautomator', 'dump', DUMP_FILE),
  commandLine('cat', DUMP_FILE),
  commandLine('rm', '-f', DUMP_FILE),
].join('; ')

/** The messages of the tool when it gives no dump, each with its cause and its remedy. */
const CAUSES: readonly { said: RegExp; cause: string; hint: string }[] = [
  {
    said: /could not get idle state/i,
    cause: 'the screen does not become idle (could not get idle state): something on it keeps moving',
    hint: 'Pause the video or animation, switch off animations in the developer options, or use an operator app.',
  },
  {
    said: /null root node/i,
    cause: 'no window is active (null root node): the screen is between two windows, or its content is protected',
    hint: 'Wait for the next screen and try again.',
  },
  {
    said: /already registered|UiAutomation\w* not connected/i,
    cause: 'another UiAutomation is registered: a test or another automation tool is reading the screen',
    hint: 'End the other automation (instrumentation, Appium, uiautomator) on the device.',
  },
  {
    said: /^[ \t]{0,8}killed[ \t]{0,8}\r?$/im,
    cause: 'uiautomator was killed by the device',
    hint: 'Free memory on the device, or stop the app that ends background processes there.',
  },
]

type Dumped = { tree: UiTree } | { tree: undefined; cause: string; hint?: string }

const unexplained = (stdout: string, stderr: string, problem: string): Dumped => {
  const output = `${stderr}\n${stdout}`
  const known = CAUSES.find(one => one.said.test(output))
  if (known) return { tree: undefined, cause: known.cause, hint: known.hint }
  const complaint = complaintOf({ exitCode: 0, stdout: stdout.includes('<hierarchy') ? '' : stdout, stderr })
  return { tree: undefined, cause: complaint ?? `the output of uiautomator cannot be read: ${problem}` }
}

const dumpOnce = async (shell: DeviceShell, end: number): Promise<Dumped> => {
  const { clock, deadline } = shell.options
  const began = clock.elapsed()
  try {
    const { stdout, stderr } = await shell.ask(COMMAND, { ...DUMP, until: end })
    const parsed = await inSlices(parsingHierarchy(stdout), shell.options)
    return parsed.ok ? parsed : unexplained(stdout, stderr, parsed.problem)
  } catch (error) {
    if (isTimeout(error) && clock.now() < deadline) {
      return { tree: undefined, cause: `uiautomator gave no answer within ${Math.round(clock.elapsed() - began)} ms` }
    }
    return tooLargeAs('SNAPSHOT_HIERARCHY_UNAVAILABLE')(error)
  }
}

/** Throws SNAPSHOT_HIERARCHY_UNAVAILABLE with the reason of the last attempt. */
export const dumpTree = async (shell: DeviceShell, until = Number.POSITIVE_INFINITY): Promise<UiTree> => {
  const { clock, deadline, signal } = shell.options
  const end = Math.min(deadline, until)
  for (let attempt = 1; ; attempt++) {
    const dumped = await dumpOnce(shell, end)
    if (dumped.tree) return dumped.tree
    if (attempt >= DUMP_ATTEMPTS || clock.now() + DUMP_PAUSE_MS >= end) {
      throw new StepFailure('SNAPSHOT_HIERARCHY_UNAVAILABLE', dumped.cause, { hint: dumped.hint })
    }
    await pause(clock, DUMP_PAUSE_MS, signal)
    signal.throwIfAborted()
  }
}

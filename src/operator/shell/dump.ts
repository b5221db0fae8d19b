/** The screen as `uiautomator dump` gives it, in one command line, tried again where the tool is known to fail at times. */
import { LinkError } from '../../adb/link-error.ts'
import { OUTPUT_BYTES_MAX } from '../../adb/link-limits.ts'
import { commandLine } from '../../adb/quote.ts'
import { pause } from '../../runtime/clock.ts'
import { parseHierarchy } from '../engine/parse-hierarchy.ts'
import type { UiTree } from '../engine/ui-tree.ts'
import { type DeviceShell, tooLargeAs } from './device-shell.ts'

/** A screen that is never still, and one between two windows, give no dump; moments later they often do. */
export const DUMP_ATTEMPTS = 3
export const DUMP_PAUSE_MS = 300
/** The tool itself waits up to 10 s for a still screen before it gives up. */
export const DUMP_MS = 20_000
const DUMP = { ms: DUMP_MS, maxBytes: OUTPUT_BYTES_MAX.command }
export const DUMP_FILE = '/data/local/tmp/svc-window.xml'

/**
 * Through a file, since `/dev/tty` exists on terminals only. It is removed before, so that a failed dump (which exits
 * with 0) can never show an older screen, and after, since what is on a screen may be private.
 */
const COMMAND = [
  commandLine('rm', '-f', DUMP_FILE),
  commandLine('uiautomator', 'dump', DUMP_FILE),
  commandLine('cat', DUMP_FILE),
  commandLine('rm', '-f', DUMP_FILE),
].join('; ')

const isTimeout = (error: unknown) => error instanceof LinkError && error.code === 'LINK_TIMEOUT'

const dumpOnce = async (shell: DeviceShell): Promise<UiTree | undefined> => {
  try {
    const parsed = parseHierarchy((await shell.ask(COMMAND, DUMP)).stdout)
    return parsed.ok ? parsed.tree : undefined
  } catch (error) {
    if (isTimeout(error) && shell.options.clock.now() < shell.options.deadline) return undefined
    return tooLargeAs('SNAPSHOT_HIERARCHY_UNAVAILABLE')(error)
  }
}

export const dumpTree = async (shell: DeviceShell): Promise<UiTree | undefined> => {
  const { clock, deadline, signal } = shell.options
  for (let attempt = 1; ; attempt++) {
    const tree = await dumpOnce(shell)
    if (tree || attempt >= DUMP_ATTEMPTS || clock.now() + DUMP_PAUSE_MS >= deadline) return tree
    await pause(clock, DUMP_PAUSE_MS, signal)
    signal.throwIfAborted()
  }
}

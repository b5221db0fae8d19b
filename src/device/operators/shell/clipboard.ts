/** get_clipboard and set_clipboard, by the shell command of the clipboard where a phone has one. */

import { commandLine } from '../../../runtime/text/quote.ts'
import type { Link } from '../../link/link.ts'
import { OUTPUT_BYTES_MAX } from '../../link/link-limits.ts'
import { StepFailure } from '../../screen/step-failure.ts'
import { complaintOf, type DeviceShell, deviceShell, type ShellOptions, tooLargeAs } from './device-shell.ts'

export interface ClipboardOptions extends ShellOptions {
  link: Link
  /** Throws a StepFailure when this host may no longer act on the phone. */
  mayAct?: (() => void) | undefined
}

/** The service has no commands, or not this one; or the phone has no such service. */
const LACKING = /^(?:No shell command implementation\.|Unknown command: .*|cmd: Can't find service: .*)$/m

const unavailable = (reason: string) => new StepFailure('CLIPBOARD_UNAVAILABLE', reason)

const ask = async (shell: DeviceShell, ...words: string[]): Promise<string> => {
  const answer = await shell
    .ask(commandLine('cmd', 'clipboard', ...words), { maxBytes: OUTPUT_BYTES_MAX.report })
    .catch(tooLargeAs('CLIPBOARD_UNAVAILABLE'))
  const output = `${answer.stdout}\n${answer.stderr}`
  if (LACKING.test(output) && answer.exitCode !== 0) {
    throw unavailable(
      'the shell of this phone has no command for the clipboard, and from Android 10 on only the application in front and the keyboard may read it',
    )
  }
  // A text on the clipboard may look like a complaint: only beside an exit code it is one.
  if (answer.exitCode === 0) return answer.stdout
  throw unavailable(`the device refused: ${complaintOf(answer) ?? `exit code ${answer.exitCode}`}`)
}

/** The command ends what it prints with a line feed. */
const read = async (shell: DeviceShell): Promise<string> => (await ask(shell, 'get')).replace(/\r?\n$/, '')

export const getClipboard = async ({ link, ...options }: ClipboardOptions): Promise<Record<string, string>> => ({
  text: await read(deviceShell(link, options)),
})

/** Counts as set once it can be read. */
export const setClipboard = async (
  { text }: { text: string },
  { link, mayAct = () => {}, ...options }: ClipboardOptions,
): Promise<Record<string, string>> => {
  const shell = deviceShell(link, options)
  mayAct()
  await ask(shell, 'set', text)
  if ((await read(shell)) !== text) throw unavailable('the device said that it was set, and holds something else')
  return { text }
}

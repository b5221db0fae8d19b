/** Text that no keys of `input` can type: the phone's keyboard is switched for one command line, which switches it back. */

import { COMMAND_BYTES_MAX } from '../../../contracts/limits/limits.ts'
import { commandLine } from '../../../runtime/text/quote.ts'
import type { CallOptions, Link } from '../../link/link.ts'
import { OUTPUT_BYTES_MAX } from '../../link/link-limits.ts'
import { StepFailure } from '../../screen/step-failure.ts'
import { complaintOf, type DeviceShell } from '../shell/device-shell.ts'
import { KEYBOARD_HELPER } from './helper-apks.ts'
import { KEYBOARD_MARK } from './installed.ts'

const { packageName } = KEYBOARD_HELPER
export const KEYBOARD = `${packageName}/.TestInputMethodService`
const CURRENT = commandLine('settings', 'get', 'secure', 'default_input_method')
const COMPONENT = /^[\w.$]{1,200}\/[\w.$]{1,200}$/

/** Switches back, and forgets how it was only once that is seen to be so again. */
const restoring = (previous: string): string =>
  [
    commandLine('ime', 'set', previous),
    commandLine('ime', 'disable', KEYBOARD),
    `test "$(${CURRENT})" = ${commandLine(previous)} && ${commandLine('settings', 'delete', 'secure', KEYBOARD_MARK)} && echo svc-restored`,
  ].join('; ')

const isRestored = (stdout: string) => /^svc-restored\r?$/m.test(stdout)

/** The host went while the keyboard was switched. One that a person has chosen since then stays. */
export const restoreKeyboard = async (link: Link, previous: string, options: CallOptions): Promise<void> => {
  const { stdout } = await link.shell(CURRENT, { ...options, maxBytes: OUTPUT_BYTES_MAX.report })
  const isOurs = stdout.trim() === KEYBOARD && COMPONENT.test(previous)
  const line = isOurs ? restoring(previous) : commandLine('settings', 'delete', 'secure', KEYBOARD_MARK)
  await link.shell(line, { ...options, maxBytes: OUTPUT_BYTES_MAX.report })
}

export interface KeyboardTyping {
  text: string
  /** Command lines that give the field the focus and put the cursor where the text goes. */
  before: readonly string[]
  /** The time for the keyboard to be bound; a text that comes earlier is lost. */
  settleMs: number
  /** The time for all of it, beyond the limit of one command. */
  ms: number
}

const broadcast = (text: string) =>
  commandLine(
    ...['am', 'broadcast', '-p', packageName, '-a', `${packageName}.ACTION_INPUT_TEXT_B64`],
    ...['--es', 'protocol', 'android-ime-helper-v1', '--es', 'text', Buffer.from(text).toString('base64')],
  )

const failed = (reason: string) => new StepFailure('ACTION_FAILED', reason)

/**
 * Sends the text once. Nobody says whether it has arrived: the next tree has to show it. The line goes on when the link
 * is lost in the middle of it, and the mark tells the next host should the phone itself stop there.
 */
export const typeByKeyboard = async (
  shell: DeviceShell,
  { text, before, settleMs, ms }: KeyboardTyping,
): Promise<void> => {
  const previous = (await shell.ask(CURRENT)).stdout.trim()
  if (!COMPONENT.test(previous) || previous === KEYBOARD)
    throw failed('the phone does not report which keyboard was selected before')
  const typing = [
    commandLine('settings', 'put', 'secure', KEYBOARD_MARK, previous),
    commandLine('ime', 'enable', KEYBOARD),
    commandLine('ime', 'set', KEYBOARD),
    commandLine('sleep', String(settleMs / 1_000)),
    ...before,
    broadcast(text),
  ].join(' && ')
  const line = `trap '' HUP INT PIPE TERM; ${typing}; echo svc-typed:$?; ${restoring(previous)}`
  if (Buffer.byteLength(line) > COMMAND_BYTES_MAX) {
    throw failed('clearing the field and typing the text is too much for one command line')
  }
  const answer = await shell.ask(line, { ms: ms + settleMs })
  if (!isRestored(answer.stdout)) {
    const again = await shell.ask(restoring(previous))
    if (!isRestored(again.stdout)) throw failed(`the keyboard could not be switched back; run: ime set ${previous}`)
  }
  const exitCode = Number(/^svc-typed:(\d{1,3})\r?$/m.exec(answer.stdout)?.[1] ?? 1)
  const [typed = ''] = answer.stdout.split(/^svc-typed:/m)
  const complaint = complaintOf({ exitCode, stdout: typed, stderr: answer.stderr })
  if (complaint !== undefined) throw failed(`the device refused: ${complaint}`)
}

/** Putting text into a field with a tap, editing keys and `input text`, all in one command line. */

import { contentOf, type Point, type UiNode } from '../../../contracts/device/ui-tree.ts'
import { COMMAND_BYTES_MAX } from '../../../contracts/limits/limits.ts'
import { commandLine } from '../../../runtime/text/quote.ts'
import type { TextEntry } from '../../screen/driver.ts'
import { notTextField } from '../../screen/not-text-field.ts'
import { StepFailure } from '../../screen/step-failure.ts'
import type { DeviceShell } from './device-shell.ts'

/** Characters of the text in one call. */
export const CHUNK_CHARS = 100

/** `input text` turns characters into presses on a virtual keyboard, and that has keys for ASCII only. */
const TYPABLE = /^[\x20-\x7e\n]$/

const LINE_END = /\r\n/g

/** The first character that cannot be typed; nothing of the text is typed then. */
export const untypableIn = (text: string): string | undefined =>
  [...text.replace(LINE_END, '\n')].find(character => !TYPABLE.test(character))

const named = (character: string) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

export const refuseUntypable = (text: string): void => {
  const character = untypableIn(text)
  if (character === undefined) return
  const shownCharacter = /^\P{C}$/u.test(character) ? `"${character}" (${named(character)})` : named(character)
  throw new StepFailure(
    'EXECUTION_ACTION_UNSUPPORTED',
    `Android types ASCII only without an operator app, and the text holds ${shownCharacter}`,
    { hint: 'Install the helper that types any text with svc operator install, or an operator app.' },
  )
}

/** A `%` that is followed by `s` would be taken for the escape: the two go into different calls. */
const chunksOf = (line: string): string[] =>
  line.split(/(?<=%)(?=s)/).flatMap(part => part.match(new RegExp(`.{1,${CHUNK_CHARS}}`, 'g')) ?? [])

const escaped = (chunk: string) => chunk.replaceAll(' ', '%s')

/** Command lines that type the text when run one after the other; a line feed is the enter key. */
export const typingCommands = (text: string): string[] =>
  text
    .replace(LINE_END, '\n')
    .split('\n')
    .flatMap((line, index) => [
      ...(index === 0 ? [] : [commandLine('input', 'keyevent', 'KEYCODE_ENTER')]),
      ...chunksOf(line).map(chunk => commandLine('input', 'text', escaped(chunk))),
    ])

/** A longer text cannot be taken away key by key within one command line. */
export const CLEARABLE_CHARS_MAX = 1_000
/** Assumed length of a password: some devices do not even tell that. */
const PASSWORD_CHARS = 64
export const TEXT_KEY_MS = 20

const keys = (...names: string[]) => commandLine('input', 'keyevent', ...names.map(name => `KEYCODE_${name}`))
const times = (count: number, name: string): string[] => Array.from({ length: count }, () => name)

/** The end of a field with several lines is further down than the end of the line that was touched. */
const toTheEnd = (node: UiNode) => (contentOf(node).includes('\n') ? keys('PAGE_DOWN', 'MOVE_END') : keys('MOVE_END'))

/**
 * Deletes as many characters both ways as the field has: right wherever the cursor is, and harmless beyond the end. An
 * empty field reports its hint as text, which only adds deletions: a text equal to the hint is cleared too.
 */
const clearing = (node: UiNode): string[] => {
  const length = Math.max(node.text.length, node.password ? PASSWORD_CHARS : 0)
  if (length === 0) return []
  if (length > CLEARABLE_CHARS_MAX) {
    throw new StepFailure('ACTION_FAILED', `a field with ${length} characters is too long to be cleared key by key`)
  }
  return [keys('MOVE_END', ...times(length, 'DEL'), ...times(length, 'FORWARD_DEL'))]
}

const tapping = ({ x, y }: Point) => commandLine('input', 'tap', String(x), String(y))

/** Keys go to whatever has the focus, so nothing is typed at a node that a touch would not give it to. */
export const refuseUnfocusable = (node: UiNode, point: Point | undefined): void => {
  if (!node.focused && !point) throw notTextField(node)
}

/** Gives the field the focus, and puts the cursor where a text goes. */
export const fieldCommands = (node: UiNode, { append, point }: Pick<TextEntry, 'append' | 'point'>): string[] => [
  ...(point ? [tapping(point)] : []),
  ...(append ? [toTheEnd(node)] : clearing(node)),
]

export const enterText = async (
  shell: DeviceShell,
  node: UiNode,
  text: string,
  { append, submit, point }: TextEntry,
): Promise<true> => {
  refuseUntypable(text)
  refuseUnfocusable(node, point)
  const line = [
    ...fieldCommands(node, { append, point }),
    ...typingCommands(text),
    ...(submit ? [keys('ENTER')] : []),
  ].join(' && ')
  if (Buffer.byteLength(line) > COMMAND_BYTES_MAX) {
    throw new StepFailure('ACTION_FAILED', 'clearing the field and typing the text is too much for one command line')
  }
  return await shell.insist(line, 'ACTION_FAILED', (text.length + 2 * node.text.length) * TEXT_KEY_MS)
}

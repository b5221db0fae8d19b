/** How a text is typed with `input text`, which knows one escape (`%s`, a blank) and has none for itself. */
import { commandLine } from '../../adb/quote.ts'
import { StepFailure } from '../engine/step-failure.ts'

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
  const shown = /^\P{C}$/u.test(character) ? `"${character}" (${named(character)})` : named(character)
  throw new StepFailure(
    'EXECUTION_ACTION_UNSUPPORTED',
    `Android types ASCII only without an operator app, and the text holds ${shown}`,
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

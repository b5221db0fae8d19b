/** The text of element/value as steps: runs of characters are typed, and the keys among them are pressed. */
import { ACTIONS_MAX, ENTER_TEXT_CHARS_MAX } from '../../../contracts/limits/limits.ts'
import { codePointOf, isKeyCharacter, KEY_CHARACTERS, RELEASE_CHARACTER } from '../protocol/key-characters.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'
import type { SessionStep } from '../session/live-session.ts'

type Part = { readonly text: string } | { readonly key: string }

const partsOf = (text: string): Part[] => {
  const parts: Part[] = []
  let run = ''
  const flush = () => {
    if (run !== '') parts.push({ text: run })
    run = ''
  }
  for (const character of text) {
    if (isKeyCharacter(character)) {
      flush()
      if (character === RELEASE_CHARACTER) continue
      const key = KEY_CHARACTERS[character]
      if (key === undefined) {
        throw new WebDriverError(
          'unsupported operation',
          `The key ${codePointOf(character)} cannot be pressed by element/value. Keys with modifiers are pressed by POST /actions.`,
        )
      }
      parts.push({ key })
      continue
    }
    if (run.length + character.length > ENTER_TEXT_CHARS_MAX) flush()
    run += character
  }
  flush()
  return parts
}

/** Behind a key the focus may be elsewhere: what follows goes to the field that has it then. */
export const typingSteps = (text: string, matcher: Readonly<Record<string, unknown>>): SessionStep[] => {
  const parts = partsOf(text)
  const [first] = parts
  const steps: SessionStep[] =
    first && 'key' in first ? [{ type: 'click', params: { matcher, clickType: 'focus' } }] : []
  let isInField = true
  for (const part of parts) {
    if ('key' in part) {
      isInField = false
      steps.push({ type: 'press_key', params: { key: part.key } })
    } else
      steps.push({ type: 'enter_text', params: { ...(isInField ? { matcher } : {}), text: part.text, append: true } })
  }
  if (steps.length <= ACTIONS_MAX) return steps
  throw new WebDriverError(
    'invalid argument',
    `The text needs ${steps.length} steps, and one command has at most ${ACTIONS_MAX}: send it in several commands.`,
  )
}

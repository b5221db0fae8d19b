/** The text of element/value as steps: runs of characters are typed, and the keys among them are pressed. */
import { ACTIONS_MAX, ENTER_TEXT_CHARS_MAX } from '../../contracts/limits.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'
import type { SessionStep } from '../session/live-session.ts'

/** Characters of W3C WebDriver that stand for keys, by the names that Android has. */
const KEYS: Readonly<Record<string, string>> = {
  '\uE003': 'del',
  '\uE004': 'tab',
  '\uE006': 'enter',
  '\uE007': 'enter',
  '\uE00C': 'escape',
  '\uE00D': 'space',
  '\uE00E': 'page_up',
  '\uE00F': 'page_down',
  '\uE010': 'move_end',
  '\uE011': 'move_home',
  '\uE012': 'dpad_left',
  '\uE013': 'dpad_up',
  '\uE014': 'dpad_right',
  '\uE015': 'dpad_down',
  '\uE017': 'forward_del',
}

const FIRST_KEY = 0xe000
const LAST_KEY = 0xe05d
/** Releases modifiers, of which there are none. */
const RELEASE = '\uE000'

const isKey = (character: string): boolean => {
  const code = character.codePointAt(0) ?? 0
  return code >= FIRST_KEY && code <= LAST_KEY
}

type Part = { readonly text: string } | { readonly key: string }

const partsOf = (text: string): Part[] => {
  const parts: Part[] = []
  let run = ''
  const flush = () => {
    if (run !== '') parts.push({ text: run })
    run = ''
  }
  for (const character of text) {
    if (isKey(character)) {
      flush()
      if (character === RELEASE) continue
      const key = KEYS[character]
      if (key === undefined) {
        const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase()
        throw new WebDriverError(
          'unsupported operation',
          `The key U+${code} cannot be pressed by element/value. Keys with modifiers are pressed by POST /actions.`,
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

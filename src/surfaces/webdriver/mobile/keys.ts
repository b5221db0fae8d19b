/** The `mobile:` methods about keys, text and the keyboard. */
import { ENTER_TEXT_CHARS_MAX } from '../../../contracts/limits/limits.ts'
import { mobileMethod } from '../commands/command.ts'
import { flag, invalid, oneOf, optional, someText, unsupported, whole } from '../protocol/arguments.ts'
import { keyOfCode } from '../protocol/key-codes.ts'
import { deviceOf, type SessionStep } from '../session/live-session.ts'

/** The modifiers of KeyEvent that are a shift key: either one, the left, the right. */
const SHIFT = 0x1 | 0x40 | 0x80

interface Press {
  keycode: number
  metastate?: number | undefined
  flags?: number | undefined
  isLongPress?: boolean | undefined
}

/** A letter with shift is text; other keys go to the device without a modifier, or not at all. */
export const keyStep = ({ keycode, metastate = 0, isLongPress = false }: Press): SessionStep => {
  const key = keyOfCode(keycode)
  if (key === undefined) throw invalid(`The keycode ${keycode} is no key that Android has a name for.`)
  if (metastate === 0) return { type: 'press_key', params: isLongPress ? { key, longPress: true } : { key } }
  const isShifted = (metastate & ~SHIFT) === 0
  if (isShifted && !isLongPress && /^[a-z]$/.test(key))
    return { type: 'enter_text', params: { text: key.toUpperCase(), append: true } }
  throw unsupported(
    `The keycode ${keycode} with metastate ${metastate} is not supported: the device presses one key at a time. What works: a letter with shift (metastate 1), or the key alone.`,
  )
}

export const pressKey = mobileMethod({
  name: 'pressKey',
  summary: 'Presses a key by its number in KeyEvent. metastate: only shift, with a letter. flags are accepted.',
  args: { keycode: whole, metastate: optional(whole), flags: optional(whole), isLongPress: optional(flag) },
  async run(session, args) {
    await session.act([keyStep(args)])
    return null
  },
})

export const isKeyboardShown = mobileMethod({
  name: 'isKeyboardShown',
  summary: 'True while the keyboard is on the screen.',
  args: {},
  run: async session => (await deviceOf(session)).keyboardShown === true,
})

export const hideKeyboard = mobileMethod({
  name: 'hideKeyboard',
  summary: 'Hides the keyboard; answers false where none is shown.',
  args: {},
  async run(session) {
    if ((await deviceOf(session)).keyboardShown === false) return false
    await session.act([{ type: 'hide_keyboard' }])
    return true
  },
})

/** Cuts between characters, never inside of one. */
export const textSteps = (text: string): SessionStep[] => {
  const pieces: string[] = []
  for (const character of text) {
    const last = pieces.at(-1)
    if (last !== undefined && last.length + character.length <= ENTER_TEXT_CHARS_MAX)
      pieces[pieces.length - 1] = last + character
    else pieces.push(character)
  }
  return pieces.map(piece => ({ type: 'enter_text', params: { text: piece, append: true } }))
}

export const type = mobileMethod({
  name: 'type',
  summary: 'Types a text into the field that has the focus, after what it holds.',
  args: { text: someText },
  async run(session, { text }) {
    await session.act(textSteps(text))
    return true
  },
})

const EDITOR_ACTIONS = ['done', 'go', 'next', 'search', 'send'] as const

export const performEditorAction = mobileMethod({
  name: 'performEditorAction',
  summary: 'Presses Enter in the field that has the focus: a field of one line then performs the action it declares.',
  args: { action: oneOf(EDITOR_ACTIONS) },
  async run(session) {
    await session.act([{ type: 'press_key', params: { key: 'enter' } }])
    return null
  },
})

export const KEY_METHODS = [pressKey, isKeyboardShown, hideKeyboard, type, performEditorAction]

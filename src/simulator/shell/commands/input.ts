/** `input`: taps, swipes, text and keys, with the quirks of the real one. */
import { pause } from '../../../runtime/clock.ts'
import type { Phone } from '../../phone.ts'
import { type Command, type Context, fail, misuse, USAGE_CODE } from '../command.ts'

const FIRST = [
  ...['UNKNOWN', 'SOFT_LEFT', 'SOFT_RIGHT', 'HOME', 'BACK', 'CALL', 'ENDCALL'],
  ...[...'0123456789'],
  ...['STAR', 'POUND', 'DPAD_UP', 'DPAD_DOWN', 'DPAD_LEFT', 'DPAD_RIGHT', 'DPAD_CENTER', 'VOLUME_UP', 'VOLUME_DOWN'],
  ...['POWER', 'CAMERA', 'CLEAR'],
  ...[...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
  ...['COMMA', 'PERIOD', 'ALT_LEFT', 'ALT_RIGHT', 'SHIFT_LEFT', 'SHIFT_RIGHT', 'TAB', 'SPACE', 'SYM', 'EXPLORER'],
  ...['ENVELOPE', 'ENTER', 'DEL', 'GRAVE', 'MINUS', 'EQUALS', 'LEFT_BRACKET', 'RIGHT_BRACKET', 'BACKSLASH'],
  ...['SEMICOLON', 'APOSTROPHE', 'SLASH', 'AT', 'NUM', 'HEADSETHOOK', 'FOCUS', 'PLUS', 'MENU', 'NOTIFICATION'],
  ...['SEARCH', 'MEDIA_PLAY_PAUSE', 'MEDIA_STOP', 'MEDIA_NEXT', 'MEDIA_PREVIOUS', 'MEDIA_REWIND'],
  ...['MEDIA_FAST_FORWARD', 'MUTE', 'PAGE_UP', 'PAGE_DOWN', 'PICTSYMBOLS', 'SWITCH_CHARSET', 'BUTTON_A', 'BUTTON_B'],
  ...['BUTTON_C', 'BUTTON_X', 'BUTTON_Y', 'BUTTON_Z', 'BUTTON_L1', 'BUTTON_R1', 'BUTTON_L2', 'BUTTON_R2'],
  ...['BUTTON_THUMBL', 'BUTTON_THUMBR', 'BUTTON_START', 'BUTTON_SELECT', 'BUTTON_MODE', 'ESCAPE', 'FORWARD_DEL'],
  ...['CTRL_LEFT', 'CTRL_RIGHT', 'CAPS_LOCK', 'SCROLL_LOCK', 'META_LEFT', 'META_RIGHT', 'FUNCTION', 'SYSRQ', 'BREAK'],
  ...['MOVE_HOME', 'MOVE_END', 'INSERT', 'FORWARD', 'MEDIA_PLAY', 'MEDIA_PAUSE', 'MEDIA_CLOSE', 'MEDIA_EJECT'],
  ...['MEDIA_RECORD', 'F1', 'F2', 'F3', 'F4', 'F5', 'F6', 'F7', 'F8', 'F9', 'F10', 'F11', 'F12', 'NUM_LOCK'],
  ...[...'0123456789'].map(digit => `NUMPAD_${digit}`),
  ...['NUMPAD_DIVIDE', 'NUMPAD_MULTIPLY', 'NUMPAD_SUBTRACT', 'NUMPAD_ADD', 'NUMPAD_DOT', 'NUMPAD_COMMA'],
  ...['NUMPAD_ENTER', 'NUMPAD_EQUALS', 'NUMPAD_LEFT_PAREN', 'NUMPAD_RIGHT_PAREN', 'VOLUME_MUTE', 'INFO'],
] as const

const LATER: Readonly<Record<number, string>> = {
  ...{
    168: 'ZOOM_IN',
    169: 'ZOOM_OUT',
    176: 'SETTINGS',
    178: 'TV_INPUT',
    243: 'TV_INPUT_HDMI_1',
    244: 'TV_INPUT_HDMI_2',
  },
  ...{ 245: 'TV_INPUT_HDMI_3', 246: 'TV_INPUT_HDMI_4', 280: 'SYSTEM_NAVIGATION_UP', 281: 'SYSTEM_NAVIGATION_DOWN' },
  ...{ 187: 'APP_SWITCH', 204: 'LANGUAGE_SWITCH', 207: 'CONTACTS' },
  ...{ 208: 'CALENDAR', 209: 'MUSIC', 210: 'CALCULATOR', 219: 'ASSIST', 220: 'BRIGHTNESS_DOWN', 221: 'BRIGHTNESS_UP' },
  ...{ 223: 'SLEEP', 224: 'WAKEUP', 259: 'HELP', 276: 'SOFT_SLEEP', 277: 'CUT', 278: 'COPY', 279: 'PASTE' },
  ...{ 284: 'ALL_APPS', 285: 'REFRESH' },
}

const LAST = 320

const NAMES: ReadonlyMap<number, string> = new Map([
  ...FIRST.map((name, code) => [code, name] as const),
  ...Object.entries(LATER).map(([code, name]) => [Number(code), name] as const),
])
const KNOWN = new Set(NAMES.values())

/** The name without prefix of a key given by name or number; undefined when there is none. */
const keyName = (key: string): string | undefined => {
  if (/^\d+$/.test(key)) {
    const code = Number(key)
    return code > 0 && code <= LAST ? (NAMES.get(code) ?? `CODE_${code}`) : undefined
  }
  const name = key.replace(/^KEYCODE_/, '')
  return KNOWN.has(name) && name !== 'UNKNOWN' ? name : undefined
}

const SOURCES =
  /^(?:keyboard|mouse|joystick|touchnavigation|touchpad|trackball|dpad|stylus|gamepad|touchscreen|rotaryencoder)$/
const SWIPE_MS = 300
const DRAG_MS = 1_000
/** A finger that rests this long presses long. */
const LONG_PRESS_MS = 500
/** A finger that moves at most this far rests. */
const REST_PIXELS = 16
/** The characters that the virtual keyboard can type. */
const TYPABLE = /^[\n\t\x20-\x7e]*$/

const numbers = (words: readonly string[]): number[] | undefined => {
  const found = words.map(Number)
  return words.length > 0 && found.every((value, at) => Number.isFinite(value) && words[at]?.trim() !== '')
    ? found
    : undefined
}

const tap: Command = context => {
  const [x, y] = numbers(context.args.slice(0, 2)) ?? []
  if (x === undefined || y === undefined) return misuse(context, 'Invalid arguments for command: tap')
  context.phone.tap({ x, y })
  return 0
}

const move =
  (usual: number): Command =>
  async context => {
    const { phone, waits, signal } = context
    const [x1, y1, x2, y2, duration = usual] = numbers(context.args.slice(0, 5)) ?? []
    if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) {
      return misuse(context, `Invalid arguments for command: ${context.name}`)
    }
    const ms = duration < 0 ? usual : duration
    const start = { x: x1, y: y1 }
    const rests = Math.hypot(x2 - x1, y2 - y1) <= REST_PIXELS
    if (!rests) phone.swipe(start, { x: x2, y: y2 }, ms)
    else if (ms >= LONG_PRESS_MS) phone.longPress(start)
    else phone.tap(start)
    await pause(waits, ms, signal)
    return 0
  }

/** `%s` means a blank, everywhere and with no way around it. */
export const textToType = (text: string): string => {
  const characters = [...text]
  for (let at = 1; at < characters.length; at++) {
    if (characters[at - 1] === '%' && characters[at] === 's') characters.splice(--at, 2, ' ')
  }
  return characters.join('')
}

const typeLine = (phone: Phone, line: string) => {
  if (line !== '') phone.type(line)
}

const NO_KEYS = 'java.lang.NullPointerException: Attempt to get length of null array'
/** Up to this version the program itself does it, and its end is no failure to the shell. */
const ALONE_SDK_MAX = 29
const TRACE = ['sendText(Input.java:173)', 'access$100(Input.java:43)', 'run(Input.java:83)', 'main(Input.java:64)']
  .map(frame => `\tat com.android.commands.input.Input.${frame}\n`)
  .join('')

const dieAlone = async ({ err }: Context): Promise<number> => {
  await err(`${NO_KEYS}\n${TRACE}`)
  return 0
}

const text: Command = async context => {
  const [word] = context.args
  const { phone, properties } = context
  if (word === undefined) return misuse(context, 'Invalid arguments for command: text')
  if (phone.textKills?.()) return dieAlone(context)
  if (!TYPABLE.test(word)) {
    if (Number(properties.get('ro.build.version.sdk')) <= ALONE_SDK_MAX) return dieAlone(context)
    await context.err("\nException occurred while executing 'text':\n")
    return fail(context, NO_KEYS, USAGE_CODE)
  }
  for (const [at, line] of textToType(word).split('\n').entries()) {
    if (at > 0) phone.key('ENTER')
    typeLine(phone, line)
  }
  return 0
}

/** Power keys work on every phone, also where the phone leaves them to the shell. */
const POWER: Readonly<Record<string, (phone: Phone) => void>> = {
  WAKEUP: phone => phone.wake(),
  SLEEP: phone => phone.sleep(),
  POWER: phone => (phone.isAwake() ? phone.sleep() : phone.wake()),
}

const keyevent: Command = async context => {
  const { phone } = context
  const keys = context.args.filter(word => !/^--(?:longpress|doubletap|async|duration)$/.test(word))
  if (keys.length === 0) return misuse(context, 'Invalid arguments for command: keyevent')
  const names = keys.map(keyName)
  const bad = keys.find((_, at) => names[at] === undefined)
  if (bad !== undefined) {
    await context.err("\nException occurred while executing 'keyevent':\n")
    return fail(context, `java.lang.IllegalArgumentException: Unknown keycode: ${bad}`, USAGE_CODE)
  }
  // The real one takes thousands of codes in one call, as `input keyevent 67 67 ...` to empty a field.
  for (const name of names) if (name !== undefined && !phone.key(name)) POWER[name]?.(phone)
  return 0
}

const SUBCOMMANDS: Readonly<Record<string, Command>> = {
  tap,
  swipe: move(SWIPE_MS),
  draganddrop: move(DRAG_MS),
  text,
  keyevent,
}

export const input: Command = context => {
  let words = context.args
  if (SOURCES.test(words[0] ?? '')) words = words.slice(1)
  if (words[0] === '-d') words = words.slice(2)
  const [name = '', ...args] = words
  const subcommand = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined
  if (!subcommand)
    return misuse(context, name === '' ? 'Usage: input [<source>] <command>' : `Unknown command: ${name}`)
  return subcommand({ ...context, name, args })
}

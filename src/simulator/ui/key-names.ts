/** The keys that a simulated phone has, by their Android names without `KEYCODE_`, and the characters that some of them type. */

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const DIGITS = [...'0123456789']

export const TYPING_KEYS: ReadonlyMap<string, string> = new Map([
  ...LETTERS.map(letter => [letter, letter.toLowerCase()] as const),
  ...DIGITS.map(digit => [digit, digit] as const),
  ...DIGITS.map(digit => [`NUMPAD_${digit}`, digit] as const),
  ['SPACE', ' '],
  ['COMMA', ','],
  ['PERIOD', '.'],
  ['MINUS', '-'],
  ['EQUALS', '='],
  ['PLUS', '+'],
  ['SLASH', '/'],
  ['BACKSLASH', '\\'],
  ['SEMICOLON', ';'],
  ['APOSTROPHE', "'"],
  ['GRAVE', '`'],
  ['LEFT_BRACKET', '['],
  ['RIGHT_BRACKET', ']'],
  ['AT', '@'],
  ['POUND', '#'],
  ['STAR', '*'],
])

/** Known, and without an effect on the screen unless a scenario gives them one. */
const PLAIN_KEYS = [
  ...['MENU', 'SEARCH', 'CAMERA', 'CALL', 'ENDCALL', 'NOTIFICATION', 'SETTINGS', 'ASSIST', 'CLEAR', 'CUT', 'COPY'],
  ...['PASTE', 'ESCAPE', 'PAGE_UP', 'PAGE_DOWN', 'VOLUME_UP', 'VOLUME_DOWN', 'VOLUME_MUTE', 'MEDIA_PLAY_PAUSE'],
  ...['MEDIA_NEXT', 'MEDIA_PREVIOUS', 'BRIGHTNESS_UP', 'BRIGHTNESS_DOWN', 'SHIFT_LEFT', 'SHIFT_RIGHT', 'CTRL_LEFT'],
  ...['CTRL_RIGHT', 'ALT_LEFT', 'ALT_RIGHT', 'META_LEFT', 'META_RIGHT', 'DPAD_UP', 'DPAD_DOWN', 'DPAD_CENTER', 'TAB'],
  ...['EXPLORER', 'ENVELOPE', 'FOCUS', 'HEADSETHOOK', 'MEDIA_STOP', 'MEDIA_REWIND', 'MEDIA_FAST_FORWARD', 'MUTE'],
  ...['MEDIA_PLAY', 'MEDIA_PAUSE', 'INFO', 'ZOOM_IN', 'ZOOM_OUT', 'LANGUAGE_SWITCH', 'CONTACTS', 'CALENDAR', 'MUSIC'],
  ...['CALCULATOR', 'CAPS_LOCK', 'INSERT', 'FORWARD', 'HELP', 'ALL_APPS', 'REFRESH'],
  ...Array.from({ length: 12 }, (_, i) => `F${i + 1}`),
]

export const KEY_NAMES: readonly string[] = [
  ...['BACK', 'HOME', 'APP_SWITCH', 'ENTER', 'NUMPAD_ENTER', 'DEL', 'FORWARD_DEL', 'WAKEUP', 'SLEEP', 'POWER'],
  'SOFT_SLEEP',
  ...['MOVE_HOME', 'MOVE_END', 'DPAD_LEFT', 'DPAD_RIGHT'],
  ...PLAIN_KEYS,
  ...TYPING_KEYS.keys(),
]

const KNOWN: ReadonlySet<string> = new Set(KEY_NAMES)

/** A key of a number alone is one that we have no name for. */
export const isKeyName = (name: string): boolean => KNOWN.has(name) || /^CODE_\d+$/.test(name)

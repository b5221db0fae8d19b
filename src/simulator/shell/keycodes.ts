/** The key codes of Android by number, without their prefix. */

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
  ...{ 168: 'ZOOM_IN', 169: 'ZOOM_OUT', 176: 'SETTINGS', 187: 'APP_SWITCH', 204: 'LANGUAGE_SWITCH', 207: 'CONTACTS' },
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
export const keyName = (given: string): string | undefined => {
  if (/^\d+$/.test(given)) {
    const code = Number(given)
    return code > 0 && code <= LAST ? (NAMES.get(code) ?? `CODE_${code}`) : undefined
  }
  const name = given.replace(/^KEYCODE_/, '')
  return KNOWN.has(name) && name !== 'UNKNOWN' ? name : undefined
}

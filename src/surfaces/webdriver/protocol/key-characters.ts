/** The characters of W3C WebDriver that stand for keys. */

/** By the names that press_key takes. */
export const KEY_CHARACTERS: Readonly<Record<string, string>> = {
  '\uE003': 'del',
  '\uE004': 'tab',
  '\uE005': 'clear',
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
  '\uE016': 'insert',
  '\uE017': 'forward_del',
  '\uE031': 'f1',
  '\uE032': 'f2',
  '\uE033': 'f3',
  '\uE034': 'f4',
  '\uE035': 'f5',
  '\uE036': 'f6',
  '\uE037': 'f7',
  '\uE038': 'f8',
  '\uE039': 'f9',
  '\uE03A': 'f10',
  '\uE03B': 'f11',
  '\uE03C': 'f12',
}

/** Releases all modifiers. */
export const RELEASE_CHARACTER = '\uE000'

export const MODIFIER_CHARACTERS: Readonly<Record<string, 'shift' | 'control' | 'alt' | 'meta'>> = {
  '\uE008': 'shift',
  '\uE009': 'control',
  '\uE00A': 'alt',
  '\uE03D': 'meta',
  '\uE050': 'shift',
  '\uE051': 'control',
  '\uE052': 'alt',
  '\uE053': 'meta',
}

const FIRST = 0xe000
const LAST = 0xe05d

export const isKeyCharacter = (character: string): boolean => {
  const code = character.codePointAt(0) ?? 0
  return code >= FIRST && code <= LAST
}

/** For messages: characters of that range print as nothing. */
export const codePointOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}`

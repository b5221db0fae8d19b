/** The options by which the regular expressions of flows are matched, and how a pattern changes them. */

export interface Flags {
  isAnyCase: boolean
  dotTakesLineEnds: boolean
  isByLine: boolean
  hasComments: boolean
}

/** The options that flows are matched with. */
export const FLOW_FLAGS: Flags = { isAnyCase: true, dotTakesLineEnds: true, isByLine: true, hasComments: false }
/** The options of UiSelector: a dot takes line ends, and the case counts. */
export const UI_SELECTOR_FLAGS: Flags = { ...FLOW_FLAGS, isAnyCase: false, isByLine: false }
const FLAG_OF: Readonly<Record<string, keyof Flags | undefined>> = {
  i: 'isAnyCase',
  s: 'dotTakesLineEnds',
  m: 'isByLine',
  x: 'hasComments',
}

export const withFlags = (flags: Flags, on: string, off: string): Flags => {
  const changed = { ...flags }
  for (const [letters, value] of [[on, true] as const, [off, false] as const]) {
    for (const letter of letters) {
      const flag = FLAG_OF[letter]
      if (flag) changed[flag] = value
    }
  }
  return changed
}

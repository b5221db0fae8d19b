/** The labels that a failure found on the screen, as lines for people: the same on the terminal and on the pages. */
import { isObject } from './json.ts'
import { USE_NEAREST_HINT } from './step-answers.ts'

/** These details are lists of nodes of a screen. */
export const SCREEN_LISTS = ['onScreen', 'nearest'] as const

export const SCREEN_LIST_TITLES = { onScreen: 'On the screen', nearest: 'Nearest on the screen' } as const

interface ListedNode {
  ref?: unknown
  role?: unknown
  label?: unknown
}

/** `@12.3 button "Wi-Fi"`, as in a compact snapshot. */
const screenLine = ({ ref, role, label }: ListedNode): string =>
  [ref, role, label === undefined ? undefined : JSON.stringify(label)].filter(part => part !== undefined).join(' ')

export const screenLines = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter(isObject).map(screenLine) : []

/** Without the labels that have a list of their own. */
export const hintBesideLists = (
  hint: string | undefined,
  details: Readonly<Record<string, unknown>>,
): string | undefined => {
  if (screenLines(details.nearest).length > 0 && hint?.endsWith(USE_NEAREST_HINT)) return USE_NEAREST_HINT
  return screenLines(details.onScreen).length === 0 ? hint : hint?.replace(/ On the screen: ".*"\.$/su, '')
}

/** What is read of an element: its attributes by the names that Appium's UiAutomator2 driver knows, its text, its place. */

import { boundsText, type FoundNode, isOnScreen, type UiNode, type UiTree } from '../../../contracts/device/ui-tree.ts'
import { didYouMean } from '../../../runtime/text/nearest-word.ts'
import { shortText } from '../../../runtime/text/shortened-text.ts'

type Read = (found: FoundNode, tree: UiTree) => string | boolean | number | undefined

const flag =
  (key: keyof UiNode): Read =>
  ({ node }) =>
    node[key] === true

/** Nothing of a screen tells these: as for an element that has none. */
const unknown: Read = () => undefined

const hintOf: Read = ({ node }) => node.hint ?? node.hintText

const indexOf: Read = ({ node, parent }, { roots }) => (parent?.node.children ?? roots).indexOf(node)

/** The names of each attribute, as they are listed in errors, and how it is read. */
const ATTRIBUTES: readonly (readonly [names: readonly string[], read: Read])[] = [
  [['checkable'], flag('checkable')],
  [['checked'], flag('checked')],
  [['class', 'className'], ({ node }) => node.className],
  [['clickable'], flag('clickable')],
  [['content-desc', 'contentDescription'], ({ node }) => node.contentDesc || undefined],
  [['enabled'], flag('enabled')],
  [['focusable'], flag('focusable')],
  [['focused'], flag('focused')],
  [['long-clickable', 'longClickable'], flag('longClickable')],
  [['package'], ({ node }) => node.packageName],
  [['password'], flag('password')],
  [['resource-id', 'resourceId'], ({ node }) => node.resourceId || undefined],
  [['scrollable'], flag('scrollable')],
  [['selection-start'], unknown],
  [['selection-end'], unknown],
  [['selected'], flag('selected')],
  [['text', 'name'], ({ node }) => textOf(node)],
  [['hint'], hintOf],
  [['extras'], unknown],
  [['bounds'], ({ node }) => boundsText(node.bounds)],
  [['index'], indexOf],
  [['displayed'], ({ node }) => isDisplayed(node)],
]

const BY_NAME = new Map(ATTRIBUTES.flatMap(([names, read]) => names.map(name => [name.toLowerCase(), read] as const)))

const KNOWN = ATTRIBUTES.flatMap(([names]) => names)

const NAMES = ATTRIBUTES.map(([names]) => (names.length > 1 ? `{${names.join(',')}}` : names[0])).join(', ')

type ElementAttribute = { ok: true; value: string | null } | { ok: false; message: string }

/** Names in any case. `ok: false` for a name that no element has. */
export const attributeOf = (found: FoundNode, name: string, { tree }: { tree: UiTree }): ElementAttribute => {
  const read = BY_NAME.get(name.toLowerCase())
  if (!read) {
    const problem = `'${shortText(name)}' attribute is unknown for the element.${didYouMean(name, KNOWN)}`
    return { ok: false, message: `${problem} Only the following attributes are supported: [${NAMES}]` }
  }
  const value = read(found, tree)
  return { ok: true, value: value === undefined ? null : String(value) }
}

/** An empty field says its hint: so Android does, and so does Appium. */
export const textOf = (node: UiNode): string => node.text

export const isDisplayed = (node: UiNode): boolean => isOnScreen(node)

export interface ElementRect {
  x: number
  y: number
  width: number
  height: number
}

export const rectOf = ({ bounds: { left, top, right, bottom } }: UiNode): ElementRect => ({
  x: left,
  y: top,
  width: right - left,
  height: bottom - top,
})

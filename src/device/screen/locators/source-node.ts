/** A node as the page source shows it and XPath sees it: its tag and its attributes, as Appium's UiAutomator2 driver writes them. */

import { boundsText, isOnScreen, type UiNode, type UiTree } from '../../../contracts/device/ui-tree.ts'

const DEFAULT_TAG = 'android.view.View'

const NAME_START = '_A-Za-z\\u00C0-\\u00D6\\u00F8-\\u02FF\\u200C\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF'
/** Without the byte order mark, which most readers take for a blank. */
const NAME_START_HIGH = '\\uF900-\\uFDCF\\uFDF0-\\uFEFE\\uFF00-\\uFFFD\\u{10000}-\\u{EFFFF}'
const NO_START = new RegExp(`^[^${NAME_START}${NAME_START_HIGH}]+`, 'u')
const NO_NAME = new RegExp(`[^-.0-9\\u00B7\\u0300-\\u036F\\u203F\\u2040${NAME_START}${NAME_START_HIGH}]`, 'gu')

/** `$` of an inner class becomes a dot; other characters that no tag may have, an underscore. */
export const tagOf = (className: string): string => {
  const dotted = className
    .replace(/[$@#&]/g, '.')
    .replace(/\.+/g, '.')
    .replace(/^\.|\.$/g, '')
  return dotted.replace(NO_START, '').replace(NO_NAME, '_') || DEFAULT_TAG
}

const NO_XML = /[^\t\r\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/** XML 1.0 has no way to write control characters and halves of surrogate pairs. */
const legal = (text: string): string => text.replace(NO_XML, '?')

export type SourceAttribute = readonly [name: string, value: string]

const attribute = (name: string, value: string | undefined): SourceAttribute[] => (value ? [[name, legal(value)]] : [])

/** In the order of the source. `index` is the position among the siblings. */
export const sourceAttributes = (node: UiNode, index: number): SourceAttribute[] => [
  ['index', String(index)],
  ['package', legal(node.packageName)],
  ['class', legal(node.className)],
  ['text', legal(node.text)],
  ...attribute('content-desc', node.contentDesc),
  ...attribute('resource-id', node.resourceId),
  ['checkable', String(node.checkable)],
  ['checked', String(node.checked)],
  ['clickable', String(node.clickable)],
  ['enabled', String(node.enabled)],
  ['focusable', String(node.focusable)],
  ['focused', String(node.focused)],
  ['long-clickable', String(node.longClickable)],
  ['password', String(node.password)],
  ['scrollable', String(node.scrollable)],
  ['selected', String(node.selected)],
  ['bounds', boundsText(node.bounds)],
  ['displayed', String(isOnScreen(node))],
  ...attribute('hint', node.hint ?? node.hintText),
]

export interface SourceScreen {
  /** In pixels, as the screen is turned now. */
  width: number
  height: number
}

export const ROOT_TAG = 'hierarchy'

export const rootAttributes = ({ rotation }: Pick<UiTree, 'rotation'>, screen: SourceScreen): SourceAttribute[] => [
  ['index', '0'],
  ['class', ROOT_TAG],
  ['rotation', String(rotation)],
  ['width', String(screen.width)],
  ['height', String(screen.height)],
]

/** A node of a dump in the language of scenarios: what the language would say anyway is left out. */
import { type Bounds, intersection, type UiNode } from '../../contracts/device/ui-tree.ts'
import { NAME_CHARS_MAX, TEXT_CHARS_MAX } from '../scenario/field-schemas.ts'
import { DRAWING_ORDER, flagsOf, fullClassName, isEditable, type WrittenNode } from '../scenario/node.ts'

interface WriteOptions {
  /** The package of the app. */
  app: string
  /** Reports a fact that the scenario language cannot express. */
  note(message: string): void
  /** The effect of a tap on the node, if it is known. */
  tapOf?(node: UiNode): WrittenNode['onTap']
  /** Members that the node gets beyond the dump. */
  moreOf?(node: UiNode): Partial<WrittenNode> | undefined
}

const PLAIN_CLASS = 'android.view.View'
const BULLETS = /^•+$/

const classOf = (name: string, { note }: WriteOptions): string => {
  const short = name.slice(name.lastIndexOf('.') + 1)
  if (fullClassName(short) === name && short !== '' && short.length <= NAME_CHARS_MAX) return short
  if (name.includes('.') && name.length <= NAME_CHARS_MAX) return name
  note(`the class ${JSON.stringify(name.slice(0, 50))} is replaced by ${PLAIN_CLASS}`)
  return PLAIN_CLASS
}

const textOf = (text: string, { note }: WriteOptions): string => {
  if (text.length <= TEXT_CHARS_MAX) return text
  note(`a text of ${text.length} characters is cut at ${TEXT_CHARS_MAX}`)
  return text.slice(0, TEXT_CHARS_MAX)
}

/** A dump shows bullets for a password, or the hint of the empty field. */
const wordsOf = (node: UiNode, options: WriteOptions) => {
  const text = textOf(node.text, options)
  const isEmptyField = node.hint === node.text && isEditable(node.className)
  const isHint = text !== '' && (isEmptyField || (node.password && !BULLETS.test(text)))
  return isHint ? { hint: text } : { text }
}

type Flags = Partial<ReturnType<typeof flagsOf>>

/** Each flag may decide those after it. */
const flagsFor = (node: UiNode, className: string): Flags => {
  const flags: Flags = node.checked ? { checked: true } : {}
  for (const flag of ['checkable', 'clickable', 'focusable', 'longClickable'] as const) {
    if (flagsOf(flags, className)[flag] !== node[flag]) flags[flag] = node[flag]
  }
  return flags
}

const sameBounds = (a: Bounds | undefined, b: Bounds) =>
  a !== undefined && a.left === b.left && a.top === b.top && a.right === b.right && a.bottom === b.bottom

/** Drops the keys that hold a default. */
const withoutDefaults = (node: WrittenNode): WrittenNode =>
  Object.fromEntries(
    Object.entries(node).filter(([, value]) => value !== undefined && value !== '' && value !== false),
  ) as WrittenNode

/** `clip` is what can be seen of what is around it. */
export const writeNode = (node: UiNode, clip: Bounds, options: WriteOptions): WrittenNode => {
  const { left, top, right, bottom } = node.bounds
  const name = classOf(node.className, options)
  const onTap = options.tapOf?.(node)
  const isInside = sameBounds(intersection(node.bounds, clip), node.bounds)
  const { enabled, focused, scrollable, password, selected, drawingOrder, children } = node
  return {
    class: name,
    ...withoutDefaults({
      ...wordsOf(node, options),
      resourceId: textOf(node.resourceId, options),
      contentDesc: textOf(node.contentDesc, options),
    }),
    ...(node.packageName === options.app ? {} : { package: textOf(node.packageName, options) }),
    ...flagsFor(node, fullClassName(name)),
    ...withoutDefaults({ focused, scrollable, password, selected }),
    ...(enabled ? {} : { enabled }),
    bounds: [left, top, right, bottom],
    ...(isInside ? {} : { clip: false }),
    ...(drawingOrder === undefined ? {} : { drawingOrder: Math.min(drawingOrder, DRAWING_ORDER.max) }),
    ...(onTap === undefined ? {} : { onTap }),
    ...options.moreOf?.(node),
    ...(children.length === 0 ? {} : { nodes: children.map(child => writeNode(child, node.bounds, options)) }),
  }
}

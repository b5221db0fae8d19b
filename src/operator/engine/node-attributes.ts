/** The attributes of a node in hierarchy XML, in the order in which they are written. `index` goes before them, `bounds` after. */
import type { UiNode } from './ui-tree.ts'

export type TextKey = 'text' | 'resourceId' | 'className' | 'packageName' | 'contentDesc'
export type FlagKey = Exclude<keyof UiNode, TextKey | 'hint' | 'drawingOrder' | 'bounds' | 'children'>

export const TEXT_ATTRIBUTES: readonly (readonly [attribute: string, key: TextKey])[] = [
  ['text', 'text'],
  ['resource-id', 'resourceId'],
  ['class', 'className'],
  ['package', 'packageName'],
  ['content-desc', 'contentDesc'],
]

export const FLAG_ATTRIBUTES: readonly (readonly [attribute: string, key: FlagKey])[] = [
  ['checkable', 'checkable'],
  ['checked', 'checked'],
  ['clickable', 'clickable'],
  ['enabled', 'enabled'],
  ['focusable', 'focusable'],
  ['focused', 'focused'],
  ['scrollable', 'scrollable'],
  ['long-clickable', 'longClickable'],
  ['password', 'password'],
  ['selected', 'selected'],
]

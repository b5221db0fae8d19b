/** Trees of nodes, written shortly. */
import type { UiNode, UiTree } from '../../../src/contracts/device/ui-tree.ts'

const PLAIN: UiNode = {
  ...{ text: '', resourceId: '', className: 'android.widget.FrameLayout', packageName: 'com.example' },
  ...{ contentDesc: '', checkable: false, checked: false, clickable: false, enabled: true, focusable: false },
  ...{ focused: false, scrollable: false, longClickable: false, password: false, selected: false },
  bounds: { left: 0, top: 0, right: 1_080, bottom: 2_400 },
  children: [],
}

/** `Button` is `android.widget.Button`. */
export const uiNode = (kind: string, more: Partial<UiNode> = {}, children: readonly UiNode[] = []): UiNode => ({
  ...PLAIN,
  className: `android.widget.${kind}`,
  ...more,
  children,
})

export const textNode = (text: string, more: Partial<UiNode> = {}) => uiNode('TextView', { text, ...more })
export const buttonNode = (text: string, more: Partial<UiNode> = {}) =>
  uiNode('Button', { text, clickable: true, ...more })
export const frameNode = (...children: UiNode[]) => uiNode('FrameLayout', {}, children)
export const treeOf = (...roots: UiNode[]): UiTree => ({ rotation: 0, roots })

/** Parts of screens in which elements are found again. */
import type { UiNode } from '../../../src/contracts/device/ui-tree.ts'
import { node, screen } from './fake-ui-driver.ts'

export const label = (text: string, more: Partial<UiNode> = {}) =>
  node({ className: 'android.widget.TextView', text, ...more })
export const button = (text: string, more: Partial<UiNode> = {}) =>
  node({ className: 'android.widget.Button', text, clickable: true, ...more })
export const field = (more: Partial<UiNode> = {}) =>
  node({ className: 'android.widget.EditText', focusable: true, ...more })
export const group = (...children: UiNode[]) => node({ className: 'android.widget.LinearLayout', children })

/** Rows of 100 pixels, from an offset; only those in sight are in the tree. */
const list = (rows: readonly UiNode[], offset = 0, shown = 5) => {
  const placed = rows.map((row, index) => {
    const top = 200 + index * 100 - offset
    return { ...row, bounds: { left: 0, top, right: 400, bottom: top + 100 } }
  })
  return node({
    className: 'androidx.recyclerview.widget.RecyclerView',
    resourceId: 'app:id/list',
    scrollable: true,
    bounds: { left: 0, top: 200, right: 400, bottom: 200 + shown * 100 },
    children: placed.filter(({ bounds }) => bounds.bottom > 200 && bounds.top < 200 + shown * 100),
  })
}

export const NAMES = ['Milk', 'Bread', 'Eggs', 'Salt', 'Tea', 'Rice', 'Oats', 'Soup', 'Corn', 'Figs']
export const cartRow = (name: string, count = 1) =>
  group(label(name), label(`${count}`), button('', { contentDesc: 'Add' }), button('', { contentDesc: 'Remove' }))

export const shop = (rows: readonly UiNode[], offset = 0) =>
  screen(node({ children: [label('Groceries'), label('12:30'), button('Check out'), list(rows, offset)] }))

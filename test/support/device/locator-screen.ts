/** A screen of a shop for locators: a title, a form, and a list of rows with the same parts. */
import type { UiNode } from '../../../src/contracts/device/ui-tree.ts'
import { node, screen } from './fake-ui-driver.ts'

export const SHOP = 'com.example.shop'

const part = (kind: string, more: Partial<UiNode> = {}) =>
  node({ className: `android.widget.${kind}`, packageName: SHOP, ...more })

const row = (name: string, price: string, at: number) =>
  part('LinearLayout', {
    resourceId: `${SHOP}:id/row`,
    bounds: { left: 0, top: at, right: 1_080, bottom: at + 100 },
    children: [
      part('TextView', { text: name, resourceId: `${SHOP}:id/name` }),
      part('TextView', { text: price, resourceId: `${SHOP}:id/price` }),
      part('Button', { text: 'Buy', contentDesc: `Buy ${name}`, clickable: true }),
    ],
  })

export const shopTree = screen(
  part('FrameLayout', {
    bounds: { left: 0, top: 0, right: 1_080, bottom: 2_208 },
    children: [
      part('TextView', { text: 'Shop "24" & more', resourceId: 'android:id/title' }),
      part('EditText', { text: 'Name', hint: 'Name', resourceId: `${SHOP}:id/name_field`, focusable: true }),
      part('CheckBox', { text: 'Gift', checkable: true, checked: true, enabled: false }),
      node({ className: 'androidx.appcompat.app.ActionBar$Tab', text: 'Offers\nof today', selected: true }),
      node({ className: 'android.view.View', resourceId: 'compose_tag', text: 'Tagged', packageName: SHOP }),
      node({
        className: 'androidx.recyclerview.widget.RecyclerView',
        resourceId: `${SHOP}:id/list`,
        scrollable: true,
        children: [row('Chair', '10 €', 400), row('Table', '20 €', 500), row('Lamp', '5 €', 600)],
      }),
    ],
  }),
)

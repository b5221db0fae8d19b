/** A simulated shop in a web view, and the same page in an app whose web views nobody may inspect. */
import { readScenario } from '../../../src/simulator/scenario/scenario.ts'

export const WEB_SHOP = 'com.example.webshop'
export const CLOSED_SHOP = 'com.example.closedshop'

const row = (name: string) => ({
  layout: 'row',
  height: 60,
  element: { tag: 'li', class: 'good', accessible: false, attributes: { 'data-name': name } },
  nodes: [
    { text: name, width: 120, element: { tag: 'span' } },
    { class: 'Button', text: 'Buy', width: 90, element: { class: 'buy main' }, onTap: { goTo: `bought-${name}` } },
  ],
})

const shop = (debuggable: boolean) => ({
  nodes: [
    { text: 'Native title', height: 40 },
    {
      page: { title: 'Web shop', debuggable },
      fill: true,
      nodes: [
        { text: 'Goods', textSize: 24, element: { tag: 'h1', id: 'title' } },
        // Drawn without a word for accessibility, as many icons of pages are.
        {
          id: 'cart',
          height: 40,
          element: { id: 'cart', accessible: false },
          onTap: { goTo: 'cart' },
          icon: '#202124',
        },
        {
          element: { tag: 'form', id: 'search', accessible: false },
          nodes: [
            { hint: 'Find', element: { attributes: { name: 'q' } } },
            { class: 'Button', text: 'Go', enabled: false, element: { attributes: { type: 'submit' } } },
          ],
        },
        { element: { tag: 'ul', accessible: false }, nodes: ['Chair', 'Table'].map(row) },
        {
          scrollable: true,
          fill: true,
          nodes: Array.from({ length: 20 }, (_, at) => ({
            text: `Note ${at + 1}`,
            height: 40,
            element: { tag: 'p', class: at === 15 ? 'last note' : 'note' },
          })),
        },
      ],
    },
  ],
})

const app = (name: string, debuggable: boolean) => ({
  package: name,
  label: debuggable ? 'Web shop' : 'Closed shop',
  screens: {
    main: shop(debuggable),
    cart: { nodes: [{ text: 'The cart is empty' }] },
    'bought-Chair': { nodes: [{ text: 'Chair bought' }] },
    'bought-Table': { nodes: [{ text: 'Table bought' }] },
  },
})

export const WEB_SHOP_SCENARIO = {
  front: WEB_SHOP,
  timeScale: 0.05,
  apps: [app(WEB_SHOP, true), app(CLOSED_SHOP, false)],
}

export const webShop = () => {
  const read = readScenario(JSON.stringify(WEB_SHOP_SCENARIO))
  if (!read.ok) throw new Error(read.error)
  return read.scenario
}

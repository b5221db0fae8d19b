/** Elements of a page as nodes of the screen. */
import { describe, expect, test } from 'vitest'
import type { UiNode } from '../../../src/contracts/device/ui-tree.ts'
import type { PageElement } from '../../../src/device/pages/page-answer.ts'
import { withPage } from '../../../src/device/pages/page-nodes.ts'
import { withoutPauses } from '../../../src/runtime/yielding.ts'
import { box, node } from '../../support/device/fake-ui-driver.ts'

const element = (given: Partial<PageElement>): PageElement => ({
  ...{ parent: -1, box: [0, 0, 100, 20], kind: 'div', id: '', text: '', label: '', hint: '', css: [], flags: [] },
  ...given,
})

/** A web view of 800 by 1,600 pixels at 0,200 that shows 400 by 800 CSS pixels. */
const VIEW = { left: 0, top: 0, width: 400, height: 800 }
const shown = (
  elements: PageElement[],
  { view = VIEW, native = [] }: { view?: typeof VIEW; native?: UiNode[] } = {},
) => {
  const bounds = box([0, 200, 800, 1_800])
  const webView = node({ at: [0, 200, 800, 1_800], className: 'android.webkit.WebView', children: native })
  const page = { title: 'Page', isHidden: false, isFull: false, view, elements }
  return withoutPauses(withPage({ view: webView, bounds, page, css: ['.a', '#b'] }))
}

describe('places', () => {
  test('CSS pixels are scaled to those of the screen, from where the web view is', () => {
    const [found] = shown([element({ box: [10, 20, 110, 40], text: 'Buy', css: [1] })])
    expect(found?.bounds).toEqual(box([20, 240, 220, 280]))
    expect(found?.css).toEqual(['#b'])
  })

  test('a page that is zoomed and moved shows a part of itself', () => {
    const view = { left: 100, top: 50, width: 200, height: 400 }
    expect(shown([element({ box: [110, 60, 120, 70] })], { view })[0]?.bounds).toEqual(box([40, 240, 80, 280]))
  })

  test('what the web view cuts off is no node, and what is inside of it moves up', () => {
    const outside = element({ box: [0, 900, 100, 1_000], id: 'outside' })
    const nodes = shown([outside, element({ parent: 0, box: [0, 0, 10, 10], id: 'inside' })])
    expect(nodes.map(({ resourceId }) => resourceId)).toEqual(['inside'])
  })
})

describe('what they are', () => {
  test('an empty field shows its hint, a filled one keeps it', () => {
    const [empty, filled] = shown([
      element({ kind: 'field', hint: 'Find', flags: ['focused'] }),
      element({ kind: 'field', hint: 'Find', text: 'Sofa', box: [0, 50, 100, 70] }),
    ])
    expect(empty).toMatchObject({ text: 'Find', hint: 'Find', focused: true, className: 'android.widget.EditText' })
    expect(filled).toMatchObject({ text: 'Sofa', hintText: 'Find', focused: false })
  })

  test('kinds of elements that are names of built-in members are plain views', () => {
    expect(shown([element({ kind: 'constructor' })])[0]?.className).toBe('android.view.View')
  })

  test('elements are inside of each other', () => {
    const [form] = shown([element({ id: 'form' }), element({ parent: 0, id: 'field', box: [0, 0, 50, 20] })])
    expect(form?.children.map(({ resourceId }) => resourceId)).toEqual(['field'])
  })
})

describe('nodes of the accessibility tree', () => {
  test('that are the same element give what they know, and what is in them stays', () => {
    const icon = node({ contentDesc: 'icon', at: [5, 205, 15, 215] })
    const button = node({ text: 'Buy', at: [0, 201, 200, 241], longClickable: true, children: [icon] })
    const nodes = shown([element({ text: 'Buy', kind: 'button' })], { native: [button] })
    expect(nodes.map(each => each.text || each.contentDesc)).toEqual(['icon', 'Buy'])
    expect(nodes[1]).toMatchObject({ longClickable: true, css: [] })
  })

  test.each([
    ['that say something else', node({ text: 'Sell', at: [0, 200, 200, 240] })],
    ['that are elsewhere', node({ text: 'Buy', at: [0, 300, 200, 340] })],
  ])('%s stay beside it', (_name, native) => {
    expect(shown([element({ text: 'Buy' })], { native: [native] })).toHaveLength(2)
  })
})

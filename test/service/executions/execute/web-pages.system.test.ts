/** Selectors of web pages in executions, with every operator. */
import { describe, expect, test } from 'vitest'
import { CLOSED_SHOP, WEB_SHOP, webShop } from '../../../support/device/web-shop.ts'
import { OPERATORS, operatorLab } from '../../../support/executions/operator-lab.ts'

const flow = (selector: object) => ({ flow: selector })

describe.each(OPERATORS)('%s', operatorPackage => {
  const { envelopeOf, dataOf } = operatorLab(operatorPackage, webShop())
  const open = (applicationId = WEB_SHOP): [string, object] => ['open_app', { applicationId, stopFirst: true }]

  test('an element that only the page knows is waited for, touched, and then another screen is there', async () => {
    const matcher = flow({ css: '#cart' })
    const unseen = await envelopeOf(open(), ['wait_for_node', { matcher: flow({ id: 'cart' }), timeoutMs: 1 }])
    expect(unseen.error?.code).toBe('NODE_NOT_FOUND')
    await dataOf(
      ['wait_for_node', { matcher, timeoutMs: 5_000 }],
      ['click', { matcher }],
      ['wait_for_node', { matcher: flow({ text: 'The cart is empty' }), timeoutMs: 5_000 }],
      ['wait_for_node', { matcher, timeoutMs: 5_000, state: 'gone' }],
    )
  })

  test('elements and native nodes are related to each other', async () => {
    const inRow = flow({ css: 'button.buy', childOf: { css: 'li[data-name="Table"]' } })
    const [, title, , bought] = await dataOf(
      open(),
      ['read_text', { matcher: flow({ css: 'h1, h2', below: { text: 'Native title' } }) }],
      ['click', { matcher: inRow }],
      ['read_text', { matcher: flow({ text: '.* bought' }) }],
    )
    expect(title?.text).toBe('Goods')
    expect(bought?.text).toBe('Table bought')
    const [, second] = await dataOf(open(), ['read_text', { matcher: flow({ css: 'li.good', index: 1 }) }])
    expect(second?.text).toBe('Table Buy')
  })

  test('a field of a page is filled, and says so', async () => {
    const field = flow({ css: 'form#search input[name=q]' })
    const [, hint, , , typed] = await dataOf(
      open(),
      ['read_text', { matcher: field, orHint: true }],
      ['click', { matcher: field }],
      ['enter_text', { text: 'Sofa', append: true }],
      ['read_text', { matcher: field }],
    )
    expect(hint?.text).toBe('Find')
    expect(typed?.text).toBe('Sofa')
  })

  test('a list in a page is scrolled until the element is there', async () => {
    const matcher = flow({ css: 'p.last' })
    const params = { matcher, container: { role: 'list' }, maxScrolls: 20 }
    const [, end] = await dataOf(open(), ['scroll_until', params])
    expect(end).toMatchObject({ termination_reason: 'target_found' })
    expect(Number(end?.scrolls_executed)).toBeGreaterThan(0)
  })

  test('with web elements, texts and ids are those of the page too, each once', async () => {
    const [, cart, buttons] = await dataOf(
      open(),
      ['wait_for_node', { matcher: flow({ id: 'cart', webElements: true }), timeoutMs: 5_000 }],
      ['read_text', { matcher: flow({ text: 'Buy', webElements: true }), all: true }],
    )
    expect(cart?.resource_id).toBe('cart')
    expect(buttons?.count).toBe('2')
  })

  test('a selector that is none ends the step at once', async () => {
    const wait = { matcher: flow({ css: 'li[' }), timeoutMs: 50_000 }
    const { error, stepResults } = await envelopeOf(open(), ['wait_for_node', wait])
    expect(stepResults[1]?.data.invalid_selector).toBe('li[')
    expect(error).toMatchObject({
      code: 'EXECUTION_ACTION_UNSUPPORTED',
      message: expect.stringContaining('the page does not take the css selector "li["'),
    })
  })

  test('an app that lets nobody inspect it is named as the reason, and proves nothing gone', async () => {
    const matcher = flow({ css: '#cart' })
    const missing = await envelopeOf(open(CLOSED_SHOP), ['read_text', { matcher }])
    expect(missing.error).toMatchObject({
      code: 'NODE_NOT_FOUND',
      message: expect.stringContaining('does not let its web views be inspected'),
      hint: expect.stringContaining('WebView.setWebContentsDebuggingEnabled(true)'),
    })
    const gone = await envelopeOf(['wait_for_node', { matcher, timeoutMs: 500, state: 'gone' }])
    expect(gone.error).toMatchObject({ code: 'NODE_STILL_VISIBLE' })
    const [seen] = await dataOf(['read_text', { matcher: flow({ text: 'Goods', webElements: true }) }])
    expect(seen?.text).toBe('Goods')
  })
})

/** The rules by which selectors of flows mean nodes, over one screen. */
import { describe, expect, test } from 'vitest'
import { FlowSelector } from '../../../../src/contracts/flows/flow-selector.ts'
import { searchingFlow } from '../../../../src/device/screen/patterns/flow-search.ts'
import { describeFlowSelector, pagesOfFlow } from '../../../../src/device/screen/patterns/flow-words.ts'
import { findAll } from '../../../../src/device/screen/search.ts'
import { withoutPauses } from '../../../../src/runtime/yielding.ts'
import { accept } from '../../../contracts/parse.ts'
import { node, screen } from '../../../support/device/fake-ui-driver.ts'

const label = (text: string, at: [number, number, number, number], more = {}) => node({ text, at, ...more })
const row = (name: string, top: number, children: ReturnType<typeof node>[]) =>
  node({ resourceId: `app:id/row`, contentDesc: name, at: [0, top, 1_000, top + 100], clickable: true, children })

const LONG = 'word '.repeat(60)

/** A title, a form, and a list of two cards with the same buttons. */
const tree = screen(
  node({
    resourceId: 'app:id/root',
    at: [0, 0, 1_000, 2_000],
    children: [
      label('Shop', [0, 0, 1_000, 100], { resourceId: 'app:id/title' }),
      node({
        resourceId: 'app:id/form',
        at: [0, 100, 1_000, 400],
        children: [
          label('E-mail', [0, 100, 500, 200], {
            resourceId: 'app:id/email',
            hint: 'E-mail',
            focused: true,
            clickable: true,
          }),
          label('ann', [0, 200, 500, 300], { resourceId: 'app:id/name', hintText: 'Your name', clickable: true }),
          label('Send', [500, 200, 900, 300], { enabled: false, clickable: true }),
          label('Send', [0, 300, 100, 400], { checked: true, selected: true }),
        ],
      }),
      node({
        resourceId: 'app:id/list',
        at: [0, 400, 1_000, 900],
        children: [
          row('Card two', 600, [
            label('Chair\nblue', [0, 600, 400, 650]),
            label('Buy', [800, 620, 900, 680]),
            node({ contentDesc: 'Save', at: [900, 600, 1_000, 700], clickable: true }),
          ]),
          row('Card one', 400, [
            label('Table (oak)', [0, 400, 400, 450]),
            label('Buy', [800, 420, 900, 480]),
            node({ contentDesc: 'Save', at: [900, 400, 1_000, 500] }),
          ]),
          label('hidden', [0, 0, 0, 0]),
        ],
      }),
      label(LONG, [0, 900, 1_000, 1_200], { resourceId: 'plain_id' }),
      node({
        resourceId: 'app:id/pay',
        contentDesc: 'Pay',
        at: [0, 1_200, 400, 1_290],
        selected: true,
        children: [label('Pay', [0, 1_210, 300, 1_270])],
      }),
    ],
  }),
)

const placeOf = ({ node: { text, resourceId, contentDesc, bounds } }: { node: ReturnType<typeof node> }) =>
  `${text.slice(0, 11) || contentDesc || resourceId.replace('app:id/', '#')}@${bounds.left},${bounds.top}`
const found = (selector: FlowSelector) =>
  withoutPauses(searchingFlow(tree.roots, accept(FlowSelector, selector))).map(placeOf)

const CHAIR = 'Chair\nblue@0,600'
const TABLE = 'Table (oak)@0,400'

describe('one key', () => {
  test.each<[name: string, selector: FlowSelector, found: string[]]>([
    ['a text', { text: 'Shop' }, ['Shop@0,0']],
    ['a text in any case', { text: 'shop' }, ['Shop@0,0']],
    ['a part of a text', { text: 'Sho' }, []],
    ['a pattern', { text: 'Sh.p' }, ['Shop@0,0']],
    ['a pattern over the whole text', { text: '.*oak.*' }, [TABLE]],
    ['a text that a pattern would not match', { text: 'Table (oak)' }, [TABLE]],
    ['a text over two lines, with a blank', { text: 'Chair blue' }, [CHAIR]],
    ['a text over two lines, by a dot', { text: 'Chair.blue' }, [CHAIR]],
    ['a content description', { text: 'Card one' }, ['Card one@0,400']],
    ['the hint of an empty field', { text: 'e-mail' }, ['E-mail@0,100']],
    ['the hint of a field with a text', { text: 'Your name' }, ['ann@0,200']],
    ['the text of that field', { text: 'ann' }, ['ann@0,200']],
    ['what can be clicked comes first', { text: 'Send' }, ['Send@500,200', 'Send@0,300']],
    ['what can be clicked, later in the tree', { text: 'save' }, ['Save@900,600', 'Save@900,400']],
    ['the first in the tree of two alike', { text: 'Buy' }, ['Buy@800,620', 'Buy@800,420']],
    ['nothing that is not on the screen', { text: 'hidden' }, []],
    ['several texts', { text: 'Shop|Buy' }, ['Shop@0,0', 'Buy@800,620', 'Buy@800,420']],
    ['the deepest match wins', { text: '.*', childOf: { text: 'Card two' } }, ['Save@900,600', CHAIR, 'Buy@800,620']],
    ['an id without its package', { id: 'title' }, ['Shop@0,0']],
    ['a whole id', { id: 'app:id/title' }, ['Shop@0,0']],
    ['an id in any case', { id: 'TITLE' }, ['Shop@0,0']],
    ['an id as a pattern', { id: '.*mail' }, ['E-mail@0,100']],
    ['an id without a slash', { id: 'plain_.d' }, [`${LONG.slice(0, 11)}@0,900`]],
    ['the deepest of the ids', { id: '(form|name|root)' }, ['ann@0,200']],
    ['an id of several', { id: 'row' }, ['Card two@0,600', 'Card one@0,400']],
    ['a part of an id', { id: 'tit' }, []],
    ['a width', { width: 500 }, ['E-mail@0,100', 'ann@0,200']],
    ['a height', { height: 300, width: 1_000 }, ['#form@0,100', `${LONG.slice(0, 11)}@0,900`]],
    ['a size, nearly', { width: 105, height: 60, tolerance: 5 }, ['Buy@800,620', 'Buy@800,420']],
    ['a size, not near enough', { width: 106, height: 60, tolerance: 5 }, []],
    ['enabled', { text: 'Send', enabled: true }, ['Send@0,300']],
    ['not enabled', { enabled: false }, ['Send@500,200']],
    ['checked', { checked: true }, ['Send@0,300']],
    ['selected', { selected: true }, ['Send@0,300', 'Pay@0,1200']],
    ['focused', { focused: true }, ['E-mail@0,100']],
    ['a long text', { traits: ['long-text'] }, [`${LONG.slice(0, 11)}@0,900`]],
    ['a square', { traits: ['square'] }, ['Save@900,600', 'Send@0,300', 'Save@900,400']],
    ['two traits', { traits: ['square', 'text'] }, ['Send@0,300']],
    ['the second from above', { text: 'Buy', index: 1 }, ['Buy@800,620']],
    ['the first from above', { text: 'Buy', index: 0 }, ['Buy@800,420']],
    ['in one line, from the left', { text: 'Send|ann', index: 1 }, ['Send@500,200']],
    ['the last', { text: 'Buy', index: -1 }, ['Buy@800,620']],
    ['before the first', { text: 'Buy', index: -3 }, []],
    ['behind the last', { text: 'Buy', index: 2 }, []],
    ['an index alone', { index: 1 }, ['Shop@0,0']],
  ])('%s', (_name, selector, expected) => {
    expect(found(selector)).toEqual(expected)
  })
})

describe('keys together', () => {
  test.each<[name: string, selector: FlowSelector, found: string[]]>([
    ['text and id', { text: 'ann', id: 'name' }, ['ann@0,200']],
    ['text and the id of the one around it', { text: 'Pay', id: 'pay' }, ['Pay@0,1200']],
    ['text alone, of two in each other', { text: 'Pay' }, ['Pay@0,1210']],
    ['text and a state of the one around it', { text: 'Pay', selected: true }, ['Pay@0,1200']],
    ['text and another id', { text: 'ann', id: 'email' }, []],
    ['below, by the upper edges', { text: 'Buy', below: { text: 'Table (oak)' } }, ['Buy@800,620', 'Buy@800,420']],
    ['below the lower one', { text: 'Buy', below: { text: 'Chair blue' } }, ['Buy@800,620']],
    ['not below itself', { text: 'Shop', below: { text: 'Shop' } }, []],
    ['above', { text: 'Buy', above: { text: 'Chair blue' } }, ['Buy@800,420']],
    ['leftOf', { text: 'Send', leftOf: { text: 'Send', enabled: false } }, ['Send@0,300']],
    ['rightOf', { text: 'Send', rightOf: { text: 'ann' } }, ['Send@500,200']],
    [
      'a relation alone, what can be clicked and is nearest first',
      { rightOf: { text: 'Table (oak)' }, index: 0 },
      ['Send@500,200'],
    ],
    [
      'the nearest of those that cannot be clicked',
      { below: { id: 'title' }, focused: false, traits: ['text'], enabled: false },
      ['Send@500,200'],
    ],
    ['a relation to nothing', { text: 'Buy', below: { text: 'Sofa' } }, []],
    ['below one of several', { text: 'Buy', below: { text: 'Buy' } }, ['Buy@800,620']],
    ['below the one with an index', { text: 'Buy', below: { text: 'Buy', index: -1 } }, []],
    ['childOf', { text: 'Buy', childOf: { text: 'Card one' } }, ['Buy@800,420']],
    ['childOf, at any depth', { text: 'Buy', childOf: { id: 'list' } }, ['Buy@800,620', 'Buy@800,420']],
    ['childOf, two levels', { text: 'Buy', childOf: { text: 'Card one', childOf: { id: 'list' } } }, ['Buy@800,420']],
    ['childOf in another parent', { text: 'Buy', childOf: { text: 'Card one', childOf: { id: 'form' } } }, []],
    ['childOf the first parent only', { text: 'Buy', childOf: { id: 'row' } }, ['Buy@800,620']],
    ['childOf, with an index among the parents', { text: 'Buy', childOf: { id: 'row', index: 0 } }, ['Buy@800,420']],
    ['childOf nothing', { text: 'Buy', childOf: { id: 'nothing' } }, []],
    ['childOf, the parent itself', { id: 'list', childOf: { id: 'list' } }, ['#list@0,400']],
    ['a child and its index', { childOf: { id: 'form' }, index: -1 }, ['Send@0,300']],
    ['relations look inside of the parent only', { text: 'Buy', below: { id: 'title' }, childOf: { id: 'list' } }, []],
    ['containsChild', { containsChild: { text: 'Chair blue' } }, ['Card two@0,600']],
    ['containsChild is about children alone', { id: 'list', containsChild: { text: 'Chair blue' } }, []],
    ['containsDescendants', { id: 'list', containsDescendants: [{ text: 'Chair blue' }] }, ['#list@0,400']],
    [
      'containsDescendants, all of them',
      { containsDescendants: [{ text: 'Table.*' }, { text: 'Buy' }] },
      ['Card one@0,400', '#root@0,0', '#list@0,400'],
    ],
    ['containsDescendants, one missing', { containsDescendants: [{ text: 'Table.*' }, { text: 'Sofa' }] }, []],
    ['a node does not contain itself', { id: 'title', containsDescendants: [{ text: 'Shop' }] }, []],
    ['relations in relations', { text: 'Buy', below: { text: 'Buy', above: { text: 'Chair blue' } } }, ['Buy@800,620']],
  ])('%s', (_name, selector, expected) => {
    expect(found(selector)).toEqual(expected)
  })
})

test('without a part of its own a relation puts the nearest first', () => {
  const steps = [300, 100, 200].map(top => label(String(top), [0, top, 10, top + 10]))
  const roots = [node({ at: [0, 0, 10, 10], text: 'top' }), ...steps]
  const below = withoutPauses(searchingFlow(roots, { below: { text: 'top' } }))
  expect(below.map(each => each.node.text)).toEqual(['100', '200', '300'])
})

test('a css selector means the elements of a page that say it finds them', () => {
  const link = label('Shop', [0, 0, 50, 10], { css: ['a', 'main a'] })
  const main = node({ at: [0, 0, 100, 100], css: ['main'], children: [link, label('Shop', [0, 20, 50, 30])] })
  const search = (selector: FlowSelector) =>
    withoutPauses(searchingFlow([label('Shop', [0, 200, 50, 210]), main], selector)).map(each => each.node)
  expect(search({ css: 'a' })).toEqual([link])
  expect(search({ text: 'Shop', childOf: { css: 'main' } })).toEqual(main.children)
  expect(search({ text: 'Nothing', css: 'a' })).toEqual([])
  expect(search({ css: 'nav' })).toEqual([])
})

test('a selector says which pages it needs', () => {
  expect(pagesOfFlow({ text: 'Shop', below: { id: 'x' } })).toBeUndefined()
  expect(pagesOfFlow({ css: 'a', index: 1 })).toEqual({ css: ['a'], all: false })
  expect(pagesOfFlow({ css: 'a', childOf: { css: 'li' }, below: { css: 'a' } })).toEqual({
    css: ['a', 'li'],
    all: false,
  })
  expect(pagesOfFlow({ css: 'a', below: { text: 'Shop' } })).toEqual({ css: ['a'], all: true })
  expect(pagesOfFlow({ text: 'Shop', webElements: true })).toEqual({ css: [], all: true })
  expect(describeFlowSelector({ text: 'Shop', webElements: true })).toBe('text=Shop')
})

test('a tree deeper than the stack is searched', () => {
  let deep = label('end', [0, 0, 10, 10])
  for (let level = 0; level < 20_000; level++) deep = node({ at: [0, 0, 10, 10], children: [deep] })
  const all = withoutPauses(
    searchingFlow([deep], { text: 'end', childOf: { containsDescendants: [{ text: 'end' }], index: -1 } }),
  )
  expect(all).toHaveLength(1)
})

test('a matcher of svc holds such a selector, and a container narrows it', () => {
  const names = [...findAll(tree.roots, { flow: { text: 'Buy' } })].map(placeOf)
  expect(names).toEqual(['Buy@800,620', 'Buy@800,420'])
})

test('messages name the whole selector', () => {
  const selector: FlowSelector = {
    text: 'Buy',
    below: { id: 'title' },
    containsDescendants: [{ text: 'a' }, { text: 'b' }],
  }
  expect(describeFlowSelector(selector)).toBe(
    'text=Buy, below=(id=title), containsDescendants=(text=a), containsDescendants=(text=b)',
  )
})

import { describe, expect, test } from 'vitest'
import type { Matcher } from '../../../src/contracts/executions/matcher.ts'
import { identifyElement } from '../../../src/device/screen/elements/element-identity.ts'
import { describeMatcher } from '../../../src/device/screen/match.ts'
import { findAll, searching } from '../../../src/device/screen/search.ts'
import { withoutPauses } from '../../../src/runtime/yielding.ts'
import { node, screen } from '../../support/device/fake-ui-driver.ts'

const label = (text: string, at: [number, number, number, number], more = {}) => node({ text, at, ...more })

/** Two rows that touch, each with a title on the left and a switch on the right; the lower one comes first in the tree. */
const tree = screen(
  node({
    at: [0, 0, 1_000, 100],
    resourceId: 'bar',
    children: [label('Settings', [0, 0, 400, 100]), label('Help', [800, 0, 1_000, 100], { enabled: false })],
  }),
  node({
    at: [0, 100, 1_000, 500],
    resourceId: 'list',
    children: [
      node({
        at: [0, 300, 1_000, 500],
        resourceId: 'row',
        selected: true,
        children: [
          label('Bluetooth', [0, 300, 400, 500]),
          node({ at: [900, 300, 1_000, 500], resourceId: 'switch', checked: true }),
        ],
      }),
      node({
        at: [0, 100, 1_000, 300],
        resourceId: 'row',
        children: [
          label('Wi-Fi', [0, 100, 400, 300]),
          node({ at: [900, 100, 1_000, 300], resourceId: 'switch', focused: true }),
          label('hidden', [0, 0, 0, 0]),
        ],
      }),
    ],
  }),
)

const place = ({ node: { text, resourceId, bounds } }: { node: ReturnType<typeof node> }) =>
  text || `${resourceId}@${bounds.left},${bounds.top}`
const found = (matcher: Matcher) => [...findAll(tree.roots, matcher)].map(place)

describe('each key', () => {
  test.each<[name: string, matcher: Matcher, found: string[]]>([
    ['a pattern', { textMatches: 'wi.?fi|help' }, ['Help', 'Wi-Fi']],
    ['enabled', { textMatches: '[HS].*', enabled: true }, ['Settings']],
    ['not enabled', { enabled: false }, ['Help']],
    ['checked', { checked: true }, ['switch@900,300']],
    ['not checked', { resourceId: 'switch', checked: false }, ['switch@900,100']],
    ['selected', { selected: true }, ['row@0,300']],
    ['focused', { focused: true }, ['switch@900,100']],
    ['right of, not below', { resourceId: 'switch', rightOf: { textEquals: 'Help' } }, []],
    [
      'below, the nearest first',
      { resourceId: 'switch', below: { textEquals: 'Help' } },
      ['switch@900,100', 'switch@900,300'],
    ],
    ['below, at the edge itself', { textEquals: 'Wi-Fi', below: { textEquals: 'Settings' } }, ['Wi-Fi']],
    ['above', { textMatches: '.+', above: { textEquals: 'Bluetooth' } }, ['Wi-Fi', 'Settings', 'Help']],
    ['leftOf', { textMatches: '.+', leftOf: { checked: true } }, ['Bluetooth', 'Wi-Fi', 'Settings']],
    [
      'rightOf, its own row first',
      { resourceId: 'switch', rightOf: { textEquals: 'Wi-Fi' } },
      ['switch@900,100', 'switch@900,300'],
    ],
    [
      'rightOf any of several',
      { resourceId: 'switch', rightOf: { textMatches: '.+', index: -1 } },
      ['switch@900,300', 'switch@900,100'],
    ],
    ['childOf, at any depth', { textMatches: '.+', childOf: { resourceId: 'list' } }, ['Bluetooth', 'Wi-Fi']],
    ['childOf excludes the node itself', { resourceId: 'list', childOf: { resourceId: 'list' } }, []],
    ['containsChild, at any depth', { resourceId: 'list', containsChild: { checked: true } }, ['list@0,100']],
    ['containsChild', { resourceId: 'row', containsChild: { textEquals: 'Wi-Fi' } }, ['row@0,100']],
    [
      'several relations',
      { resourceId: 'switch', below: { textEquals: 'Help' }, childOf: { selected: true } },
      ['switch@900,300'],
    ],
    ['a relation to nothing', { resourceId: 'switch', below: { textEquals: 'No' } }, []],
    [
      'nothing on the screen is related to what is not',
      { resourceId: 'row', containsChild: { textEquals: 'hidden' } },
      [],
    ],
    ['index by place, not by the order of the tree', { resourceId: 'switch', index: 0 }, ['switch@900,100']],
    ['index from the end', { resourceId: 'switch', index: -1 }, ['switch@900,300']],
    ['index, left before right', { textMatches: '.+', index: 1 }, ['Help']],
    ['index beyond the last', { resourceId: 'switch', index: 2 }, []],
    ['index before the first', { resourceId: 'switch', index: -3 }, []],
    [
      'index after relations',
      { resourceId: 'switch', rightOf: { textEquals: 'Bluetooth' }, index: 0 },
      ['switch@900,100'],
    ],
  ])('%s', (_, matcher, wanted) => {
    expect(found(matcher)).toEqual(wanted)
  })
})

test('what is searched inside of a node may be related to nodes outside of it', () => {
  const [list] = findAll(tree.roots, { resourceId: 'list' })
  const inside = (matcher: Matcher) => withoutPauses(searching(tree.roots, matcher, { within: list })).map(place)
  expect(inside({ textMatches: '.+', below: { textEquals: 'Settings' } })).toEqual(['Wi-Fi', 'Bluetooth'])
  expect(inside({ textMatches: '.+', index: 0 })).toEqual(['Wi-Fi'])
  expect(inside({ resourceId: 'row', childOf: { resourceId: 'list' } })).toEqual(['row@0,300', 'row@0,100'])
})

test('a deep tree costs each of its nodes once', () => {
  let deep = node({ text: 'end', at: [0, 0, 10, 10] })
  for (let depth = 0; depth < 20_000; depth++)
    deep = node({ resourceId: 'level', at: [0, 0, 10, 10], children: [deep] })
  const roots = [deep]
  expect([...findAll(roots, { textEquals: 'end', childOf: { resourceId: 'level' } })]).toHaveLength(1)
  expect([...findAll(roots, { resourceId: 'level', containsChild: { resourceId: 'level' } })]).toHaveLength(19_999)
})

test('messages name every key', () => {
  const matcher = { textMatches: 'a.*', checked: false, below: { textEquals: 'Wi-Fi', index: 1 }, index: -1 }
  expect(describeMatcher(matcher)).toBe('textMatches=a.*, checked=false, below=(textEquals=Wi-Fi, index=1), index=-1')
})

describe('an element', () => {
  const [title] = findAll(tree.roots, { textEquals: 'Settings' })
  if (!title?.parent) throw new Error('the tree has a title in a bar')
  const element = identifyElement(tree, title)

  test('is found alone, and only inside of the container that it is in', () => {
    expect(withoutPauses(searching(tree.roots, { element })).map(found => found.node)).toEqual([title.node])
    expect(withoutPauses(searching(tree.roots, { element }, { within: title.parent }))).toHaveLength(1)
    const [list] = findAll(tree.roots, { resourceId: 'list' })
    expect(withoutPauses(searching(tree.roots, { element }, { within: list }))).toEqual([])
  })

  test('is named by its class and its words', () => {
    expect(describeMatcher({ element })).toBe('element=(android.view.View "Settings")')
  })
})

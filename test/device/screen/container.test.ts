import { describe, expect, test } from 'vitest'
import type { UiNode, UiTree } from '../../../src/contracts/device/ui-tree.ts'
import { type ContainerRules, findingContainer } from '../../../src/device/screen/container.ts'
import type { Direction } from '../../../src/device/screen/scroll-gesture.ts'
import { withoutPauses } from '../../../src/runtime/yielding.ts'
import { node, screen } from '../../support/device/fake-ui-driver.ts'

const scrolling = (className: string, more: Partial<UiNode> = {}) => node({ className, scrollable: true, ...more })
const chips = scrolling('android.widget.HorizontalScrollView')
const pager = scrolling('androidx.viewpager.widget.ViewPager')
const page = scrolling('android.widget.ScrollView')
const list = scrolling('android.widget.ListView')
const recycler = scrolling('androidx.recyclerview.widget.RecyclerView')
const other = scrolling('android.view.View')

const findContainer = (tree: UiTree, rules: ContainerRules) => withoutPauses(findingContainer(tree, rules))

const found = (direction: Direction, ...children: UiNode[]) =>
  findContainer(screen(node({ children })), { direction, findFirstScrollableChild: true })

describe('the first that can scroll that way', () => {
  test.each([
    ['down', [chips, page], page],
    ['up', [pager, recycler], recycler],
    ['left', [page, chips], chips],
    ['right', [list, pager], pager],
    ['down', [recycler, page], recycler],
    ['right', [recycler, chips], recycler],
    ['down', [other, page], other],
    ['right', [other, chips], other],
    ['down', [chips], chips],
    ['right', [page, list], page],
  ] as const)('%s', (direction, children, expected) => {
    expect(found(direction, ...children)).toBe(expected)
  })

  test('is one that can be seen', () => {
    expect(
      found('down', scrolling('android.widget.ListView', { bounds: { left: 0, top: 9, right: 9, bottom: 9 } }), page),
    ).toBe(page)
  })

  test('is the outer one of two', () => {
    expect(found('down', { ...page, children: [list] })).toMatchObject({ className: page.className })
  })
})

test('a named container is taken whichever way it scrolls', () => {
  const tree = screen({ ...chips, resourceId: 'chips' }, page)
  const rules = { direction: 'down', findFirstScrollableChild: true, container: { resourceId: 'chips' } } as const
  expect(findContainer(tree, rules)).toMatchObject({ resourceId: 'chips' })
})

test('without looking inside, the screen itself must scroll', () => {
  const rules = { direction: 'down', findFirstScrollableChild: false } as const
  expect(findContainer(screen(node(), page), rules)).toBe(page)
  expect(() => findContainer(screen(node({ children: [page] })), rules)).toThrow('nothing on the screen scrolls')
})

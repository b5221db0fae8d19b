/** UiScrollable scrolls in the order of Android: from the beginning forward, with one read for each scroll. */
import { describe, expect, test } from 'vitest'
import type { UiTree } from '../../../../src/contracts/device/ui-tree.ts'
import { findElement } from '../../../../src/device/screen/elements/element-identity.ts'
import {
  mayScrollFor,
  type ScrollHands,
  scrollIntoView,
} from '../../../../src/device/screen/locators/uiautomator/scroll-into-view.ts'
import { node, screen } from '../../../support/device/fake-ui-driver.ts'

const SHOWN = 3
const list = (names: readonly string[], from: number): UiTree =>
  screen(
    node({
      children: [
        node({ text: 'Shelf' }),
        node({
          className: 'List',
          scrollable: true,
          children: names
            .slice(from, from + SHOWN)
            .map(text => node({ className: 'Row', children: [node({ className: 'Text', text })] })),
        }),
      ],
    }),
  )

/** A list at some place, and what was done with it. */
const phone = (names: readonly string[], from = 0) => {
  let at = from
  const done: string[] = []
  const hands: ScrollHands = {
    signal: new AbortController().signal,
    async look() {
      done.push('look')
      return { tree: list(names, at), foregroundPackage: 'com.example' }
    },
    async scroll(container, direction) {
      done.push(direction)
      const found = findElement(list(names, at), container)
      if (!found.ok) throw new Error(found.reason)
      const forward = direction === 'down' || direction === 'right'
      const next = Math.max(0, Math.min(at + (forward ? 2 : -2), names.length - SHOWN))
      const outcome = next === at ? 'edge_reached' : 'moved'
      at = next
      return outcome
    },
  }
  return { hands, done }
}

const NAMES = ['Milk', 'Bread', 'Eggs', 'Salt', 'Tea', 'Rice', 'Oats']
const scrollable = (calls: string) => `new UiScrollable(new UiSelector().scrollable(true))${calls}`
const INTO_VIEW = (text: string) => scrollable(`.scrollIntoView(new UiSelector().text("${text}"))`)

const textsOf = (result: Awaited<ReturnType<typeof scrollIntoView>>) =>
  result.ok ? result.nodes.map(({ node: { text, children } }) => text || children[0]?.text) : result.message

test('what is on the screen is not scrolled for', async () => {
  const { hands, done } = phone(NAMES)
  expect(textsOf(await scrollIntoView(INTO_VIEW('Bread'), hands))).toEqual(['Bread'])
  expect(done).toEqual(['look'])
})

test('from where it is, the list first goes to its beginning', async () => {
  const { hands, done } = phone(NAMES, 2)
  const result = await scrollIntoView(INTO_VIEW('Rice'), hands)
  expect(textsOf(result)).toEqual(['Rice'])
  expect(done.filter(each => each !== 'look')).toEqual(['up', 'up', 'down', 'down'])
  expect(done.filter(each => each === 'look')).toHaveLength(5)
  expect(result).toMatchObject({ sight: { foregroundPackage: 'com.example', tree: list(NAMES, 4) } })
})

test('what is nowhere is looked for to the end, and then there is nothing', async () => {
  const { hands, done } = phone(NAMES)
  expect(textsOf(await scrollIntoView(INTO_VIEW('Soup'), hands))).toEqual([])
  expect(done.filter(each => each !== 'look')).toEqual(['up', 'down', 'down', 'down'])
})

test('a number of swipes bounds the search', async () => {
  const { hands, done } = phone(NAMES)
  const expression = scrollable('.setMaxSearchSwipes(1).scrollTextIntoView("Oats")')
  expect(textsOf(await scrollIntoView(expression, hands))).toEqual([])
  expect(done.filter(each => each !== 'look')).toEqual(['up', 'down'])
})

describe('other calls', () => {
  test('a child by its text is the row around it', async () => {
    const { hands } = phone(NAMES)
    const expression = scrollable('.getChildByText(new UiSelector().className("Row"), "Tea")')
    const result = await scrollIntoView(expression, hands)
    expect(result.ok && result.nodes.map(({ node: { className } }) => className)).toEqual(['Row'])
    expect(textsOf(result)).toEqual(['Tea'])
  })

  test('a horizontal list is scrolled sideways', async () => {
    const { hands, done } = phone(NAMES)
    await scrollIntoView(scrollable('.setAsHorizontalList().scrollTextIntoView("Salt")'), hands)
    expect(done.filter(each => each !== 'look')).toEqual(['left', 'right'])
  })

  test('one that only moves does so, and says that it gives no element', async () => {
    const { hands, done } = phone(NAMES)
    expect(textsOf(await scrollIntoView(scrollable('.flingToEnd(5)'), hands))).toMatch(/must give an element/)
    expect(done.filter(each => each !== 'look')).toEqual(['down', 'down', 'down'])
  })

  test('without a container, or with a selector alone, nothing is scrolled', async () => {
    const { hands, done } = phone(NAMES)
    const missing = 'new UiScrollable(new UiSelector().className("Grid")).scrollTextIntoView("Tea")'
    expect(textsOf(await scrollIntoView(missing, hands))).toEqual([])
    expect(textsOf(await scrollIntoView('new UiSelector().text("Milk")', hands))).toEqual(['Milk'])
    expect(done).toEqual(['look', 'look'])
  })
})

test('it ends with the signal', async () => {
  const { hands } = phone(NAMES)
  const leaving = new AbortController()
  const look = async () => {
    leaving.abort()
    return await hands.look()
  }
  await expect(scrollIntoView(INTO_VIEW('Oats'), { ...hands, look, signal: leaving.signal })).rejects.toThrow()
})

test('which expressions may scroll', () => {
  expect(['new UiSelector()', INTO_VIEW('x'), 'nonsense'].map(mayScrollFor)).toEqual([false, true, false])
})

/** An element is stale where its layout belongs to something else: another payee, another item of a list. */
import { describe, expect, test } from 'vitest'
import { type UiTree, walk } from '../../../../src/contracts/device/ui-tree.ts'
import { findElement, identifyElement } from '../../../../src/device/screen/elements/element-identity.ts'
import { button, group, label, shop } from '../../../support/device/element-screens.ts'
import { node, screen } from '../../../support/device/fake-ui-driver.ts'

/** The buttons of a screen, as they are found once one of its texts has become another. */
const buttonsAfter = (page: (name: string) => UiTree): boolean[] => {
  const [before, after] = [page('Alice'), page('Bob')]
  return [...walk(before.roots)]
    .filter(found => found.node.className.endsWith('Button'))
    .map(found => findElement(after, identifyElement(before, found)).ok)
}

describe('a node is stale where something else has its layout', () => {
  test('when one label of its section is another', () => {
    const page = (name: string) =>
      screen(
        node({
          children: [
            label('Bank'),
            label('Review'),
            label(`To ${name}`),
            button('OK'),
            button('Cancel'),
            button('Skip'),
          ],
        }),
      )
    expect(buttonsAfter(page)).toEqual([false, false, false])
  })

  test('when the title above its section is another', () => {
    const page = (name: string) =>
      screen(node({ children: [group(label('Bank'), label(name)), group(label('Amount'), button('Pay'))] }))
    expect(buttonsAfter(page)).toEqual([false])
  })

  test('when the label behind it is another', () => {
    const page = (name: string) =>
      screen(node({ children: [label('Bank'), label('Friends'), group(button('Remove'), label(name)), label('Help')] }))
    expect(buttonsAfter(page)).toEqual([false])
  })

  test('when two labels have changed places', () => {
    const page = (name: string) => {
      const [from, to] = name === 'Bob' ? ['Alice', 'Bob'] : ['Bob', 'Alice']
      return screen(
        node({ children: [label('From'), label(from), label('To'), label(to), label('Fee'), button('Pay')] }),
      )
    }
    expect(buttonsAfter(page)).toEqual([false])
  })

  test('when a banner has come as well', () => {
    const page = (name: string) => {
      const banner = name === 'Bob' ? [label('No connection')] : []
      return screen(
        node({ children: [...banner, label('Bank'), label(`To ${name}`), button('Pay'), button('Cancel')] }),
      )
    }
    expect(buttonsAfter(page)).toEqual([false, false])
  })

  test('when a row of the list says something else behind its first word', () => {
    const rows = (name: string) =>
      shop([
        group(label('Overdue'), label('Invoice from Carl'), button('Pay')),
        group(label('Overdue'), label(`Invoice from ${name}`), button('Pay')),
        group(label('Due soon'), label('Invoice from Dave'), button('Pay')),
      ])
    expect(buttonsAfter(rows)).toEqual([true, true, false, true])
  })

  test('when a summary of its row says something else', () => {
    const settings = (name: string) =>
      shop([group(label('Account'), label(name), button('', { contentDesc: 'Close' }))])
    expect(buttonsAfter(settings)).toEqual([true, false])
  })

  test('when a word has left its row of a list', () => {
    const rows = (name: string) =>
      shop([group(label('Overdue'), ...(name === 'Bob' ? [] : [label('Invoice')]), button('Pay'))])
    expect(buttonsAfter(rows)).toEqual([true, false])
  })

  test('when its row has no words, and the heading of the list is another', () => {
    const form = (name: string) => shop([label(`To ${name}`), label('Amount'), button('Pay')])
    expect(buttonsAfter(form)).toEqual([true, false])
  })

  test('when the heading above the items of a list is another', () => {
    const form = (name: string) => shop([label(name), group(label('Rent'), label('Monthly'), button('Pay'))])
    expect(buttonsAfter(form)).toEqual([true, false])
  })

  test('when it holds a label that is another', () => {
    const page = (name: string) =>
      screen(
        node({
          children: [label('Friends'), node({ className: 'android.widget.ImageButton', children: [label(name)] })],
        }),
      )
    expect(buttonsAfter(page)).toEqual([false])
  })
})

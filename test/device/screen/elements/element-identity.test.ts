/** What an element survives, and when it is stale: by screens as applications have them. */
import { describe, expect, test } from 'vitest'
import { type UiNode, type UiTree, walk } from '../../../../src/contracts/device/ui-tree.ts'
import { findElement, identifyElement } from '../../../../src/device/screen/elements/element-identity.ts'
import { changedTree } from '../../../support/device/arbitrary-screen.ts'
import { button, cartRow, field, group, label, NAMES, shop } from '../../../support/device/element-screens.ts'
import { node, screen } from '../../../support/device/fake-ui-driver.ts'

/** The nth node that passes. */
const nodeIn = (tree: UiTree, isMeant: (node: UiNode) => boolean, nth = 0) => {
  const found = [...walk(tree.roots)].filter(each => isMeant(each.node))[nth]
  if (!found) throw new Error('there is no such node')
  return found
}

const says = (text: string) => (each: UiNode) => each.text === text
const described = (text: string) => (each: UiNode) => each.contentDesc === text

const later = (before: UiTree, isMeant: (node: UiNode) => boolean, nth: number, after: UiTree) =>
  findElement(after, identifyElement(before, nodeIn(before, isMeant, nth)))

/** The words of the row that it was found in, else why not. */
const rowOf = (result: ReturnType<typeof findElement>): string | undefined =>
  result.ok ? result.found.parent?.node.children[0]?.text : result.reason

describe('a node survives', () => {
  test('the clock, a counter in its row, and another row that changes', () => {
    const before = shop(NAMES.map(name => cartRow(name)))
    const changed = shop(NAMES.map((name, at) => (at === 3 ? cartRow('Pepper', 9) : cartRow(name, at === 1 ? 2 : 1))))
    const after = changedTree(changed, each => (each.text === '12:30' ? { ...each, text: '12:31' } : each))
    expect(rowOf(later(before, described('Add'), 1, after))).toBe('Bread')
  })

  test('scrolling, while its row stays on the screen', () => {
    const rows = NAMES.map(name => cartRow(name))
    expect(rowOf(later(shop(rows), described('Add'), 4, shop(rows, 350)))).toBe('Tea')
    expect(rowOf(later(shop(rows, 350), described('Add'), 1, shop(rows)))).toBe('Tea')
  })

  test('a counter with letters, and a word behind its section', () => {
    const page = (count: number, state: string) =>
      screen(
        node({ children: [label('Tasks'), group(label(`${count} of 20 done`), button('Next')), group(label(state))] }),
      )
    expect(later(page(9, 'Saved'), says('Next'), 0, page(10, 'Not saved'))).toMatchObject({ ok: true })
  })

  test('words that come to its section or leave it', () => {
    const page = (...words: string[]) =>
      screen(node({ children: [label('Sign in'), field(), button('Go'), ...words.map(word => label(word))] }))
    expect(later(page(), says('Go'), 0, page('Wrong password'))).toMatchObject({ ok: true })
    expect(later(page('Wrong password'), says('Go'), 0, page())).toMatchObject({ ok: true })
  })

  test('its label leaving with a scroll', () => {
    const page = (from: number) => {
      const all = [label('Terms'), label('Delivery'), button('Accept'), label('Contact'), label('Help')]
      return screen(
        node({
          children: [
            label('Shop'),
            node({ className: 'android.widget.ScrollView', scrollable: true, children: [group(...all.slice(from))] }),
          ],
        }),
      )
    }
    expect(later(page(0), says('Accept'), 0, page(2))).toMatchObject({ ok: true })
    expect(later(page(2), says('Accept'), 0, page(0))).toMatchObject({ ok: true })
  })

  test('typing into it, its hint going away, and getting the focus', () => {
    const form = (name: Partial<UiNode>, mail: Partial<UiNode>) =>
      screen(node({ children: [label('Your account'), field(name), field(mail), button('Save')] }))
    const before = form({ text: 'Name', hint: 'Name' }, { text: 'E-mail', hint: 'E-mail' })
    const after = form({ text: 'Name', hint: 'Name' }, { text: 'a@b', hintText: 'E-mail', focused: true })
    const result = later(before, says('E-mail'), 0, after)
    expect(result.ok && result.found.node.text).toBe('a@b')
  })

  test('among fields without ids and hints, by the label before it, also while the keyboard hides the rest', () => {
    const all = [label('Name'), field(), label('E-mail'), field(), label('Town'), field(), button('Save')]
    const form = (shown: number) => screen(node({ children: [label('Your account'), ...all.slice(0, shown)] }))
    const result = later(form(all.length), each => each.className.endsWith('EditText'), 1, form(4))
    expect(result.ok && result.found.parent?.node.children.indexOf(result.found.node)).toBe(4)
  })

  test('a banner above it', () => {
    const before = screen(node({ children: [label('Inbox'), button('Write'), button('Search')] }))
    const after = screen(
      node({ children: [label('No connection'), label('Inbox'), button('Write'), button('Search')] }),
    )
    expect(later(before, says('Write'), 0, after)).toMatchObject({ ok: true, found: { node: { text: 'Write' } } })
  })

  test('as a list, whatever it shows', () => {
    const rows = NAMES.map(name => cartRow(name))
    const result = later(shop(rows), each => each.resourceId === 'app:id/list', 0, shop(rows, 500))
    expect(result).toMatchObject({ ok: true })
  })

  test('as one of two lists, whatever both show', () => {
    const shelf = (title: string, names: readonly string[]) => [
      label(title),
      node({ className: 'View', scrollable: true, children: names.map(name => label(name)) }),
    ]
    const page = (from: number) =>
      screen(
        node({
          className: 'android.widget.ScrollView',
          scrollable: true,
          children: [...shelf('New', NAMES.slice(from, from + 3)), ...shelf('Old', NAMES.slice(5, 8))],
        }),
      )
    const result = later(page(0), each => each.className === 'View', 0, page(3))
    expect(result.ok && result.found.node.children[0]?.text).toBe('Salt')
  })
})

describe('a node is stale', () => {
  test('when its row has gone, though another row has the same button', () => {
    const before = shop(NAMES.map(name => cartRow(name)))
    const after = shop(NAMES.filter(name => name !== 'Bread').map(name => cartRow(name)))
    expect(later(before, described('Remove'), 1, after)).toMatchObject({ ok: false })
  })

  test('when the only row of a list is now another one', () => {
    const result = later(shop([cartRow('Milk')]), described('Remove'), 0, shop([cartRow('Bread')]))
    expect(result).toMatchObject({ ok: false, reason: expect.stringContaining('beside the node') })
  })

  test('when rows without texts were scrolled', () => {
    const rows = Array.from({ length: 9 }, () => group(node({ className: 'android.widget.ImageView' })))
    const isPicture = (each: UiNode) => each.className.endsWith('ImageView')
    expect(later(shop(rows), isPicture, 2, shop(rows, 50))).toMatchObject({ ok: false })
    expect(later(shop(rows), isPicture, 2, shop(rows))).toMatchObject({ ok: true })
  })

  test('when it says something else', () => {
    const before = screen(node({ children: [label('Inbox'), button('Archive')] }))
    const after = screen(node({ children: [label('Inbox'), button('Delete')] }))
    expect(later(before, says('Archive'), 0, after)).toMatchObject({
      ok: false,
      reason: 'the node is gone, or says something else',
    })
  })

  test('when another dialog has the same button', () => {
    const dialog = (title: string): UiTree => {
      const at = { bounds: { left: 100, top: 500, right: 900, bottom: 900 } }
      return screen(node({ ...at, children: [label(title), button('OK', { resourceId: 'android:id/button1' })] }))
    }
    const result = later(dialog('Rate this app?'), says('OK'), 0, dialog('Delete all photos?'))
    expect(result).toEqual({ ok: false, reason: 'the dialog says something else' })
  })

  test('when the screen is another one', () => {
    const page = (...words: string[]) => screen(node({ children: [...words.map(word => label(word)), button('Next')] }))
    const result = later(page('Name', 'Street', 'Town'), says('Next'), 0, page('Card', 'Number', 'Expires'))
    expect(result).toEqual({ ok: false, reason: 'most of what the screen said is different' })
  })

  test('when nodes that look like it have come', () => {
    const before = screen(node({ children: [label('Inbox'), button('Open')] }))
    const after = screen(node({ children: [label('Inbox'), button('Open'), button('Open')] }))
    expect(later(before, says('Open'), 0, after)).toEqual({ ok: false, reason: '2 nodes look like it now' })
  })
})

test('a node that is gone is told from one that may say something else now', () => {
  const page = (...last: UiNode[]) =>
    screen(node({ children: [label('Shop'), label('Items'), label('Help'), ...last] }))
  const after = (...last: UiNode[]) => later(page(button('Buy')), says('Buy'), 0, page(...last))
  expect(after()).toEqual({ ok: false, reason: 'the node is gone' })
  expect(after(label('Sold out'))).toEqual({ ok: false, reason: 'the node is gone' })
  expect(after(button('Sell'))).toEqual({ ok: false, reason: 'the node is gone, or says something else' })
})

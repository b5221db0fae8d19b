import { describe, expect, test } from 'vitest'
import type { UiNode } from '../../../../src/contracts/device/ui-tree.ts'
import { describeNode } from '../../../../src/service/executions/screens/compact-lines.ts'
import { resolveRef } from '../../../../src/service/executions/screens/resolve-ref.ts'
import { type Screen, screenOf } from '../../../../src/service/executions/screens/screen.ts'
import { buttonNode, frameNode, textNode, treeOf, uiNode } from '../../../support/device/ui-nodes.ts'

const screen = (...nodes: UiNode[]) => screenOf(treeOf(frameNode(...nodes)), 'com.example')

/** The path of the node now, or why there is none. */
const now = (before: Screen, label: string, after: Screen, nth = 0): string => {
  const ref = before.nodes.filter(node => node.label === label)[nth]
  if (!ref) throw new Error(`there is no ${label}`)
  const standing = resolveRef(before, ref, after)
  return standing.ok ? `${standing.node.path} ${describeNode(standing.node)}` : standing.reason
}

const clock = (time: string) => textNode(time, { resourceId: 'com.example:id/clock' })
const wifi = (checked: boolean) => uiNode('Switch', { text: 'Wi-Fi', checkable: true, checked, clickable: true })
const person = (name: string) => uiNode('LinearLayout', {}, [textNode(name), buttonNode('Delete')])
const list = (...rows: UiNode[]) => uiNode('RecyclerView', { scrollable: true }, rows)

describe('a ref stands', () => {
  test('while a clock ticks elsewhere', () => {
    expect(now(screen(clock('12:00'), buttonNode('OK')), 'OK', screen(clock('12:01'), buttonNode('OK')))).toBe(
      '0.1 button "OK"',
    )
  })

  test('while another switch is flipped, another row appears, and it moves', () => {
    const before = screen(textNode('Settings'), wifi(true), buttonNode('OK'))
    const after = screen(textNode('Settings'), textNode('Saved'), wifi(false), buttonNode('OK'))
    expect(now(before, 'OK', after)).toBe('0.3 button "OK"')
  })

  test('when its list is scrolled and its row is still there', () => {
    const before = screen(textNode('People'), list(person('Ann'), person('Bob'), person('Cy')))
    const after = screen(textNode('People'), list(person('Bob'), person('Cy'), person('Di')))
    expect(now(before, 'Delete', after, 1)).toBe('0.1.0.1 button "Delete"')
  })

  test('for a field, whatever was typed into it', () => {
    const field = (text: string) =>
      uiNode('EditText', { text, resourceId: 'com.example:id/name', focused: text !== '' })
    expect(now(screen(textNode('Name'), field('a')), 'a', screen(textNode('Name'), field('ab')))).toBe(
      '0.1 textfield "ab" focused',
    )
  })

  test('for one of several that look the same while none of them has moved', () => {
    const icons = () => [uiNode('ImageView', { contentDesc: 'Star' }), uiNode('ImageView', { contentDesc: 'Star' })]
    expect(now(screen(...icons()), 'Star', screen(...icons()), 1)).toBe('0.1 image "Star"')
  })
})

describe('a ref does not stand', () => {
  const settings = () => [textNode('Settings'), wifi(true), buttonNode('OK'), buttonNode('Cancel')]

  test.each<[string, UiNode[], string]>([
    ['when its node is gone', [textNode('Settings'), wifi(true), buttonNode('Cancel')], 'the node is gone'],
    ['when its node says something else', settings().with(2, buttonNode('Buy')), 'the node has changed'],
    ['when another node looks like it', [...settings(), buttonNode('OK')], '2 nodes look like it now'],
    ['on another screen', [textNode('Shop'), buttonNode('OK')], 'most of what the screen said is different'],
  ])('%s', (_, after, reason) => expect(now(screen(...settings()), 'OK', screen(...after))).toBe(reason))

  test('when what it turns on is on already', () => {
    expect(now(screen(...settings()), 'Wi-Fi', screen(...settings().with(1, wifi(false))))).toBe('the node has changed')
  })

  test('when another application is in front, though it looks the same', () => {
    const after = { ...screen(...settings()), package: 'com.other' }
    expect(now(screen(...settings()), 'OK', after)).toBe('com.other is in front')
  })

  test('in a dialog that asks something else', () => {
    const dialog = (question: string) => {
      const bounds = { left: 90, top: 800, right: 990, bottom: 1_600 }
      const nodes = [textNode(question), buttonNode('Cancel'), buttonNode('OK')]
      return screenOf(treeOf(uiNode('FrameLayout', { bounds }, nodes)), 'com.example')
    }
    expect(now(dialog('Delete A?'), 'OK', dialog('Delete A?'))).toContain('button "OK"')
    expect(now(dialog('Delete A?'), 'OK', dialog('Delete B?'))).toBe('the dialog says something else')
    expect(now(dialog('Delete 1?'), 'OK', dialog('Delete 100?'))).toBe('the dialog says something else')
    expect(now(screen(...settings()), 'OK', dialog('Delete A?'))).toBe('a dialog has opened')
  })

  test('when its row is another one', () => {
    const before = screen(textNode('People'), list(person('Ann'), person('Bob')))
    const after = screen(textNode('People'), list(person('Bob'), person('Cy')))
    expect(now(before, 'Delete', after)).toBe('what is beside the node has changed')
  })

  test('when its list was scrolled by a row that looks the same but for a number', () => {
    const rows = (from: number) => list(...[0, 1, 2, 3].map(more => person(`Item ${from + more}`)))
    const [before, after] = [screen(textNode('Items'), rows(1)), screen(textNode('Items'), rows(2))]
    expect(now(before, 'Delete', after)).toBe('what is beside the node has changed')
    expect(now(before, 'Delete', after, 2)).toBe('0.1.1.1 button "Delete"')
  })

  test('for one of several buttons outside of a list, when anything has moved', () => {
    const before = screen(textNode('People'), person('Ann'), person('Bob'))
    const swapped = screen(textNode('People'), person('Bob'), person('Ann'))
    expect(now(before, 'Delete', swapped)).toBe('what is beside the node has changed')
    expect(now(before, 'Delete', before, 1)).toBe('0.2.1 button "Delete"')
  })
})

import { describe, expect, test } from 'vitest'
import type { UiNode } from '../../../../src/contracts/device/ui-tree.ts'
import { compactText, differenceText } from '../../../../src/service/executions/screens/compact-lines.ts'
import { screenOf } from '../../../../src/service/executions/screens/screen.ts'
import { buttonNode, frameNode, textNode, treeOf, uiNode } from '../../../support/device/ui-nodes.ts'

const screen = (...nodes: UiNode[]) => screenOf(treeOf(frameNode(...nodes)), 'com.example')
const linesOf = (...nodes: UiNode[]) =>
  compactText({ number: 12, screen: screen(...nodes) })
    .split('\n')
    .slice(1)

describe('a compact screen', () => {
  test('begins with its number and the application in front', () => {
    expect(compactText({ number: 12, screen: screen() })).toBe('screen 12 com.example')
  })

  test.each<[string, UiNode]>([
    ['text "Settings"', textNode('Settings')],
    ['button "OK"', buttonNode('OK')],
    ['button "OK" disabled', buttonNode('OK', { enabled: false })],
    ['switch "Wi-Fi" on', uiNode('Switch', { text: 'Wi-Fi', checkable: true, checked: true, clickable: true })],
    ['checkbox "Agree" off', uiNode('CheckBox', { contentDesc: 'Agree', checkable: true, clickable: true })],
    ['textfield hint "Search" focused', uiNode('EditText', { text: 'Search', hint: 'Search', focused: true })],
    ['textfield "•••" password', uiNode('EditText', { text: '•••', password: true })],
    ['image "Logo"', uiNode('ImageView', { contentDesc: 'Logo' })],
    ['image #menu tap', uiNode('ImageView', { resourceId: 'com.example:id/menu', clickable: true })],
    ['image hold', uiNode('ImageView', { longClickable: true })],
    ['tab "Calls" selected', uiNode('TabView', { text: 'Calls', selected: true, clickable: true })],
    ['list #rows scroll', uiNode('RecyclerView', { resourceId: 'com.example:id/rows', scrollable: true })],
    ['view "A chart"', uiNode('View', { contentDesc: 'A chart' })],
    ['text "two lines and \\"quotes\\""', textNode(' two\n lines  and "quotes" ')],
  ])('%s', (line, node) => expect(linesOf(node)).toEqual([`@12.1 ${line}`]))

  test('leaves out what says and does nothing, and what nobody can see', () => {
    const hidden = buttonNode('Hidden', { bounds: { left: 5, top: 5, right: 5, bottom: 9 } })
    expect(linesOf(uiNode('ImageView'), hidden, frameNode(textNode('Seen')))).toEqual(['@12.1 text "Seen"'])
  })

  test('shows a row that takes touches by what is in it, once', () => {
    const row = uiNode('LinearLayout', { clickable: true }, [textNode('Battery'), textNode('87%')])
    expect(linesOf(row)).toEqual(['@12.1 text "Battery" tap', '@12.2 text "87%"'])
  })

  test('shows one that has nothing in it to name it', () => {
    const row = uiNode('LinearLayout', { clickable: true }, [uiNode('ImageView')])
    expect(linesOf(textNode('before'), row, textNode('after'))).toEqual([
      '@12.1 text "before"',
      '@12.2 group tap',
      '@12.3 text "after"',
    ])
  })

  test('says that the row around a text is disabled', () => {
    const row = uiNode('LinearLayout', { clickable: true, enabled: false }, [textNode('Battery')])
    expect(linesOf(row)).toEqual(['@12.1 text "Battery" disabled tap'])
  })

  test('does not repeat what the node around has said', () => {
    const link = uiNode('View', { contentDesc: 'Home', clickable: true }, [textNode('Home'), textNode('New')])
    expect(linesOf(link)).toEqual(['@12.1 view "Home" tap', '@12.2 text "New"'])
  })

  test('cuts a long label and says how long it is', () => {
    const [line = ''] = linesOf(textNode('x'.repeat(350)))
    expect(line).toBe(`@12.1 text "${'x'.repeat(120)}…" (350 characters)`)
  })
})

describe('a difference', () => {
  const row = (title: string, value: string) =>
    uiNode('LinearLayout', { clickable: true }, [textNode(title), textNode(value)])
  const wifi = (checked: boolean) => uiNode('Switch', { text: 'Wi-Fi', checkable: true, checked, clickable: true })
  const rows = [row('Network', 'on'), row('Sound', 'off'), row('Display', 'dark'), row('Apps', '12')]
  const difference = (before: UiNode[], after: UiNode[]) =>
    differenceText(screen(...before), { number: 13, screen: screen(...after) }, '12').split('\n')

  test('says what was added, removed and changed, with refs to go on with', () => {
    const before = [textNode('12:00', { resourceId: 'com.example:id/clock' }), wifi(true), ...rows, textNode('Loading')]
    const after = [textNode('12:01', { resourceId: 'com.example:id/clock' }), wifi(false), ...rows, buttonNode('Undo')]
    expect(difference(before, after)).toEqual([
      'screen 13 com.example (changes since 12)',
      '- text "Loading"',
      '~ @13.1 text "12:01" was "12:00"',
      '~ @13.2 switch "Wi-Fi" off was on',
      '+ @13.11 button "Undo"',
    ])
  })

  test('of a list that was scrolled is its new rows', () => {
    const [, ...left] = rows
    expect(difference(rows, [...left, row('About', 'phone')])).toEqual([
      'screen 13 com.example (changes since 12)',
      '- text "Network" tap',
      '- text "on"',
      '+ @13.7 text "About" tap',
      '+ @13.8 text "phone"',
    ])
  })

  test('of two equal screens is one line', () => {
    expect(difference(rows, rows)).toEqual(['screen 13 com.example (unchanged since 12)'])
  })

  test('of two screens with little in common is the new screen', () => {
    expect(difference(rows, [textNode('About')])).toEqual([
      'screen 13 com.example (another screen than 12)',
      '@13.1 text "About"',
    ])
  })
})

import { describe, expect, test } from 'vitest'
import { nearestLabels, withoutSecrets } from '../../../../src/service/executions/screens/nearest-labels.ts'
import type { Screen, ScreenNode } from '../../../../src/service/executions/screens/screen.ts'

const node = (label: string, more: Partial<ScreenNode> = {}): ScreenNode => ({
  path: '0',
  role: 'text',
  label,
  id: '',
  className: 'android.widget.TextView',
  packageName: 'com.a.b',
  state: [],
  within: 0,
  ...more,
})
const button = (label: string, more: Partial<ScreenNode> = {}) =>
  node(label, { role: 'button', className: 'android.widget.Button', ...more })
const screenOf = (...nodes: ScreenNode[]): Screen => ({ package: 'com.a.b', isDialog: false, nodes })
const labels = (screen: Screen, matcher: Parameters<typeof nearestLabels>[1]) =>
  nearestLabels({ number: 12, screen }, matcher).map(({ label }) => label)

const settings = screenOf(
  node('Settings'),
  node('Network & internet', { id: 'android:id/network_title' }),
  node('Connected devices', { id: 'android:id/devices_title' }),
  button('Search', { id: 'android:id/search_button' }),
  node('Battery'),
  node('Display'),
  node('About phone'),
)

describe('the nearest label is first', () => {
  test.each([
    ['with letters swapped', { textEquals: 'Netwrok & internt' }, 'Network & internet'],
    ['in another case', { textEquals: 'network & INTERNET' }, 'Network & internet'],
    ['that holds the text', { textEquals: 'devices' }, 'Connected devices'],
    ['that shares a word', { textContains: 'phone info' }, 'About phone'],
    ['that is part of the text', { textEquals: 'Battery saver page' }, 'Battery'],
    ['by a content description', { contentDescContains: 'Serch' }, 'Search'],
    ['by its id', { resourceId: 'android:id/network_titel' }, 'Network & internet'],
    ['by the words of a pattern', { textMatches: '(?:abot|\\d{2}) pho?nes?.*' }, 'About phone'],
    ['by the words of a flow’s selector', { flow: { text: 'abot pho?ne.*' } }, 'About phone'],
    ['by the id of a flow’s selector', { flow: { id: 'network_titel' } }, 'Network & internet'],
    ['of the node that it is beside', { role: 'switch', rightOf: { textEquals: 'Batery' } }, 'Battery'],
    ['by its role', { role: 'btn' }, 'Search'],
  ])('%s', (_, matcher, expected) => {
    expect(labels(settings, matcher)[0]).toBe(expected)
  })
})

test('a ref names the node by its place on the numbered screen', () => {
  expect(nearestLabels({ number: 12, screen: settings }, { textEquals: 'Batery' })[0]).toEqual({
    ref: '@12.5',
    role: 'text',
    label: 'Battery',
  })
})

test('without anything to compare, what can be touched comes first', () => {
  const screen = screenOf(
    node('Title'),
    button('Off', { state: ['disabled'] }),
    node('Row', { state: ['tap'] }),
    button('Go'),
  )
  expect(labels(screen, { role: 'slider' })).toEqual(['Row', 'Go', 'Title', 'Off'])
})

test('rows that say the same are named once', () => {
  const rows = Array.from({ length: 20 }, () => button('Delete'))
  expect(labels(screenOf(...rows, node('Deleted')), { textEquals: 'Delet' })).toEqual(['Delete', 'Deleted'])
})

test('the text of a password field is hidden, and its hint is shown', () => {
  const secret = { role: 'textfield', className: 'android.widget.EditText', state: ['password'] }
  const typed = node('hunter2', { ...secret, id: 'com.a.b:id/password' })
  const empty = node('', { ...secret, id: 'com.a.b:id/pin', hint: 'Your PIN' })
  const screen = screenOf(typed, empty)
  expect(labels(screen, { textEquals: 'Your PIM' })).toEqual(['Your PIN'])
  expect(labels(screen, { resourceId: 'com.a.b:id/passwort' })).toEqual(['#password'])
  expect(JSON.stringify(nearestLabels({ number: 1, screen }, { textEquals: 'hunter2' }))).not.toContain('hunter2')
  expect(JSON.stringify(withoutSecrets(screen))).not.toContain('hunter2')
  expect(withoutSecrets(screen).nodes[1]).toBe(empty)
})

test('a long label is cut with an ellipsis, between characters', () => {
  const [label = ''] = labels(screenOf(node('😀'.repeat(5_000))), { textEquals: '😀'.repeat(90) })
  expect(label).toBe(`${'😀'.repeat(120)}…`)
})

test('control characters stay what JSON makes of them', () => {
  const found = nearestLabels({ number: 1, screen: screenOf(node('a\u0007b')) }, { textEquals: 'a' })
  expect(JSON.parse(JSON.stringify(found))).toEqual([{ ref: '@1.1', role: 'text', label: 'a\u0007b' }])
})

test('labels that are nothing like the wanted text are not named', () => {
  expect(labels(settings, { textEquals: 'Mute all others' })).toEqual([])
  expect(labels(settings, { resourceId: 'android:id/volume_slider' })).toEqual([])
  expect(labels(settings, { textEquals: 'Displai' })).toEqual(['Display'])
})

test('of 5,000 nodes with long labels the right one is named', () => {
  const nodes = Array.from({ length: 5_000 }, (_, index) => node(`${index} ${'lorem ipsum '.repeat(40)}`))
  nodes[4_321] = node('Confirm the payment')
  const found = nearestLabels({ number: 3, screen: screenOf(...nodes) }, { textEquals: 'Confrim the paymnet' })
  expect(found).toEqual([{ ref: '@3.4322', role: 'text', label: 'Confirm the payment' }])
})

test('a screen without a label has none', () => {
  expect(nearestLabels({ number: 1, screen: screenOf() }, { textEquals: 'x' })).toEqual([])
})

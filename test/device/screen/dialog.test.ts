/** The dialog in front of an app: what it says, and which button means yes or no. */
import { describe, expect, test } from 'vitest'
import { buttonFor, dialogIn } from '../../../src/device/screen/dialog.ts'
import { node, screen } from '../../support/device/fake-ui-driver.ts'

const CONTROLLER = 'com.android.permissioncontroller:id/'
const button = (id: string, text: string, more: Parameters<typeof node>[0] = {}) =>
  node({ resourceId: `${CONTROLLER}${id}`, text, clickable: true, ...more })
const text = (id: string, said: string) => node({ resourceId: `android:id/${id}`, text: said })
const asked = (answer: string, ...nodes: Parameters<typeof screen>) => {
  const dialog = dialogIn(screen(...nodes))
  return dialog && buttonFor(dialog, answer)?.label
}

describe('what the buttons mean', () => {
  test.each([
    ['of a permission', ['permission_allow_button', 'permission_deny_button']],
    [
      'of a permission that is asked for again',
      ['permission_allow_one_time_button', 'permission_deny_and_dont_ask_again_button'],
    ],
    ['of a place', ['permission_allow_foreground_only_button', 'permission_no_upgrade_button']],
    [
      'of a place that is asked for again',
      ['permission_allow_always_button', 'permission_no_upgrade_and_dont_ask_again_button'],
    ],
    ['of an alert', ['button1', 'button2']],
    ['of an app that does not answer', ['aerr_wait', 'aerr_close']],
    ['of an app that has stopped', ['aerr_restart', 'aerr_close']],
  ])('%s', (_, [yes = '', no = '']) => {
    const nodes = [button(no, 'NEIN'), button(yes, 'JA')]
    expect([asked('accept', ...nodes), asked('dismiss', ...nodes)]).toEqual(['JA', 'NEIN'])
  })

  test('of two that mean the same, the lesser right is taken', () => {
    const nodes = [
      button('permission_allow_always_button', 'Always'),
      button('permission_allow_foreground_only_button', 'Now'),
    ]
    expect(asked('accept', ...nodes)).toBe('Now')
    expect(asked('dismiss', ...nodes)).toBeUndefined()
  })

  test('a third button means neither, and is found by its label', () => {
    const nodes = [button('button3', 'Later'), button('aerr_app_info', 'App info')]
    expect([asked('accept', ...nodes), asked('later', ...nodes), asked(' App info ', ...nodes)]).toEqual([
      undefined,
      'Later',
      'App info',
    ])
  })

  test('a label as written goes before what buttons mean, and that before a label in another case', () => {
    const nodes = [button('button1', 'dismiss'), button('button2', 'ACCEPT'), button('button3', 'OK')]
    expect([asked('dismiss', ...nodes), asked('accept', ...nodes), asked('ACCEPT', ...nodes)]).toEqual([
      'dismiss',
      'dismiss',
      'ACCEPT',
    ])
  })
})

test.each([
  ['is off the screen', { at: [0, 0, 0, 0] as const }],
  ['is disabled', { enabled: false }],
  ['takes no touches', { clickable: false }],
  ['says nothing', { text: '' }],
])('a button that %s is none', (_, more) => {
  expect(dialogIn(screen(button('button1', 'OK', more)))).toBeUndefined()
})

test('a node that only ends like a button is none', () => {
  const odd = node({ resourceId: 'xxxxbutton1', text: 'OK', clickable: true })
  expect(dialogIn(screen(odd))).toBeUndefined()
})

test('a dialog is named by its title, or else by what it says', () => {
  const title = (...nodes: Parameters<typeof screen>) => dialogIn(screen(button('button1', 'OK'), ...nodes))?.title
  expect(title(text('message', 'It will be deleted.'), text('alertTitle', 'Delete?'))).toBe('Delete?')
  expect(title(text('alertTitle', ''), text('message', 'It will be deleted.'))).toBe('It will be deleted.')
  expect(title()).toBe('')
})

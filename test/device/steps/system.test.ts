import { describe, expect, test } from 'vitest'
import { node, screen } from '../../support/device/fake-ui-driver.ts'
import { act } from '../screen/act.ts'

describe('hide_keyboard', () => {
  test('presses nothing where no keyboard is shown', async () => {
    const { driver, error } = await act({ type: 'hide_keyboard' })
    expect(error).toBeNull()
    expect(driver.deeds()).toEqual([])
  })

  test('presses back once, and waits until the keyboard is gone', async () => {
    let looks = 0
    const { driver, error } = await act({ type: 'hide_keyboard' }, { ui: { isKeyboardShown: () => looks++ < 3 } })
    expect(error).toBeNull()
    expect(driver.deeds()).toEqual([['controls.pressKey', 'back', false]])
  })

  test('fails where the keyboard stays', async () => {
    const { data, driver } = await act({ type: 'hide_keyboard' }, { ui: { isKeyboardShown: () => true } })
    expect(data).toMatchObject({ error: 'GLOBAL_ACTION_FAILED', message: 'the keyboard is still shown' })
    expect(driver.deeds()).toHaveLength(1)
  })
})

describe('the shade', () => {
  test('opens and closes', async () => {
    const { driver, error } = await act([
      { type: 'expand_shade', params: { shade: 'quick_settings' } },
      { type: 'collapse_shade' },
    ])
    expect(error).toBeNull()
    expect(driver.deeds()).toEqual([['expandShade', 'quick_settings'], ['collapseShade']])
  })

  test.each([
    [{ type: 'expand_shade', params: { shade: 'notifications' } }, 'expandShade', 'the shade did not open'],
    [{ type: 'collapse_shade' }, 'collapseShade', 'the shade is still open'],
  ] as const)('that does not obey fails %j', async (action, method, message) => {
    const { data } = await act(action, { ui: { refused: new Set([method]) } })
    expect(data).toMatchObject({ error: 'GLOBAL_ACTION_FAILED', message })
  })
})

describe('answer_dialog', () => {
  const button = (id: string, text: string, top: number) =>
    node({ resourceId: id, text, clickable: true, at: [10, top, 90, top + 20] })
  const dialog = (title: [id: string, text: string], ...buttons: [id: string, text: string][]) => {
    const children = buttons.map(([id, text], index) => button(id, text, 100 + 30 * index))
    return () =>
      screen(node({ at: [5, 50, 95, 300], children: [node({ resourceId: title[0], text: title[1] }), ...children] }))
  }
  const PERMISSION = dialog(
    ['com.android.permissioncontroller:id/permission_message', 'Allow Maps to access location?'],
    ['com.android.permissioncontroller:id/permission_allow_one_time_button', 'Only this time'],
    ['com.android.permissioncontroller:id/permission_allow_foreground_only_button', 'While using the app'],
    ['com.android.permissioncontroller:id/permission_deny_button', 'Don’t allow'],
  )
  const ALERT = dialog(
    ['com.example:id/alertTitle', 'Discard draft?'],
    ['android:id/button2', 'Keep'],
    ['android:id/button1', 'Discard'],
    ['android:id/button3', 'Dismiss'],
  )

  test.each([
    ['accept', PERMISSION, 'While using the app', 'Allow Maps to access location?'],
    ['dismiss', PERMISSION, 'Don’t allow', 'Allow Maps to access location?'],
    ['only THIS time', PERMISSION, 'Only this time', 'Allow Maps to access location?'],
    ['Accept', ALERT, 'Discard', 'Discard draft?'],
    ['dismiss', ALERT, 'Keep', 'Discard draft?'],
    // A label as it is written comes before what the word means.
    ['Dismiss', ALERT, 'Dismiss', 'Discard draft?'],
  ])('%s', async (answer, tree, label, title) => {
    const { data, driver } = await act({ type: 'answer_dialog', params: { answer } }, { ui: { tree } })
    expect(data).toEqual({ button: label, title })
    expect(driver.deeds()).toEqual([['click', label, 'default']])
  })

  test('that no button gives names those that are there', async () => {
    const { data, driver, error } = await act(
      { type: 'answer_dialog', params: { answer: 'Maybe' } },
      { ui: { tree: ALERT } },
    )
    expect(data).toMatchObject({ error: 'DIALOG_NOT_FOUND' })
    expect(error?.hint).toBe('Its buttons: "Keep", "Discard", "Dismiss".')
    expect(driver.deeds()).toEqual([])
  })

  test('without a dialog touches nothing', async () => {
    const tree = () => screen(node({ text: 'accept', clickable: true, at: [0, 0, 50, 50] }))
    const { data, driver } = await act({ type: 'answer_dialog', params: { answer: 'accept' } }, { ui: { tree } })
    expect(data).toMatchObject({ error: 'DIALOG_NOT_FOUND' })
    expect(driver.deeds()).toEqual([])
  })
})

describe('wait_for_idle', () => {
  test('ends with the first look that sees what the one before saw', async () => {
    let looks = 0
    const tree = () => screen(node({ text: String(Math.min(looks++, 3)) }))
    const { data } = await act({ type: 'wait_for_idle' }, { ui: { tree } })
    expect(data).toEqual({ settled: 'true' })
    expect(looks).toBe(5)
  })

  test('says that a screen never came to rest, and does not fail', async () => {
    let looks = 0
    const { data, elapsedMs } = await act(
      { type: 'wait_for_idle', params: { timeoutMs: 1_000 } },
      { ui: { tree: () => screen(node({ text: String(looks++) })) } },
    )
    expect(data).toEqual({ settled: 'false' })
    expect(elapsedMs).toBe(1_000)
  })

  test('takes a screen that cannot be seen for one that is not still', async () => {
    const { data } = await act({ type: 'wait_for_idle', params: { timeoutMs: 300 } }, { ui: { tree: () => undefined } })
    expect(data).toEqual({ settled: 'false' })
  })
})

import { describe, expect, test } from 'vitest'
import { shellControls } from '../../../../src/device/operators/shell/controls.ts'
import { deviceShell } from '../../../../src/device/operators/shell/device-shell.ts'
import type { PhoneControls } from '../../../../src/device/screen/phone-controls.ts'
import { type Answer, scriptedLink } from '../../../support/device/scripted-link.ts'
import { manualClock } from '../../../support/manual-clock.ts'

const setup = (answer: (command: string) => Answer | undefined = () => undefined) => {
  const link = scriptedLink(answer)
  const clock = manualClock()
  const options = { clock, deadline: clock.now() + 60_000, signal: new AbortController().signal }
  return { link, controls: shellControls(deviceShell(link, options)) }
}
const here = { x: 10, y: 20 }
const there = { x: 30, y: 40 }

describe('commands', () => {
  const CASES: [string, (controls: PhoneControls) => Promise<unknown>, string][] = [
    ['a drag', it => it.drag(here, there, { holdMs: 500, durationMs: 1_200 }), 'input draganddrop 10 20 30 40 1700'],
    // A shorter time would be over before the long press of the system is.
    ['a short drag', it => it.drag(here, there, { holdMs: 1, durationMs: 1 }), 'input draganddrop 10 20 30 40 1500'],
    ['a drag without a rest', it => it.drag(here, there, { holdMs: 0, durationMs: 90 }), 'input swipe 10 20 30 40 90'],
    ['a key', it => it.pressKey('volume_up', false), 'input keyevent KEYCODE_VOLUME_UP'],
    ['a long key', it => it.pressKey('power', true), 'input keyevent --longpress KEYCODE_POWER'],
    ['a key with a short name', it => it.pressKey('recents', true), 'input keyevent --longpress KEYCODE_APP_SWITCH'],
    ['the notifications', it => it.expandShade('notifications'), 'cmd statusbar expand-notifications'],
    ['the quick settings', it => it.expandShade('quick_settings'), 'cmd statusbar expand-settings'],
    ['no shade', it => it.collapseShade(), 'cmd statusbar collapse'],
  ]
  test.each(CASES)('%s', async (_name, act, command) => {
    const { link, controls } = setup()
    await act(controls)
    expect(link.commands).toEqual([command])
  })

  test('a refusal is the failure of the step', async () => {
    const { controls } = setup(() => ({ exitCode: 255, stdout: 'Unknown command: expand-settings' }))
    await expect(controls.expandShade('quick_settings')).rejects.toMatchObject({ code: 'GLOBAL_ACTION_FAILED' })
    await expect(controls.drag(here, there, { holdMs: 0, durationMs: 9 })).rejects.toMatchObject({
      code: 'GESTURE_FAILED',
    })
  })
})

describe('a double tap', () => {
  test('is one command line from Android 12 on', async () => {
    const { link, controls } = setup(command => (command.startsWith('getprop') ? { stdout: '31\n' } : undefined))
    await controls.doubleTap(here)
    expect(link.commands.at(-1)).toBe('input tap 10 20 && input tap 10 20')
  })

  test.each(['30\n', '', 'unknown'])('is not tried where the version is %j', async stdout => {
    const { link, controls } = setup(() => ({ stdout }))
    await expect(controls.doubleTap(here)).rejects.toMatchObject({
      code: 'EXECUTION_ACTION_UNSUPPORTED',
      hint: expect.stringContaining('svc operator install'),
    })
    expect(link.commands).toHaveLength(1)
  })
})

test.each([
  ['NotificationShade', true],
  ['StatusBar', true],
  ['com.example/com.example.Main', false],
  ['com.android.systemui/com.android.systemui.recents.RecentsActivity', false],
])('with the focus on %s the shade is open: %s', async (title, isOpen) => {
  const { controls } = setup(() => ({ stdout: `  mCurrentFocus=null\n  mCurrentFocus=Window{1f2 u0 ${title}}\n` }))
  expect(await controls.isShadeOpen()).toBe(isOpen)
})

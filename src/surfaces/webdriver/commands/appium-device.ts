/** The endpoints about the device from before Appium's `mobile:` methods. */
import * as v from 'valibot'
import type { SettingName } from '../../../contracts/device/setting-names.ts'
import {
  getClipboard,
  getDeviceTime,
  getDisplayDensity,
  isLocked,
  lock,
  setClipboard,
  unlock,
} from '../mobile/device.ts'
import { pullFile, pullFolder, pushFile } from '../mobile/files.ts'
import { hideKeyboard, isKeyboardShown, pressKey } from '../mobile/keys.ts'
import { change, powerAC, powerCapacity } from '../mobile/settings.ts'
import { openNotifications } from '../mobile/system-windows.ts'
import { notNegative, number, oneOf, optional, someText, text, whole } from '../protocol/arguments.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'
import { settingsOf } from '../session/live-session.ts'
import { olderPath, type SessionCommand } from './command.ts'

/** Older clients send numbers of keys as text. */
const wholeOrText = v.pipe(v.union([v.number(), v.string()], 'must be a number'), v.transform(Number), whole)
const keyEntries = { keycode: wholeOrText, metastate: optional(wholeOrText), flags: optional(wholeOrText) }

const toggle = (path: `/${string}`, setting: SettingName, name: string) =>
  olderPath({
    path,
    summary: `Switches ${name} on where it is off, and off where it is on.`,
    args: {},
    async run(session) {
      const present = (await settingsOf(session))[setting]
      if (typeof present !== 'boolean')
        throw new WebDriverError('unknown error', `The device does not say whether ${name} is on.`)
      await session.act([change(setting, !present)])
      return null
    },
  })

/** The endpoint reads a body of its own, or none. */
const asMethod = (
  method: 'GET' | 'POST',
  path: `/${string}`,
  { summary, run }: { summary: string; run: SessionCommand['run'] },
): SessionCommand => ({ method, path, summary, run })

const withoutArguments = (
  method: 'GET' | 'POST',
  path: `/${string}`,
  mobile: { summary: string; run(session: Parameters<SessionCommand['run']>[0], args: object): Promise<unknown> },
) => asMethod(method, path, { summary: mobile.summary, run: session => mobile.run(session, {}) })

const CLOCK = '/appium/device/system_time'

export const APPIUM_DEVICE_COMMANDS: readonly SessionCommand[] = [
  withoutArguments('GET', '/appium/device/is_keyboard_shown', isKeyboardShown),
  withoutArguments('POST', '/appium/device/hide_keyboard', hideKeyboard),
  olderPath({
    path: '/appium/device/press_keycode',
    summary: pressKey.summary,
    args: keyEntries,
    run: pressKey.perform,
  }),
  olderPath({
    path: '/appium/device/keyevent',
    summary: pressKey.summary,
    args: keyEntries,
    run: pressKey.perform,
  }),
  olderPath({
    path: '/appium/device/long_press_keycode',
    summary: 'Holds a key by its number in KeyEvent.',
    args: keyEntries,
    run: (session, args) => pressKey.perform(session, { ...args, isLongPress: true }),
  }),
  olderPath({
    path: '/appium/device/get_clipboard',
    summary: getClipboard.summary,
    args: { contentType: optional(oneOf(['plaintext', 'PLAINTEXT'] as const)) },
    run: session => getClipboard.perform(session, {}),
  }),
  olderPath({
    path: '/appium/device/set_clipboard',
    summary: setClipboard.summary,
    args: { content: text, contentType: optional(oneOf(['plaintext', 'PLAINTEXT'] as const)) },
    run: (session, { content }) => setClipboard.perform(session, { content }),
  }),
  olderPath({
    path: '/appium/device/push_file',
    summary: pushFile.summary,
    args: { path: someText, data: text },
    run: (session, { path, data }) => pushFile.perform(session, { remotePath: path, payload: data }),
  }),
  olderPath({
    path: '/appium/device/pull_file',
    summary: pullFile.summary,
    args: { path: someText },
    run: (session, { path }) => pullFile.perform(session, { remotePath: path }),
  }),
  olderPath({
    path: '/appium/device/pull_folder',
    summary: pullFolder.summary,
    args: { path: someText },
    run: (session, { path }) => pullFolder.perform(session, { remotePath: path }),
  }),
  withoutArguments('GET', CLOCK, getDeviceTime),
  olderPath({
    path: CLOCK,
    summary: getDeviceTime.summary,
    args: { format: optional(someText) },
    run: getDeviceTime.perform,
  }),
  withoutArguments('GET', '/appium/device/display_density', getDisplayDensity),
  withoutArguments('POST', '/appium/device/open_notifications', openNotifications),
  olderPath({
    path: '/appium/device/lock',
    summary: lock.summary,
    args: { seconds: optional(notNegative) },
    run: lock.perform,
  }),
  withoutArguments('POST', '/appium/device/unlock', unlock),
  withoutArguments('POST', '/appium/device/is_locked', isLocked),
  toggle('/appium/device/toggle_wifi', 'wifi', 'Wi-Fi'),
  toggle('/appium/device/toggle_data', 'mobile_data', 'mobile data'),
  toggle('/appium/device/toggle_airplane_mode', 'airplane_mode', 'airplane mode'),
  olderPath({
    path: '/appium/device/power_capacity',
    summary: powerCapacity.summary,
    args: { percent: number },
    run: powerCapacity.perform,
  }),
  olderPath({
    path: '/appium/device/power_ac',
    summary: powerAC.summary,
    args: { state: oneOf(['on', 'off'] as const) },
    run: powerAC.perform,
  }),
]

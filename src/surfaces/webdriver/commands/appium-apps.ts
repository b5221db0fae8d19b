/** The endpoints about applications from before Appium's `mobile:` methods. */
import * as v from 'valibot'
import { getCurrentActivity, getCurrentPackage, startActivity } from '../mobile/activities.ts'
import {
  activateApp,
  backgroundApp,
  installApp,
  isAppInstalled,
  queryAppState,
  removeApp,
  terminateApp,
} from '../mobile/apps.ts'
import { flag, number, objectIn, optional, readArguments, someText } from '../protocol/arguments.ts'
import { olderPath, type SessionCommand } from './command.ts'

const appEntries = { appId: optional(someText), bundleId: optional(someText) }

const INSTALL = '/appium/device/install_app'
const REMOVE = '/appium/device/remove_app'

const NOT_ON_SD_CARD = { useSdcard: 'Applications are installed in the internal storage: leave useSdcard out.' }

const AS_METHOD = 'Use mobile: startActivity, which takes flags and extras.'
const INTENT_EXTRAS = { intentFlags: AS_METHOD, optionalIntentArguments: AS_METHOD }

/** Some clients send it as a text. */
const switchWord = v.pipe(
  v.union([flag, v.picklist(['true', 'false'])], 'must be true or false'),
  v.transform(word => word === true || word === 'true'),
)

export const APPIUM_APP_COMMANDS: readonly SessionCommand[] = [
  olderPath({
    path: '/appium/device/activate_app',
    summary: activateApp.summary,
    args: appEntries,
    run: activateApp.perform,
  }),
  olderPath({
    path: '/appium/device/terminate_app',
    summary: terminateApp.summary,
    args: appEntries,
    run: terminateApp.perform,
  }),
  olderPath({
    path: '/appium/device/app_state',
    summary: queryAppState.summary,
    args: appEntries,
    run: queryAppState.perform,
  }),
  olderPath({
    path: '/appium/device/app_installed',
    summary: isAppInstalled.summary,
    args: appEntries,
    run: isAppInstalled.perform,
  }),
  olderPath({
    path: INSTALL,
    summary: installApp.summary,
    args: { appPath: someText },
    run: (session, { appPath }, { body }) => {
      const entries = { grantPermissions: optional(flag), replace: optional(flag) }
      const given = objectIn(body, 'options', INSTALL)
      const options = readArguments(entries, given, { of: INSTALL, isOpen: true, refused: NOT_ON_SD_CARD })
      return installApp.perform(session, { appPath, ...options })
    },
  }),
  olderPath({
    path: REMOVE,
    summary: removeApp.summary,
    args: appEntries,
    run: (session, args, { body }) => {
      const entries = { keepData: optional(flag) }
      const options = readArguments(entries, objectIn(body, 'options', REMOVE), { of: REMOVE, isOpen: true })
      return removeApp.perform(session, { ...args, ...options })
    },
  }),
  olderPath({
    path: '/appium/app/background',
    summary: backgroundApp.summary,
    args: { seconds: optional(number) },
    run: backgroundApp.perform,
  }),
  olderPath({
    path: '/appium/device/start_activity',
    summary: 'Starts an activity of an application, which is ended first unless dontStopAppOnReset is true.',
    args: {
      appPackage: someText,
      appActivity: someText,
      // Clients send an empty one where there is none.
      intentAction: optional(v.string()),
      intentCategory: optional(v.string()),
      dontStopAppOnReset: optional(switchWord),
    },
    refused: INTENT_EXTRAS,
    run: (session, { appPackage, appActivity, intentAction = '', intentCategory = '', dontStopAppOnReset = false }) =>
      startActivity.perform(session, {
        component: `${appPackage}/${appActivity}`,
        stop: !dontStopAppOnReset,
        ...(intentAction === '' ? {} : { action: intentAction }),
        ...(intentCategory === '' ? {} : { categories: [intentCategory] }),
      }),
  }),
  {
    method: 'GET',
    path: '/appium/device/current_package',
    summary: getCurrentPackage.summary,
    run: session => getCurrentPackage.perform(session, {}),
  },
  {
    method: 'GET',
    path: '/appium/device/current_activity',
    summary: getCurrentActivity.summary,
    run: session => getCurrentActivity.perform(session, {}),
  },
]

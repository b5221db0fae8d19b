/** The performer of every action: the one table that the engine of the screen and the host both read. */
import type { ActionType } from '../../contracts/executions/action.ts'
import { installApp } from '../apps/install-app.ts'
import { openAppAsAsked } from '../apps/open-app.ts'
import { openInBrowser } from '../apps/open-in-browser.ts'
import { clearApp, uninstallApp } from '../apps/remove-app.ts'
import { permissionsToRestore, setPermission } from '../apps/set-permission.ts'
import { addMedia } from '../files/add-media.ts'
import { pullFiles } from '../files/pull-files.ts'
import { pushFiles } from '../files/push-files.ts'
import { removeFile } from '../files/remove-file.ts'
import { runCallerCommand } from '../operators/shell/caller-command.ts'
import { getClipboard, setClipboard } from '../operators/shell/clipboard.ts'
import { measureStartup } from '../perf/startup.ts'
import { changeSetting } from '../settings/change-setting.ts'
import { restoreSettings } from '../settings/restore-settings.ts'
import { closeApp, openApp, openUri } from './app.ts'
import { doubleTap, drag, moveFingers, pinch } from './gesture.ts'
import { click, enterText, eraseText, pressKey } from './input.ts'
import { cancelToast, clearOnScreenLog, setOnScreenLog, showToast } from './overlay.ts'
import type { Performer, Performers } from './performer.ts'
import { readKeyValuePair, readText, snapshot } from './read.ts'
import { scroll, scrollAndClick, scrollUntil } from './scroll.ts'
import { swipe } from './swipe.ts'
import { answerDialog, collapseShade, expandShade, hideKeyboard } from './system.ts'
import { takeScreenshot } from './take-screenshot.ts'
import { sleep, waitForIdle, waitForNavigation, waitForNode } from './wait.ts'

/** Few executions have a step about a page: the first one loads them. */
const pages = () => import('../pages/page-steps.ts')

const PERFORMERS: Performers = {
  open_app: { screen: openApp, link: openAppAsAsked },
  open_uri: { screen: openUri, link: openInBrowser },
  close_app: { link: closeApp },
  install_app: { link: installApp },
  uninstall_app: { link: uninstallApp },
  clear_app: { link: clearApp },
  push_file: { link: pushFiles },
  pull_file: { link: pullFiles },
  remove_file: { link: removeFile },
  add_media: { link: addMedia },
  set_permission: { link: setPermission },
  change_setting: { link: changeSetting },
  restore_settings: {
    link: (params, options) => restoreSettings(options, permissionsToRestore(options), params?.settings),
  },
  measure_startup: { link: measureStartup },
  click: { screen: click },
  double_tap: { screen: doubleTap },
  swipe: { screen: swipe },
  drag: { screen: drag },
  pinch: { screen: pinch },
  move_fingers: { screen: moveFingers },
  scroll: { screen: scroll },
  scroll_until: { screen: scrollUntil },
  scroll_and_click: { screen: scrollAndClick },
  wait_for_node: { screen: waitForNode },
  wait_for_navigation: { screen: waitForNavigation },
  wait_for_idle: { screen: waitForIdle },
  read_text: { screen: readText },
  read_key_value_pair: { screen: readKeyValuePair },
  enter_text: { screen: enterText },
  erase_text: { screen: eraseText },
  press_key: { screen: pressKey },
  hide_keyboard: { screen: hideKeyboard },
  expand_shade: { screen: expandShade },
  collapse_shade: { screen: collapseShade },
  answer_dialog: { screen: answerDialog },
  get_clipboard: { link: (_, options) => getClipboard(options) },
  set_clipboard: { link: setClipboard },
  shell: { link: ({ command }, options) => runCallerCommand(command, options) },
  read_page: { link: async (params, options) => (await pages()).readPage(params, options) },
  change_page: { link: async (params, options) => (await pages()).changePage(params, options) },
  page_script: { link: async (params, options) => (await pages()).runPageScript(params, options) },
  snapshot: { screen: snapshot },
  take_screenshot: { link: takeScreenshot },
  sleep: { screen: sleep },
  show_toast: { screen: showToast },
  cancel_toast: { screen: cancelToast },
  set_on_screen_log: { screen: setOnScreenLog },
  clear_on_screen_log: { screen: clearOnScreenLog },
}

/** Undefined for a type that came past validation by a host or an operator of another version. */
export const performerOf = <T extends ActionType>(type: T): Performer<T> | undefined =>
  Object.hasOwn(PERFORMERS, type) ? PERFORMERS[type] : undefined

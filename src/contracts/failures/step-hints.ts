/** Says what to do about a step that failed, by its code. */

import type { StepFailureCode } from '../actions/cards.ts'
import type { FailureCode } from './failures.ts'

/** Skills match on this part of the message about a missing node. */
export const NO_NODE_MESSAGE = 'No UI node found matching criteria'

/** For a text without a matcher. */
export const NO_FOCUS_MESSAGE = `${NO_NODE_MESSAGE} focused=true, role=textfield: no text field has the focus`
export const NO_FOCUS_HINT = 'Tap the field first, or say with a selector which field the text is for.'

/** Said where a field was named by its label and the screen has a field, but no such label. */
export const NAME_FIELD_HINT =
  'The label of a field is the text in it, which changes as it is typed: name the field by `resourceId`, or by `role` textfield.'

/** For a text that is for a node of another kind. */
export const NO_FIELD_HINT = 'Name the field that the text is for by `resourceId`, or by `role` textfield.'

/** A window that did not come, with one of the system UI in front: what is opened lies below it. */
export const SHADE_HINT =
  'The system UI is in front, such as an open notification shade: close it with `collapse_shade`, and try again.'

/** Said to every caller alike, so no command and no tool is named. */
export const STEP_HINTS = {
  APP_NOT_FOUND: 'Give the package name of an installed application; `GET /devices/<id>/apps` lists them.',
  URI_NOT_HANDLED: 'Check the scheme of the URI, and that an application that opens it is installed.',
  NAVIGATION_TIMEOUT:
    'Take a snapshot to see what is in front; give a longer `timeoutMs` if the application starts slowly.',
  INSTALL_FAILED: 'Look at the phone for a question; `data.reason` of the step is the code that Android gave.',
  UNINSTALL_FAILED:
    'Look at the phone for a question; an application that a device policy or an administrator holds cannot be removed.',
  CLEAR_FAILED:
    'On OPPO, realme and OnePlus phones switch on "Disable permission monitoring" in the developer options, then try again.',
  FILE_NOT_FOUND: 'Check the path: `GET /devices/<id>/files` shows what is on the device.',
  FILE_EXISTS: 'Use `overwrite` to replace it, or name another path.',
  FILE_REFUSED:
    'The shell of a phone may write below /sdcard and /data/local/tmp; name `applicationId` for files of an app that can be debugged.',
  ACTIVITY_REFUSED:
    'Name an activity that the application exports, or none, to start the one that its icon starts: `dumpsys package <package>` on the device lists them.',
  PERMISSION_REFUSED:
    'Look up with `GET /devices/<id>/apps/<applicationId>` which permissions can be allowed and denied.',
  SETTING_REFUSED:
    'Change it by hand in the settings of the device. Some makers need one more switch in the developer options: "USB debugging (Security settings)" on Xiaomi, "Disable permission monitoring" on OPPO, realme and OnePlus.',
  ACTION_FAILED: 'Take a snapshot before you try again: the step may have had an effect.',
  NODE_NOT_FOUND:
    'Take a snapshot to see what is on the screen, then correct the selector, scroll to the node, or wait for it.',
  REF_STALE: 'Find the element again on the screen as it is now, and act on that.',
  NODE_STILL_VISIBLE: 'Take a snapshot to see what keeps the node there, or wait longer.',
  NODE_NOT_CLICKABLE: 'Take a snapshot and choose a node that can be clicked, or click a point.',
  GESTURE_FAILED: 'Take a snapshot to see what covers the screen, close it, and try again.',
  CONTAINER_NOT_FOUND:
    'Take a snapshot to see which nodes scroll; where none does, all is on the screen that there is, or it moves by a swipe.',
  CONTAINER_NOT_SCROLLABLE:
    'Take a snapshot to see which nodes scroll; where none does, all is on the screen that there is, or it moves by a swipe.',
  TARGET_NOT_FOUND: 'Take a snapshot to check the selector, scroll in the other direction, or allow more scrolls.',
  VALIDATOR_MISMATCH: 'Read the text without a validator to see what it is.',
  VALUE_NODE_NOT_FOUND: 'Take a snapshot to see where the value is, and read it by a selector of its own.',
  GLOBAL_ACTION_FAILED: 'Take a snapshot to see what is in front, and try again.',
  DIALOG_NOT_FOUND: 'Take a snapshot to see what is in front: only a dialog with buttons can be answered.',
  CLIPBOARD_UNAVAILABLE:
    'Use a phone or an emulator whose shell has the commands cmd clipboard get and set, such as a simulated phone. On others copy and paste in the application, with `press_key` copy and paste, or type the text with `enter_text`.',
  PAGE_NOT_FOUND:
    'List the pages with `read_page` and `read` pages: the page may have been closed, or its application ended.',
  PAGE_UNREADABLE:
    'Look at the screen: a dialog of the page, a debugger, a busy page or a selector that takes long keeps its inspector from answering, and so does a page that crashed, which is repaired by going to an address or by a reload. What was asked for may have happened.',
  PAGE_REFUSED: 'Look at the page: `data.reason` of the step says what it does not take. Nothing was touched.',
  PAGE_SCRIPT_FAILED: 'Correct the script, or give it more time; what it did before it failed stays done.',
  SNAPSHOT_HIERARCHY_UNAVAILABLE: 'Wait until the screen is still and try again, or take a screenshot.',
  EVIDENCE_CAPTURE_FAILED: 'Check that the folder of the picture can be written, and that the screen is not protected.',
  SERVICE_UNAVAILABLE: 'Switch on the accessibility service of the operator in the settings of the device.',
  EXECUTION_ACTION_UNSUPPORTED: 'Leave the action out, or use an operator package that performs it.',
  ON_SCREEN_LOG_UNAVAILABLE: 'Allow the operator to display over other applications in the settings of the device.',
  ON_SCREEN_LOG_RENDER_FAILED: 'Show a shorter or simpler text.',
  ON_SCREEN_LOG_TEMPLATE_FAILED: 'Give every placeholder of the template a value.',
} as const satisfies Partial<Record<FailureCode, string>> & Record<StepFailureCode, string>

/** A sleep fails only where the time of its execution ends first, and touches nothing. */
const SLEEP_HINT = 'Give the execution a longer `timeoutMs`: it must cover all of its sleeps.'

/** `actionType` is the type of the step that failed, where it is known. */
export const stepHint = (code: string, actionType?: string): string | undefined => {
  if (code === 'ACTION_FAILED' && actionType === 'sleep') return SLEEP_HINT
  return Object.hasOwn(STEP_HINTS, code) ? STEP_HINTS[code as keyof typeof STEP_HINTS] : undefined
}

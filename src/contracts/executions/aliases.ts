/** The spellings that the execution payload is also understood in, as data; what is validated and stored is canonical. */

import type { ClickType } from '../actions/input.ts'
import type { ActionType } from './action.ts'
import type { Matcher } from './matcher.ts'
import { PATH_KEY_ALIASES, SCREENSHOT_TYPE_ALIASES } from './screenshot-aliases.ts'

/** Looked up trimmed and in lower case. */
export const TYPE_ALIASES = {
  open_url: 'open_uri',
  tap: 'click',
  press: 'click',
  double_click: 'double_tap',
  drag_and_drop: 'drag',
  wait_for: 'wait_for_node',
  find: 'wait_for_node',
  find_node: 'wait_for_node',
  read: 'read_text',
  snapshot_ui: 'snapshot',
  ...SCREENSHOT_TYPE_ALIASES,
  type_text: 'enter_text',
  text_entry: 'enter_text',
  input_text: 'enter_text',
  key_press: 'press_key',
} as const satisfies Record<string, ActionType>

/** Looked up as written: these know no variants of case or white space, and neither do the types they stand for. */
export const EXACT_TYPE_ALIASES = {
  on_screen_log_set: 'set_on_screen_log',
  on_screen_log_clear: 'clear_on_screen_log',
} as const satisfies Record<string, ActionType>

/**
 * Keys of `params` that have other names; the snake_case form of every key of the payload comes on top. The canonical key
 * wins where both are present, here and below.
 */
export const PARAM_KEY_ALIASES = {
  package: 'applicationId',
  package_id: 'applicationId',
  application_id: 'applicationId',
  app: 'applicationId',
  app_id: 'applicationId',
  appId: 'applicationId',
  url: 'uri',
  selector: 'matcher',
  node: 'matcher',
  element: 'matcher',
  value: 'text',
  ...PATH_KEY_ALIASES,
  within: 'container',
  container_selector: 'container',
  label_selector: 'labelMatcher',
} as const satisfies Record<string, string>

/** Keys of a matcher that have other names, beside its snake_case forms. */
export const MATCHER_KEY_ALIASES = {
  text: 'textEquals',
  id: 'resourceId',
  content_desc: 'contentDescEquals',
  description: 'contentDescEquals',
  accessibility_label: 'contentDescEquals',
  description_contains: 'contentDescContains',
  accessibility_label_contains: 'contentDescContains',
} as const satisfies Record<string, keyof Matcher>

/** Values of `clickType` that have other names, looked up trimmed and in lower case. */
export const CLICK_TYPE_ALIASES = {
  click: 'default',
  longclick: 'long_click',
  long: 'long_click',
} as const satisfies Record<string, ClickType>

/** The params of these types know no aliases. */
export const TYPES_WITHOUT_KEY_ALIASES = [
  'show_toast',
  'cancel_toast',
  'set_on_screen_log',
  'clear_on_screen_log',
] as const satisfies readonly ActionType[]

/** The answers of each action type: the keys of a successful step's data, and the codes that `data.error` may hold. */
import type { ActionType } from './action.ts'
import type { FailureCode } from './failures.ts'

interface StepAnswer {
  data: readonly string[]
  failures: readonly FailureCode[]
}

const CONTAINER_FAILURES = ['CONTAINER_NOT_FOUND', 'CONTAINER_NOT_SCROLLABLE', 'GESTURE_FAILED'] as const

/** The screen gave no hierarchy: nothing is known of what is on it. Waits take that for `not there yet`. */
const UNSEEN = 'SNAPSHOT_HIERARCHY_UNAVAILABLE'

export const STEP_ANSWERS = {
  open_app: { data: ['application_id'], failures: ['NAVIGATION_TIMEOUT', 'APP_NOT_FOUND'] },
  open_uri: { data: ['uri'], failures: ['URI_NOT_HANDLED'] },
  close_app: { data: ['application_id'], failures: ['ACTION_FAILED'] },
  click: { data: ['click_type'], failures: ['NODE_NOT_FOUND', 'NODE_NOT_CLICKABLE', 'GESTURE_FAILED', UNSEEN] },
  swipe: { data: ['duration_ms'], failures: ['GESTURE_FAILED'] },
  scroll: { data: ['scroll_outcome', 'direction'], failures: [...CONTAINER_FAILURES, UNSEEN] },
  scroll_until: {
    data: ['termination_reason', 'scrolls_executed'],
    failures: ['TARGET_NOT_FOUND', ...CONTAINER_FAILURES, UNSEEN],
  },
  scroll_and_click: { data: ['scrolls_executed'], failures: ['TARGET_NOT_FOUND', 'NODE_NOT_CLICKABLE', UNSEEN] },
  wait_for_node: { data: ['resource_id', 'label', 'elapsed_ms'], failures: ['NODE_NOT_FOUND'] },
  wait_for_navigation: { data: ['resolved_package', 'elapsed_ms'], failures: ['NAVIGATION_TIMEOUT'] },
  read_text: { data: ['text', 'count'], failures: ['NODE_NOT_FOUND', 'VALIDATOR_MISMATCH', UNSEEN] },
  read_key_value_pair: { data: ['label', 'value'], failures: ['NODE_NOT_FOUND', 'VALUE_NODE_NOT_FOUND', UNSEEN] },
  enter_text: { data: ['text', 'submit'], failures: ['NODE_NOT_FOUND', 'ACTION_FAILED', UNSEEN] },
  press_key: { data: ['key'], failures: ['GLOBAL_ACTION_FAILED'] },
  snapshot: { data: ['text', 'foreground_package'], failures: [UNSEEN] },
  take_screenshot: { data: ['path'], failures: ['EVIDENCE_CAPTURE_FAILED'] },
  sleep: { data: ['duration_ms'], failures: [] },
  show_toast: { data: ['submitted', 'duration'], failures: ['SERVICE_UNAVAILABLE'] },
  cancel_toast: { data: ['submitted'], failures: [] },
  set_on_screen_log: {
    data: ['visible', 'rendered', 'truncated'],
    failures: ['ON_SCREEN_LOG_UNAVAILABLE', 'ON_SCREEN_LOG_RENDER_FAILED', 'ON_SCREEN_LOG_TEMPLATE_FAILED'],
  },
  clear_on_screen_log: { data: ['visible'], failures: [] },
} as const satisfies Record<ActionType, StepAnswer>

/** set_on_screen_log answers with its settings beside these, in snake_case. */
export const SCROLL_OUTCOMES = ['moved', 'edge_reached'] as const

/** Skills match on this part of the message about a missing node. */
export const NO_NODE_MESSAGE = 'No UI node found matching criteria'

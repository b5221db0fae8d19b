/** The actions that look at a device, or wait, and change nothing on it. */
import type { ActionType } from './action.ts'

export const LOOKING: readonly ActionType[] = [
  'snapshot',
  'take_screenshot',
  'read_text',
  'read_key_value_pair',
  'wait_for_node',
  'wait_for_navigation',
  'sleep',
]

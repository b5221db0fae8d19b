/** One step of an execution payload: the union of all canonical action types. */
import * as v from 'valibot'
import { APP_ACTIONS } from '../actions/app.ts'
import { FILE_ACTIONS } from '../actions/file.ts'
import { GESTURE_ACTIONS } from '../actions/gesture.ts'
import { INPUT_ACTIONS } from '../actions/input.ts'
import { OVERLAY_ACTIONS } from '../actions/overlay.ts'
import { PAGE_ACTIONS } from '../actions/page.ts'
import { PHONE_ACTIONS } from '../actions/phone.ts'
import { READ_ACTIONS } from '../actions/read.ts'
import { SCROLL_ACTIONS } from '../actions/scroll.ts'
import { SETTING_ACTIONS } from '../actions/setting.ts'
import { SYSTEM_ACTIONS } from '../actions/system.ts'
import { WAIT_ACTIONS } from '../actions/wait.ts'

export const Action = v.variant('type', [
  ...APP_ACTIONS,
  ...FILE_ACTIONS,
  ...SETTING_ACTIONS,
  ...INPUT_ACTIONS,
  ...GESTURE_ACTIONS,
  ...SCROLL_ACTIONS,
  ...WAIT_ACTIONS,
  ...READ_ACTIONS,
  ...SYSTEM_ACTIONS,
  ...PHONE_ACTIONS,
  ...PAGE_ACTIONS,
  ...OVERLAY_ACTIONS,
])
export type Action = v.InferOutput<typeof Action>
export type ActionInput = v.InferInput<typeof Action>
export type ActionType = Action['type']

export const ACTION_TYPES: readonly ActionType[] = Action.options.map(option => option.entries.type.literal)

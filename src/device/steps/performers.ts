/** The performer of every action: the one table that the engine of the screen and the host both read. */
import type { ActionType } from '../../contracts/executions/action.ts'
import { APP_STEPS } from './app.ts'
import { FILE_STEPS } from './file.ts'
import { GESTURE_STEPS } from './gesture.ts'
import { INPUT_STEPS } from './input.ts'
import { OVERLAY_STEPS } from './overlay.ts'
import { PAGE_STEPS } from './page.ts'
import type { Performers } from './performer.ts'
import { PHONE_STEPS } from './phone.ts'
import { READ_STEPS } from './read.ts'
import { SCROLL_STEPS } from './scroll.ts'
import { SETTING_STEPS } from './setting.ts'
import { SYSTEM_STEPS } from './system.ts'
import { WAIT_STEPS } from './wait.ts'

const PERFORMERS: Performers = {
  ...APP_STEPS,
  ...FILE_STEPS,
  ...SETTING_STEPS,
  ...INPUT_STEPS,
  ...GESTURE_STEPS,
  ...SCROLL_STEPS,
  ...WAIT_STEPS,
  ...READ_STEPS,
  ...SYSTEM_STEPS,
  ...PHONE_STEPS,
  ...PAGE_STEPS,
  ...OVERLAY_STEPS,
}

/** Undefined for a type that came past validation by a host or an operator of another version. */
export const performerOf = <T extends ActionType>(type: T): Performers[T] | undefined =>
  Object.hasOwn(PERFORMERS, type) ? PERFORMERS[type] : undefined

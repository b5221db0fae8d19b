/** The table of the functions that perform the actions. */
import type { Action, ActionType } from '../../contracts/action.ts'
import type { ParamsOf, Step, StepContext } from './context.ts'
import { StepFailure } from './step-failure.ts'
import { openApp, openUri } from './steps/app.ts'
import { snapshot } from './steps/capture.ts'
import { enterText, pressKey } from './steps/input.ts'
import { clearOnScreenLog, setOnScreenLog } from './steps/on-screen-log.ts'
import { click, swipe } from './steps/pointer.ts'
import { readKeyValuePair, readText } from './steps/read.ts'
import { scroll, scrollAndClick, scrollUntil } from './steps/scroll.ts'
import { cancelToast, showToast } from './steps/toast.ts'
import { sleep, waitForNavigation, waitForNode } from './steps/wait.ts'

/** Needs shell rights, so the host performs it between the steps of the operator. */
const performedByTheHost = async (): Promise<never> => {
  throw new StepFailure('EXECUTION_ACTION_UNSUPPORTED', 'only the host can perform this action')
}

const STEPS: { [T in ActionType]: Step<T> } = {
  open_app: openApp,
  open_uri: openUri,
  close_app: performedByTheHost,
  click,
  swipe,
  scroll,
  scroll_until: scrollUntil,
  scroll_and_click: scrollAndClick,
  wait_for_node: waitForNode,
  wait_for_navigation: waitForNavigation,
  read_text: readText,
  read_key_value_pair: readKeyValuePair,
  enter_text: enterText,
  press_key: pressKey,
  snapshot,
  take_screenshot: performedByTheHost,
  sleep,
  show_toast: showToast,
  cancel_toast: cancelToast,
  set_on_screen_log: setOnScreenLog,
  clear_on_screen_log: clearOnScreenLog,
}

const performTyped = <T extends ActionType>(type: T, params: ParamsOf[T], context: StepContext) =>
  STEPS[type](params, context)

/** A type that came past validation by an operator of another version is answered, not thrown. */
export const perform = async (action: Action, context: StepContext): Promise<Record<string, string>> => {
  if (!Object.hasOwn(STEPS, action.type)) {
    throw new StepFailure('EXECUTION_ACTION_UNSUPPORTED', `this operator does not support the action ${action.type}`)
  }
  return await performTyped(action.type, action.params, context)
}

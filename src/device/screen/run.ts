/** Runs the steps of an execution in order over a driver, up to the first that fails. */
import type { Action, ActionType } from '../../contracts/executions/action.ts'
import type { StepResult } from '../../contracts/executions/execution-result.ts'
import type { FailureCode } from '../../contracts/failures/failures.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { ParamsOf, Step, StepContext } from './context.ts'
import { guardedDriver, type UiDriver } from './driver.ts'
import { type MatchPattern, matchHere } from './patterns/pattern.ts'
import { type ScreenHandover, screenHandover } from './screen-handover.ts'
import { StepFailure } from './step-failure.ts'
import { openApp, openUri } from './steps/app.ts'
import { snapshot } from './steps/capture.ts'
import { doubleTap, drag, moveFingers, pinch } from './steps/gesture.ts'
import { click, enterText, eraseText, pressKey } from './steps/input.ts'
import { cancelToast, clearOnScreenLog, setOnScreenLog, showToast } from './steps/overlay.ts'
import { readKeyValuePair, readText } from './steps/read.ts'
import { scroll, scrollAndClick, scrollUntil } from './steps/scroll.ts'
import { swipe } from './steps/swipe.ts'
import { answerDialog, collapseShade, expandShade, hideKeyboard } from './steps/system.ts'
import { sleep, waitForIdle, waitForNavigation, waitForNode } from './steps/wait.ts'
import type { UiTree } from './ui-tree.ts'

/** Needs shell rights, so the host performs it between the steps of the operator. */
const performedByTheHost = async (): Promise<never> => {
  throw new StepFailure('EXECUTION_ACTION_UNSUPPORTED', 'only the host can perform this action')
}

const STEPS: { [T in ActionType]: Step<T> } = {
  open_app: openApp,
  open_uri: openUri,
  close_app: performedByTheHost,
  install_app: performedByTheHost,
  uninstall_app: performedByTheHost,
  clear_app: performedByTheHost,
  push_file: performedByTheHost,
  pull_file: performedByTheHost,
  remove_file: performedByTheHost,
  add_media: performedByTheHost,
  set_permission: performedByTheHost,
  change_setting: performedByTheHost,
  restore_settings: performedByTheHost,
  measure_startup: performedByTheHost,
  click,
  double_tap: doubleTap,
  swipe,
  drag,
  pinch,
  move_fingers: moveFingers,
  scroll,
  scroll_until: scrollUntil,
  scroll_and_click: scrollAndClick,
  wait_for_node: waitForNode,
  wait_for_navigation: waitForNavigation,
  wait_for_idle: waitForIdle,
  read_text: readText,
  read_key_value_pair: readKeyValuePair,
  enter_text: enterText,
  erase_text: eraseText,
  press_key: pressKey,
  hide_keyboard: hideKeyboard,
  expand_shade: expandShade,
  collapse_shade: collapseShade,
  answer_dialog: answerDialog,
  get_clipboard: performedByTheHost,
  set_clipboard: performedByTheHost,
  shell: performedByTheHost,
  read_page: performedByTheHost,
  change_page: performedByTheHost,
  page_script: performedByTheHost,
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
const performAction = async (action: Action, context: StepContext): Promise<Record<string, string>> => {
  if (!Object.hasOwn(STEPS, action.type)) {
    throw new StepFailure('EXECUTION_ACTION_UNSUPPORTED', `this operator does not support the action ${action.type}`)
  }
  return await performTyped(action.type, action.params, context)
}

export interface RunOptions {
  driver: UiDriver
  clock: Clock
  /** Ends the run at once: nothing more is asked of the driver, and the promise rejects with the reason. */
  signal: AbortSignal
  /** Asked before each call of the driver: throws a StepFailure when this host may no longer act on the phone. */
  mayAct?: () => void
  /** Between the runs of one execution. */
  handover?: ScreenHandover | undefined
  /** Matches the patterns of callers; in this thread unless told otherwise. */
  matchPattern?: MatchPattern
  /** From 0 to below 1; spreads the delays of retries. */
  random: () => number
  /** When the time of the execution is over, in epoch ms. A step that is not done by then fails with its own code. */
  deadline?: number
}

interface StepsError {
  code: FailureCode
  message: string
  details?: Record<string, unknown>
  hint?: string
}

export interface StepsOutcome {
  /** The results of the steps that ran; the last one is the failed one, if any. */
  stepResults: StepResult[]
  error: StepsError | null
  /** The screen as the failed step saw it last, if it looked. */
  tree?: UiTree | undefined
}

type Named = Pick<Action, 'id' | 'type'>

export const succeeded = ({ id, type }: Named, data: Record<string, string>): StepResult => ({
  id,
  actionType: type,
  success: true,
  data,
})

export const failed = (
  { id, type }: Named,
  { code, message, data, hint }: StepFailure,
): StepsOutcome & { error: StepsError } => ({
  stepResults: [{ id, actionType: type, success: false, data: { ...data, error: code, message } }],
  error: {
    code,
    message: `Step "${id}" (${type}) failed: ${message.replace(/\.$/, '')}.`,
    details: { actionId: id, actionType: type },
    ...(hint === undefined ? {} : { hint }),
  },
})

const isVisibleWait = ({ type, params }: Action): boolean => type === 'wait_for_node' && params.state !== 'gone'

const runStep = async (action: Action, context: StepContext) => {
  if (context.clock.now() >= context.deadline) {
    throw new StepFailure('ACTION_FAILED', 'the execution timed out before the step began')
  }
  return await performAction(action, context)
}

/** Rejects when the signal aborts, and with whatever else than a StepFailure the driver throws. */
export const runSteps = async (actions: readonly Action[], options: RunOptions): Promise<StepsOutcome> => {
  const { clock, signal, random, matchPattern = matchHere, deadline = Number.POSITIVE_INFINITY } = options
  const { handover = screenHandover(clock) } = options
  const guarded = guardedDriver(options.driver, signal, options.mayAct)
  let seen: UiTree | undefined
  let known: UiTree | undefined
  const driver: UiDriver = {
    ...guarded,
    async tree(how) {
      seen = known ?? (await guarded.tree(how))
      known = undefined
      return seen
    },
  }
  const context: StepContext = { driver, clock, signal, random, matchPattern, deadline }
  const stepResults: StepResult[] = []
  for (const action of actions) {
    signal.throwIfAborted()
    seen = undefined
    known = handover.peek(action)
    handover.drop()
    try {
      stepResults.push(succeeded(action, await runStep(action, context)))
      if (isVisibleWait(action) && seen) handover.give(action, seen)
    } catch (error) {
      if (!(error instanceof StepFailure)) throw error
      const outcome = failed(action, error)
      return { stepResults: [...stepResults, ...outcome.stepResults], error: outcome.error, tree: seen }
    }
  }
  return { stepResults, error: null }
}

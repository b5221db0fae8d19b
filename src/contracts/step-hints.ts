/** The advice that goes with each code of a step that failed, where the one who raised it gave none. */
import type { FailureCode } from './failures.ts'
import type { STEP_ANSWERS } from './step-data.ts'

type StepFailureCode = (typeof STEP_ANSWERS)[keyof typeof STEP_ANSWERS]['failures'][number]

/** Said to every caller alike, so no command and no tool is named. */
export const STEP_HINTS = {
  APP_NOT_FOUND:
    'Give the package name of an installed application that can be opened, such as com.android.settings; adb shell pm list packages lists what is installed.',
  URI_NOT_HANDLED: 'Check the scheme of the URI, and that an application that opens it is installed.',
  NAVIGATION_TIMEOUT:
    'Take a snapshot to see what is in front; give a longer timeoutMs if the application starts slowly.',
  ACTION_FAILED: 'Take a snapshot before you try again: the step may have had an effect.',
  NODE_NOT_FOUND:
    'Take a snapshot to see what is on the screen, then correct the selector, scroll to the node, or wait for it.',
  NODE_NOT_CLICKABLE: 'Take a snapshot and choose a node that can be clicked, or click a point.',
  GESTURE_FAILED: 'Take a snapshot to see what covers the screen, close it, and try again.',
  CONTAINER_NOT_FOUND: 'Take a snapshot to see which nodes scroll, or leave the container out.',
  CONTAINER_NOT_SCROLLABLE: 'Take a snapshot to see which nodes scroll, or leave the container out.',
  TARGET_NOT_FOUND: 'Take a snapshot to check the selector, scroll in the other direction, or allow more scrolls.',
  VALIDATOR_MISMATCH: 'Read the text without a validator to see what it is.',
  VALUE_NODE_NOT_FOUND: 'Take a snapshot to see where the value is, and read it by a selector of its own.',
  GLOBAL_ACTION_FAILED: 'Take a snapshot to see what is in front, and try the key again.',
  SNAPSHOT_HIERARCHY_UNAVAILABLE: 'Wait until the screen is still and try again, or take a screenshot.',
  EVIDENCE_CAPTURE_FAILED: 'Check that the folder of the picture can be written, and that the screen is not protected.',
  SERVICE_UNAVAILABLE: 'Switch on the accessibility service of the operator in the settings of the device.',
  EXECUTION_ACTION_UNSUPPORTED: 'Leave the action out, or use an operator package that performs it.',
  ON_SCREEN_LOG_UNAVAILABLE: 'Allow the operator to display over other applications in the settings of the device.',
  ON_SCREEN_LOG_RENDER_FAILED: 'Show a shorter or simpler text.',
  ON_SCREEN_LOG_TEMPLATE_FAILED: 'Give every placeholder of the template a value.',
} as const satisfies Partial<Record<FailureCode, string>> & Record<StepFailureCode, string>

export const stepHint = (code: string): string | undefined =>
  Object.hasOwn(STEP_HINTS, code) ? STEP_HINTS[code as keyof typeof STEP_HINTS] : undefined

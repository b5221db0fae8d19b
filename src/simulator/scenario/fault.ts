/** Faults: which executions of a device go wrong, and how. */
import * as v from 'valibot'
import { closedObject } from '../../contracts/json/objects.ts'
import { count, positive } from '../../contracts/json/scalars.ts'
import { checked, type Parsed } from './problem.ts'

const FAULT_MS_MAX = 600_000

/** Faults of the operator app. */
export const OPERATOR_FAULT_KINDS = [
  /** The execution runs, and nothing is answered. */
  'no-result',
  /** The answer comes `ms` later than it could; without `ms`, after the host has given up. */
  'late',
  /** The answer is cut short. */
  'truncate',
  /** The answer comes in chunks, one of which is missing. */
  'drop-chunk',
  /** The answer comes in chunks, one of them twice. */
  'repeat-chunk',
  /** A line that is not an answer comes before the answer. */
  'garbage',
  /** The link is cut when the request arrives, and the operator never sees it. */
  'link-lost-before',
  /** The link is cut once the operator has the request, and the operator finishes it. */
  'link-lost-after',
  /** The operator takes `ms` longer. */
  'slow',
  /** The same as `link-lost-after`, and the device takes no new link. */
  'device-gone',
] as const

/** Lies of the operator app about requests that it has. */
export const PROGRESS_FAULT_KINDS = [
  /** It tells all steps but the last as ended before the first begins. */
  'progress-untrue',
  /** Its progress, and the result that it is asked for, have the nonce of another request. */
  'nonce-wrong',
  /** It does not know the request when it is asked about it. */
  'result-forgotten',
  /** It performs the request again when it is asked about it. */
  'asking-repeats',
] as const

/** Faults of the package manager and the helpers of `svc.uiautomator`. */
export const HELPER_FAULT_KINDS = [
  /** The package manager refuses the APK with `code`. */
  'install-refused',
  /** Another program holds UiAutomation. */
  'automation-held',
  /** The port that the helper was to listen on is taken. */
  'port-taken',
  /** The helper ends when the request arrives, and does nothing of it. */
  'helper-dies-before',
  /** The helper does what it was asked, and ends without an answer. */
  'helper-dies-after',
  /** The helper does what it was asked, and closes the connection without an answer. */
  'helper-hangs-up',
  /** The helper does what it was asked, and never answers. */
  'helper-silent',
  /** The helper answers `ms` later. */
  'helper-late',
  /** The helper's tree has no nodes. */
  'helper-blank',
  /** The system takes no touch. */
  'touch-refused',
  /** The keyboard helper does not listen yet, and the text is lost. */
  'keyboard-deaf',
] as const

/** Faults of the programs in the shell. */
const SHELL_FAULT_KINDS = [
  /** `input text` types nothing, prints the trace of its own end and exits with 0, as on Android 10. */
  'text-dies',
] as const

/** Faults of whatever touches the screen: the shell and the helper. */
const TOUCH_FAULT_KINDS = [
  /** The screen takes the tap, and the link is cut before anybody hears of it. */
  'touch-cuts-link',
] as const

export const FAULT_KINDS = [
  ...OPERATOR_FAULT_KINDS,
  ...PROGRESS_FAULT_KINDS,
  ...HELPER_FAULT_KINDS,
  ...SHELL_FAULT_KINDS,
  ...TOUCH_FAULT_KINDS,
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

/** Why an APK is refused, as the package manager words it. */
const InstallCode = v.pipe(
  v.string(),
  v.regex(/^[A-Z][A-Z0-9_]{1,79}$/, 'must be a code such as INSTALL_FAILED_USER_RESTRICTED'),
)

/**
 * The first `after` executions of a device pass untouched, and the next `times` are hit. For the faults of installing, of
 * the helper, of its keyboard, of the shell and of touches, what they hit is counted: installations, starts, requests to
 * the helper, texts, taps.
 */
export const Fault = closedObject({
  after: v.exactOptional(count, 0),
  do: v.picklist(FAULT_KINDS),
  ms: v.exactOptional(v.pipe(count, v.maxValue(FAULT_MS_MAX))),
  times: v.exactOptional(positive, 1),
  code: v.exactOptional(InstallCode),
})
export type Fault = v.InferOutput<typeof Fault>

export const Faults = v.array(Fault)

/** The form of a faults file. */
export const parseFaults = (json: unknown): Parsed<'faults', Fault[]> => {
  const result = checked(Faults, json)
  return result.ok ? { ok: true, faults: result.value } : result
}

/** Why a device does not change a permission: the words of its tools, as a failure that says what to do. */
import { StepFailure } from '../screen/step-failure.ts'

type Reason =
  | 'not_requested'
  | 'not_changeable'
  | 'fixed'
  | 'unknown'
  | 'not_in_this_android'
  | 'vendor_switch'
  | 'refused'

const HINTS: Readonly<Record<Reason, string | undefined>> = {
  not_requested:
    'Declare it with <uses-permission> in the manifest of the application; `GET /devices/<id>/apps/<applicationId>` shows what it asks for.',
  not_changeable: 'Leave it out: Android gives it when the application is installed, or never to one of this kind.',
  fixed: 'The system or a device policy holds it: remove the policy, or use another phone or profile.',
  unknown: 'Check the spelling, as in the manifest of the application.',
  not_in_this_android: undefined,
  vendor_switch:
    'In the developer options of Xiaomi, Redmi and POCO phones switch on "USB debugging (Security settings)", of OPPO, realme and OnePlus phones "Disable permission monitoring", then try again.',
  refused: undefined,
}

export const permissionRefused = (reason: Reason, message: string, hint = HINTS[reason]): StepFailure =>
  new StepFailure('PERMISSION_REFUSED', message, { data: { reason }, ...(hint === undefined ? {} : { hint }) })

/** True where the application has nothing of this name to be asked about. */
export const isNotRequested = (error: unknown): boolean =>
  error instanceof StepFailure && (error.data.reason === 'not_requested' || error.data.reason === 'not_in_this_android')

/** In the words of all versions. The first that is found says why. */
const WORDS: readonly (readonly [RegExp, Reason])[] = [
  [
    /\b(?:GRANT|REVOKE)_RUNTIME_PERMISSIONS\b|\bADJUST_RUNTIME_PERMISSIONS_POLICY\b|MANAGE_APP_OPS_MODES\b/,
    'vendor_switch',
  ],
  [/(?:has not requested|isn't requested by|did not request) /i, 'not_requested'],
  [/unknown permission|Unknown operation string/i, 'unknown'],
  [/(?:system|policy) fixed/i, 'fixed'],
  [/not a changeable permission type|managed by role|non-runtime permission/i, 'not_changeable'],
]

export const refusalIn = (output: string, complaint: string, permission: string): StepFailure => {
  const reason = WORDS.find(([pattern]) => pattern.test(output))?.[1] ?? 'refused'
  return permissionRefused(reason, `the device refused to change ${permission}: ${complaint}`)
}

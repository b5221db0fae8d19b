/** Finds the steps that touch the application in front, and asks the policy if they may do that now. */
import { OUTPUT_BYTES_MAX } from '../adb/link-limits.ts'
import type { Action } from '../contracts/action.ts'
import { type Act, actsOf, evaluateForUnknownApp, evaluatePolicy, firstRefusal } from '../policy/evaluate-policy.ts'
import type { Control } from './control.ts'
import type { ForegroundPolicy } from './job.ts'
import type { DeviceSession } from './session/sessions.ts'
import { foregroundPackageIn } from './shell/windows.ts'

/** They leave the application rather than use it. */
const LEAVING_KEYS: readonly string[] = ['home', 'recents']
const ELSEWHERE: readonly Action['type'][] = [
  'open_app',
  'open_uri',
  'close_app',
  'sleep',
  'wait_for_navigation',
  'show_toast',
  'cancel_toast',
  'set_on_screen_log',
  'clear_on_screen_log',
]

/** The application that the action names itself. */
export const packageNamedBy = ({ type, params }: Action): string | undefined => {
  if (type === 'open_app' || type === 'close_app') return params.applicationId
  return type === 'wait_for_navigation' ? params.expectedPackage : undefined
}

export const touchesForegroundApp = ({ type, params }: Action): boolean =>
  !ELSEWHERE.includes(type) && !(type === 'press_key' && LEAVING_KEYS.includes(params.key))

/** Empty when the device does not say. Rejects with a LinkError. */
export const foregroundPackage = async (session: DeviceSession, control: Control): Promise<string> => {
  const link = await session.link(control.preparing())
  const { stdout } = await link.shell('dumpsys window', { ...control.preparing(), maxBytes: OUTPUT_BYTES_MAX.state })
  return foregroundPackageIn(stdout)
}

/** The first act that the policy refuses with this application in front. */
export const refusedInForeground = (
  acts: readonly Act[],
  inFront: string,
  { policy, facts, confirmed }: ForegroundPolicy,
) =>
  firstRefusal(
    acts.map(act => ({ ...facts, ...act, package: inFront === '' ? undefined : inFront })),
    each => (inFront === '' ? evaluateForUnknownApp : evaluatePolicy)(policy, each, confirmed),
  )

/** The acts of those steps that touch what is in front. */
export const foregroundActs = (actions: readonly Action[]): readonly Act[] =>
  actions.filter(touchesForegroundApp).flatMap(actsOf)

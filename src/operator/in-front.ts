/** Which steps touch the application in front, and whether the policy lets them do that now. */
import { OUTPUT_BYTES_MAX } from '../adb/link-limits.ts'
import type { Action } from '../contracts/action.ts'
import { judge, type Verdict } from '../policy/judge.ts'
import type { Control } from './control.ts'
import type { InFrontPolicy } from './job.ts'
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

export const touchesFront = ({ type, params }: Action): boolean =>
  !ELSEWHERE.includes(type) && !(type === 'press_key' && LEAVING_KEYS.includes(params.key))

/** Empty when the device does not say. Rejects with a LinkError. */
export const packageInFront = async (session: DeviceSession, control: Control): Promise<string> => {
  const link = await session.link(control.preparing())
  const { stdout } = await link.shell('dumpsys window', { ...control.preparing(), maxBytes: OUTPUT_BYTES_MAX.state })
  return foregroundPackageIn(stdout)
}

/** What is not known fits no rule that names packages, except that nothing is allowed by it. */
export const judgeInFront = (action: string, inFront: string, { policy, facts, confirmed }: InFrontPolicy): Verdict => {
  if (inFront !== '') return judge(policy, { ...facts, action, package: inFront }, confirmed)
  const naming = policy.rules.find(({ effect, packages }) => effect !== 'allow' && packages !== undefined)
  return naming
    ? { effect: 'deny', rule: naming.id }
    : judge(policy, { ...facts, action, package: undefined }, confirmed)
}

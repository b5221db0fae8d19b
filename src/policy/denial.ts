/** Words a refusal of the policy for the caller. */
import type { FailureExtra } from '../contracts/failures.ts'
import { DEFAULT_RULE } from '../contracts/policy.ts'
import type { Facts, Verdict } from './judge.ts'

export interface Denial extends FailureExtra {
  /** One clause without a full stop. */
  message: string
  details: { rule: string; effect: 'deny' | 'confirm'; action: string; caller: string; [more: string]: unknown }
}

export const denial = (verdict: Exclude<Verdict, { effect: 'allow' }>, facts: Facts): Denial => {
  const { rule, effect } = verdict
  const { caller, devices, package: applicationId, skill, operator } = facts
  const action = facts.step ?? facts.action
  const contained = verdict.contained ?? (facts.step === undefined ? undefined : facts.action)
  const [deviceId] = devices
  const what = `${action}${contained === undefined ? '' : ` (which contains ${contained})`}${applicationId ? ` in ${applicationId}` : ''}${deviceId === undefined ? '' : ` on ${deviceId}`}`
  const details = {
    rule,
    effect,
    action,
    caller,
    ...(contained === undefined ? {} : { contained }),
    ...(deviceId === undefined ? {} : { deviceId }),
    ...(applicationId ? { package: applicationId } : {}),
    ...(skill === undefined ? {} : { skill }),
    ...(operator === undefined ? {} : { operator }),
  }
  if (effect === 'confirm') {
    const message = `the rule "${rule}" of the policy wants a person to confirm ${what}`
    return { message, details, hint: 'Only an MCP client that can ask its user is asked; everybody else is refused.' }
  }
  return rule === DEFAULT_RULE
    ? { message: `no rule of the policy allows ${what} for ${caller}`, details }
    : { message: `the rule "${rule}" of the policy denies ${what} for ${caller}`, details }
}

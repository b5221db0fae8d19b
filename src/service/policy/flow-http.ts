/** Judges whether scripts of flows reach this machine and its link, for callers who may name files below their roots alone. */
import { FLOW_HTTP_ACTION } from '../../contracts/policy.ts'
import { evaluateForAnyDevice } from './evaluate-policy.ts'
import type { LoadedPolicy } from './load.ts'

/** A rule must name it, as a rule must name `shell`; phones and applications do not narrow it, for a script runs beside them. */
export const allowsFlowHttp = (loaded: LoadedPolicy): boolean => {
  if (loaded.kind !== 'policy') return false
  const { policy } = loaded
  const isNamed = policy.rules.some(
    ({ effect, actions, callers }) =>
      effect === 'allow' && actions?.includes(FLOW_HTTP_ACTION) && (callers?.includes('flow') ?? true),
  )
  const facts = { action: FLOW_HTTP_ACTION, caller: 'flow' as const, devices: [] }
  return isNamed && evaluateForAnyDevice(policy, facts).effect === 'allow'
}

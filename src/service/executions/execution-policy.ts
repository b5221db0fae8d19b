/** Holds the actions of an execution against the policy (section Policy). */

import { CARDS } from '../../contracts/actions/cards.ts'
import type { Execution } from '../../contracts/executions/execution.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import type { Caller, Policy } from '../../contracts/policy.ts'
import {
  actsOf,
  dependsOnPackage,
  evaluateForAnyApp,
  evaluateForUnknownApp,
  evaluatePolicy,
  firstRefusal,
  needsRule,
  OBSERVATION,
  type PolicyFacts,
  remaining,
} from '../policy/evaluate-policy.ts'
import type { Policies } from '../policy/policies.ts'
import { brokenDenial, type Denial, denialOf, type RefusedWork, refusalOf } from '../policy/refuse.ts'
import type { ForegroundPolicy } from './dispatch.ts'
import { packageNamedBy, touchesForegroundApp } from './run/check-step.ts'

/** The caller and the device, as far as they are known before anything is sent. */
export interface PolicySubject extends Pick<PolicyFacts, 'skill' | 'operator'> {
  caller: Caller
  /** The serials of the device: the debug bridge's name for it, and its own. */
  serials: readonly string[]
  /** The rules to which a person has said yes. */
  confirmed?: readonly string[] | undefined
}

interface AskedExecution {
  execution: Execution
  /** The screen is shown to the caller afterwards. */
  isObserved: boolean
  /** Nobody asked for it: its refusal is not recorded. */
  isFollowUp?: boolean
  asking: PolicySubject
  work: RefusedWork
}

/** With what is decided by the application in front, step by step. */
type Permission = { ok: true; inFront?: ForegroundPolicy; isScreenHidden?: true } | { ok: false; error: ErrorObject }

export interface ExecutionPolicy {
  /** True when a policy file exists, or the execution has steps that need a rule where none exists. */
  concerns(execution: Execution): boolean
  /** The refusal, where the file denies everything: that needs no look at any device. */
  brokenFor(caller: Caller, work: RefusedWork): Promise<ErrorObject | undefined>
  permit(request: AskedExecution): Promise<Permission>
}

/** The facts of an act, and whether the application in front counts for it, or one that only its files name. */
interface ActFacts extends PolicyFacts {
  isInFront: boolean
  isOfUnknownApp: boolean
}

type Around = ForegroundPolicy['facts']

const NO_POLICY: Policy = { default: 'allow', rules: [] }

export const needsRuleByName = ({ actions }: Execution): boolean => actions.some(needsRule)

const factsOf = ({ execution, isObserved }: AskedExecution, around: Around): readonly ActFacts[] => {
  const ofSteps = execution.actions.flatMap(action => {
    const isOfUnknownApp = CARDS[action.type].hasUnknownApp?.(action.params as never) ?? false
    const place = { package: packageNamedBy(action), isInFront: touchesForegroundApp(action), isOfUnknownApp }
    return actsOf(action).map(act => ({ ...around, ...act, ...place }))
  })
  return isObserved ? [...ofSteps, { ...around, ...OBSERVATION, isInFront: true, isOfUnknownApp: false }] : ofSteps
}

const evaluationFor = (policy: Policy, facts: ActFacts) => {
  if (facts.isOfUnknownApp) return evaluateForUnknownApp
  return facts.isInFront && dependsOnPackage(policy, facts) ? evaluateForAnyApp : evaluatePolicy
}

const denialIn = (policy: Policy, acts: readonly ActFacts[], { asking }: AskedExecution): Denial | undefined => {
  const refused = firstRefusal(acts, facts => evaluationFor(policy, facts as ActFacts)(policy, facts, asking.confirmed))
  return refused && denialOf(refused.verdict, refused.facts)
}

export const createExecutionPolicy = ({
  load,
  refuse,
  namesOf,
}: Pick<Policies, 'load' | 'refuse' | 'namesOf'>): ExecutionPolicy => ({
  concerns: execution => load().kind !== 'none' || needsRuleByName(execution),
  async brokenFor(caller, work) {
    const loaded = load()
    return loaded.kind === 'broken' ? refuse(brokenDenial(loaded, caller), work) : undefined
  },
  async permit(request) {
    const { asking, work } = request
    const loaded = load()
    if (loaded.kind === 'none' && !needsRuleByName(request.execution)) return { ok: true }
    if (loaded.kind === 'broken') return { ok: false, error: await refuse(brokenDenial(loaded, asking.caller), work) }
    const policy = loaded.kind === 'none' ? NO_POLICY : loaded.policy
    const { confirmed = [], serials, ...who } = asking
    const facts = { ...who, devices: namesOf(serials) }
    const acts = factsOf(request, facts)
    const denied = denialIn(policy, acts, request)
    if (denied) return { ok: false, error: request.isFollowUp ? refusalOf(denied) : await refuse(denied, work) }
    const look = { ...facts, ...OBSERVATION }
    if (!acts.some(each => each.isInFront && dependsOnPackage(policy, each))) {
      const isHidden = dependsOnPackage(policy, look) || evaluatePolicy(policy, look, confirmed).effect !== 'allow'
      return isHidden ? { ok: true, isScreenHidden: true } : { ok: true }
    }
    return { ok: true, inFront: { policy: remaining(policy, { ...facts, action: '' }), facts, confirmed } }
  },
})

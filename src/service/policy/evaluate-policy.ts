/** Judges an act by the policy: finds the rules that fit, and the strongest effect among them. */

import { CARDS } from '../../contracts/actions/cards.ts'
import type { Action } from '../../contracts/executions/action.ts'
import { hasRef } from '../../contracts/executions/matcher.ts'
import { type Caller, DEFAULT_RULE, fitsPattern, type Policy, type PolicyRule } from '../../contracts/policy.ts'

/** One thing that a step does, as rules see it. */
export interface Act {
  action: string
  /** Rules that deny or ask and name one of these fit the act as well; rules that allow must name the act itself. */
  contains: readonly string[]
  /** The type of the step, where the act is one that an option of the step adds: then it must be allowed for itself. */
  step?: string
}

/** Whoever is shown the screen takes a snapshot, by whatever name. */
export const OBSERVATION: Act = { action: 'snapshot', contains: CARDS.snapshot.contains ?? [] }

export const actsOf = (action: Action): readonly Act[] => {
  const { type, params } = action
  const { contains = [], adds } = CARDS[type]
  const { contained = [], optional = [] } = adds?.(params as never) ?? {}
  return [
    { action: type, contains: [...contains, ...contained] },
    ...optional.map(act => ({ action: act, contains: [], step: type })),
    // A ref is looked for on the screen, and the answer to one that is not found shows what is there.
    ...(hasRef(action) ? [{ ...OBSERVATION, step: type }] : []),
  ]
}

/** The known facts of one act of an execution. A missing fact fits no list that names something. */
export interface PolicyFacts extends Pick<Act, 'action' | 'step'> {
  contains?: Act['contains'] | undefined
  caller: Caller
  /** Every name of the device: a phone has one for each way in which it is connected. */
  devices: readonly string[]
  /** The application that is acted on. */
  package?: string | undefined
  skill?: string | undefined
  operator?: string | undefined
}

/** `contained` is what the rule names, where that is not the act itself. */
export type PolicyDecision =
  | { effect: 'allow' }
  | { effect: 'deny' | 'confirm'; rule: string; contained?: string; code?: 'SHELL_DENIED' }

const isAny = (patterns: readonly string[] | undefined): boolean =>
  patterns === undefined || patterns.some(pattern => /^\*+$/.test(pattern))

const covers = (patterns: readonly string[] | undefined, texts: readonly (string | undefined)[]): boolean =>
  isAny(patterns) || texts.some(text => text !== undefined && patterns?.some(pattern => fitsPattern(pattern, text)))

const fitsCaller = (rule: PolicyRule, { caller, skill }: PolicyFacts): boolean =>
  covers(rule.callers, [caller]) && covers(rule.skills, [skill])

const fitsAround = (rule: PolicyRule, facts: PolicyFacts): boolean =>
  fitsCaller(rule, facts) && covers(rule.devices, facts.devices) && covers(rule.operators, [facts.operator])

/** A rule that forbids an action forbids what contains it; a rule that allows one allows only what it names. */
const fitsAction = (rule: PolicyRule, { action, contains = [] }: PolicyFacts) =>
  covers(rule.actions, rule.effect === 'allow' ? [action] : [action, ...contains])

/** The rules that a change of the application in front can make fit, or not. */
const namesPackages = ({ packages }: PolicyRule) => !isAny(packages)

const decisionBy = (
  { id, actions }: PolicyRule,
  effect: 'deny' | 'confirm',
  { action, contains }: PolicyFacts,
): PolicyDecision => {
  const contained = covers(actions, [action]) ? undefined : contains?.find(part => covers(actions, [part]))
  return { effect, rule: id, ...(contained === undefined ? {} : { contained }) }
}

/**
 * Anything can be done by a command line, and anything in its page by a script: a rule must name these actions, `*` or no
 * list is not meant for them. The callers here need no rule.
 */
const BY_NAME: ReadonlyMap<string, readonly Caller[]> = new Map([
  ['shell', ['cli']],
  ['page_script', ['cli', 'webdriver']],
])

/** True for a step with such an act, whose callers may need a rule where there is no file. */
export const needsRule = (action: Action): boolean => actsOf(action).some(act => BY_NAME.has(act.action))

const allowsByName = ({ effect, actions }: PolicyRule, wanted: Iterable<string> = BY_NAME.keys()): boolean =>
  effect === 'allow' && [...wanted].some(action => actions?.includes(action))

const strongest = (
  rules: readonly PolicyRule[],
  facts: PolicyFacts,
  confirmed: readonly string[],
  otherwise: PolicyDecision,
): PolicyDecision => {
  const denying = rules.find(({ effect }) => effect === 'deny')
  if (denying) return decisionBy(denying, 'deny', facts)
  const { action, caller } = facts
  if (BY_NAME.get(action)?.includes(caller) === false && !rules.some(rule => allowsByName(rule, [action])))
    return { effect: 'deny', rule: DEFAULT_RULE, code: 'SHELL_DENIED' }
  const asking = rules.filter(({ effect }) => effect === 'confirm')
  const open = asking.find(({ id }) => !confirmed.includes(id))
  if (open) return decisionBy(open, 'confirm', facts)
  return asking.length > 0 || rules.length > 0 ? { effect: 'allow' } : otherwise
}

/** `confirmed` names the rules to which a person has said yes. */
export const evaluatePolicy = (
  policy: Policy,
  facts: PolicyFacts,
  confirmed: readonly string[] = [],
): PolicyDecision => {
  const rules = policy.rules.filter(
    rule => fitsAround(rule, facts) && fitsAction(rule, facts) && covers(rule.packages, [facts.package]),
  )
  const byDefault: PolicyDecision =
    policy.default === 'deny' ? { effect: 'deny', rule: DEFAULT_RULE } : { effect: 'allow' }
  return strongest(rules, facts, confirmed, byDefault)
}

/** The application in front is unknown: a rule that forbids some fits it, and a rule that allows some does not. */
export const evaluateForUnknownApp = (
  policy: Policy,
  facts: PolicyFacts,
  confirmed: readonly string[] = [],
): PolicyDecision => {
  const rules = policy.rules.map(rule =>
    rule.effect === 'allow' || !namesPackages(rule) ? rule : { ...rule, packages: ['*'] },
  )
  return evaluatePolicy({ ...policy, rules }, { ...facts, package: undefined }, confirmed)
}

/** True when the verdict may depend on the application in front. */
export const dependsOnPackage = ({ rules }: Policy, facts: PolicyFacts): boolean =>
  rules.some(rule => namesPackages(rule) && fitsAround(rule, facts) && fitsAction(rule, facts))

/** Finds what is refused whichever application is in front. The shell, or a script, may be allowed in one that is not known yet. */
export const evaluateForAnyApp = (
  policy: Policy,
  facts: PolicyFacts,
  confirmed: readonly string[] = [],
): PolicyDecision => {
  const inAnyApp = (rule: PolicyRule) => ({ ...rule, packages: ['*'] })
  const rules = policy.rules.filter(rule => !namesPackages(rule) || allowsByName(rule)).map(inAnyApp)
  return evaluatePolicy({ default: 'allow', rules }, facts, confirmed)
}

/** The rules that only the device can make fit, or not: itself, or the operator that is chosen for it. */
const namesDevice = ({ devices, operators }: PolicyRule) => !isAny(devices) || !isAny(operators)

/** True when the verdict may depend on the device. */
export const dependsOnDevice = ({ rules }: Policy, facts: PolicyFacts): boolean =>
  rules.some(rule => namesDevice(rule) && fitsCaller(rule, facts) && fitsAction(rule, facts))

/** Finds what is denied on every device. A question waits until the device is known: a rule of the device may deny. */
export const evaluateForAnyDevice = (policy: Policy, facts: PolicyFacts): PolicyDecision =>
  evaluatePolicy(
    { default: 'allow', rules: policy.rules.filter(rule => !namesDevice(rule) && rule.effect === 'deny') },
    facts,
  )

/** The part of a policy that can still decide once all but action and package are known. */
export const remaining = ({ default: byDefault, rules }: Policy, facts: PolicyFacts): Policy => ({
  default: byDefault,
  rules: rules.filter(rule => fitsAround(rule, facts)),
})

/** Finds the first act that is denied, else the first that is asked about: a question comes after every denial. */
export const firstRefusal = (
  acts: readonly PolicyFacts[],
  judgeOne: (facts: PolicyFacts) => PolicyDecision,
): { verdict: Exclude<PolicyDecision, { effect: 'allow' }>; facts: PolicyFacts } | undefined => {
  const refused = acts.flatMap(facts => {
    const verdict = judgeOne(facts)
    return verdict.effect === 'allow' ? [] : [{ verdict, facts }]
  })
  return refused.find(({ verdict }) => verdict.effect === 'deny') ?? refused[0]
}

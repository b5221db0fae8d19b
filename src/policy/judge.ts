/** Whether a policy lets something happen: the rules that fit, and the strongest effect among them. */
import { type Caller, DEFAULT_RULE, type Policy, type PolicyRule } from '../contracts/policy.ts'

/** What is known of one action of an execution. What is absent fits no list that names something. */
export interface Facts {
  action: string
  caller: Caller
  /** Every name of the device: a phone has one for each way in which it is connected. */
  devices: readonly string[]
  /** Of the application that is acted on. */
  package?: string | undefined
  skill?: string | undefined
  operator?: string | undefined
}

export type Verdict = { effect: 'allow' } | { effect: 'deny' | 'confirm'; rule: string }

/** A glob, compared without a regular expression: patterns of a file must not be able to take long. */
const fits = (pattern: string, text: string): boolean => {
  const [head = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return pattern === text
  const tail = rest.pop() ?? ''
  if (!text.startsWith(head) || !text.endsWith(tail) || text.length < head.length + tail.length) return false
  const end = text.length - tail.length
  let at = head.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}

const isAny = (patterns: readonly string[] | undefined): boolean =>
  patterns === undefined || patterns.some(pattern => /^\*+$/.test(pattern))

const covers = (patterns: readonly string[] | undefined, texts: readonly (string | undefined)[]): boolean =>
  isAny(patterns) || texts.some(text => text !== undefined && patterns?.some(pattern => fits(pattern, text)))

const fitsAround = (rule: PolicyRule, { caller, devices, skill, operator }: Facts): boolean =>
  covers(rule.callers, [caller]) &&
  covers(rule.devices, devices) &&
  covers(rule.skills, [skill]) &&
  covers(rule.operators, [operator])

const fitsAction = (rule: PolicyRule, { action }: Facts) => covers(rule.actions, [action])

/** The rules that a change of the application in front can make fit, or not. */
const namesPackages = ({ packages }: PolicyRule) => !isAny(packages)

const strongest = (rules: readonly PolicyRule[], confirmed: readonly string[], otherwise: Verdict): Verdict => {
  const denying = rules.find(({ effect }) => effect === 'deny')
  if (denying) return { effect: 'deny', rule: denying.id }
  const asking = rules.filter(({ effect }) => effect === 'confirm')
  const open = asking.find(({ id }) => !confirmed.includes(id))
  if (open) return { effect: 'confirm', rule: open.id }
  return asking.length > 0 || rules.length > 0 ? { effect: 'allow' } : otherwise
}

/** `confirmed` names the rules to which a person has said yes. */
export const judge = (policy: Policy, facts: Facts, confirmed: readonly string[] = []): Verdict => {
  const rules = policy.rules.filter(
    rule => fitsAround(rule, facts) && fitsAction(rule, facts) && covers(rule.packages, [facts.package]),
  )
  const byDefault: Verdict = policy.default === 'deny' ? { effect: 'deny', rule: DEFAULT_RULE } : { effect: 'allow' }
  return strongest(rules, confirmed, byDefault)
}

/** Whether the answer can depend on which application is in front. */
export const dependsOnPackage = ({ rules }: Policy, facts: Facts): boolean =>
  rules.some(rule => namesPackages(rule) && fitsAround(rule, facts) && fitsAction(rule, facts))

/** What is refused whichever application is in front. */
export const judgeAnywhere = (policy: Policy, facts: Facts, confirmed: readonly string[] = []): Verdict =>
  judge({ default: 'allow', rules: policy.rules.filter(rule => !namesPackages(rule)) }, facts, confirmed)

/** The part of a policy that can still decide once all but action and package are known. */
export const remaining = ({ default: byDefault, rules }: Policy, facts: Facts): Policy => ({
  default: byDefault,
  rules: rules.filter(rule => fitsAround(rule, facts)),
})

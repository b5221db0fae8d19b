/** The policy file: which executions may run. Denying beats confirming, that beats allowing, and that beats the default. */
import * as v from 'valibot'
import { ACTION_TYPES } from './executions/action.ts'
import { EXACT_TYPE_ALIASES, TYPE_ALIASES } from './executions/aliases.ts'
import { closedObject } from './json/objects.ts'
import { nonBlank, text } from './json/scalars.ts'
import { ID_CHARS_MAX, POLICY_RULES_MAX } from './limits/limits.ts'

/** By which way an execution was asked for. */
export const CALLERS = ['cli', 'http', 'mcp', 'webdriver', 'flow', 'skill'] as const
export type Caller = (typeof CALLERS)[number]

/** Rules name the start of a skill by this; other actions are types of the execution payload. */
export const SKILL_RUN_ACTION = 'skill_run'

/** Rules name the start of a recording by this. */
export const RECORD_SCREEN_ACTION = 'record_screen'

/** Rules allow by this that scripts of flows reach this machine and its link, for callers who may name files below their roots alone. */
export const FLOW_HTTP_ACTION = 'flow_http'

/** A refusal names one of these when no rule of the file caused it. */
export const DEFAULT_RULE = 'default'
export const BROKEN_FILE_RULE = 'policy-file'

const ALIASES: ReadonlyMap<string, string> = new Map(Object.entries({ ...TYPE_ALIASES, ...EXACT_TYPE_ALIASES }))
export const KNOWN_ACTIONS: readonly string[] = [
  ...ACTION_TYPES,
  SKILL_RUN_ACTION,
  RECORD_SCREEN_ACTION,
  FLOW_HTTP_ACTION,
]

/** An empty list would fit nothing, which nobody means: what is left out fits everything. */
const list = <const S extends v.GenericSchema>(item: S) =>
  v.exactOptional(v.pipe(v.array(item), v.minLength(1, 'is empty; leave the list out to mean any')))

/** `*` stands for any characters. */
const patterns = list(nonBlank)

/** A glob, compared without a regular expression: patterns of a file must not be able to take long. */
export const fitsPattern = (pattern: string, text: string): boolean => {
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

/** A rule with a mistyped action would be one that never fits. */
const actions = list(
  v.pipe(
    v.string(),
    v.transform(type => ALIASES.get(type) ?? type),
    v.check(type => KNOWN_ACTIONS.some(known => fitsPattern(type, known)), 'is not an action type'),
  ),
)

export const PolicyRule = closedObject({
  id: v.pipe(
    text(1, ID_CHARS_MAX),
    v.check(id => id !== DEFAULT_RULE && id !== BROKEN_FILE_RULE, 'is a name that refusals use themselves'),
  ),
  effect: v.picklist(['deny', 'confirm', 'allow']),
  actions,
  devices: patterns,
  packages: patterns,
  skills: patterns,
  operators: patterns,
  callers: list(v.picklist([...CALLERS, '*'])),
})
export type PolicyRule = v.InferOutput<typeof PolicyRule>

export const Policy = closedObject({
  default: v.exactOptional(v.picklist(['allow', 'deny']), 'allow'),
  rules: v.exactOptional(
    v.pipe(
      v.array(PolicyRule),
      v.maxLength(POLICY_RULES_MAX),
      v.check(rules => new Set(rules.map(({ id }) => id)).size === rules.length, 'two rules have the same id'),
    ),
    [],
  ),
})
export type Policy = v.InferOutput<typeof Policy>

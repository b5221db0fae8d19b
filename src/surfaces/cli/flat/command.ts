/** A flat command: the one action that a call of it stands for, and the selectors that name its node and container. */
import type { ParamsOf } from '../../../contracts/actions/card.ts'
import type { ActionType } from '../../../contracts/executions/action.ts'
import { type Draft, draftOf, flatExecution, SELECTOR_KEYS } from '../../../service/executions/actions/flat-actions.ts'
import { parseJsonText } from '../../../service/executions/parse-json.ts'
import { PLAN_FLAGS } from '../../../service/executions/plan.ts'
import { type Argument, type Command, CommandError, type Flag, type Given, usage } from '../command.ts'
import { runDeviceCommand } from '../devices/device-command.ts'
import { EXECUTION_USES, OBSERVE_FLAG, WAIT_FLAG } from '../executions/execution-command.ts'
import { executionTimeout, numberOf, oneOf, wholeNumberWithin } from '../flags/flag-values.ts'

type ParamName = { [T in ActionType]: keyof NonNullable<ParamsOf[T]> }[ActionType]
type Params = { [K in ParamName]?: unknown }

/** The value of a word or a flag becomes this param of the action. */
interface ParamSource {
  param?: ParamName
  isNumber?: true
}

export type FlatFlag = Flag & ParamSource

interface FlatWords extends Omit<Command, 'run' | 'shape' | 'args' | 'flags'> {
  shape: string
  args?: readonly (Argument & ParamSource)[]
  flags?: readonly FlatFlag[]
}

interface OneType extends FlatWords {
  type: ActionType
  /** The params that take more than one word or flag to say. */
  params?(call: Given): Params
  /** Its `--timeout` is the time of the action, and not that of the execution. */
  timeout?: { min: number; max: number; default: number }
}

/** The type depends on the words. */
interface SeveralTypes extends FlatWords {
  draft(call: Given): Draft
}

export type FlatCommand = OneType | SeveralTypes

const paramOf = (text: string | undefined, { param, isNumber }: ParamSource, from: string): unknown =>
  isNumber && text !== undefined ? numberOf(text, { field: `actions.0.params.${param}`, from }) : text

const timeoutOf = (call: Given, range: NonNullable<OneType['timeout']>): number => {
  const text = call.text('timeout')
  const source = { field: 'actions.0.params.timeoutMs', from: '--timeout' }
  return text === undefined ? range.default : wholeNumberWithin(text, source, range)
}

const paramsOf = ({ args = [], flags = [], params, timeout }: OneType, call: Given) => {
  const found: Params = { ...params?.(call) }
  for (const [at, arg] of args.entries()) {
    if (arg.param !== undefined)
      found[arg.param] = arg.rest ? call.args.slice(at) : paramOf(call.args[at], arg, `<${arg.name}>`)
  }
  for (const flag of flags) {
    if (flag.param !== undefined)
      found[flag.param] = flag.value ? paramOf(call.text(flag.name), flag, `--${flag.name}`) : switched(call, flag.name)
  }
  if (timeout) found.timeoutMs = timeoutOf(call, timeout)
  return Object.keys(found).length === 0 ? undefined : found
}

/** Still to be validated: its values are the caller's. `now` in epoch milliseconds. */
export const flatPayload = (flat: FlatCommand, call: Given, { now }: { now: number }) => {
  const draft = 'draft' in flat ? flat.draft(call) : draftOf(flat.type, paramsOf(flat, call))
  const timesAction = 'timeout' in flat && flat.timeout !== undefined
  const timeoutMs = (timesAction ? undefined : executionTimeout(call)) ?? draft.timeoutMs
  return flatExecution(flat.path.join('-'), { ...draft, timeoutMs }, { origin: 'cli', now })
}

export const commandOf = (flat: FlatCommand): Command => ({
  ...flat,
  text: 'execution',
  flags: [...(flat.flags ?? []), OBSERVE_FLAG, WAIT_FLAG, ...PLAN_FLAGS],
  uses: EXECUTION_USES,
  run: async call => runDeviceCommand('flat', flatPayload(flat, call, { now: call.clock.now() }), call),
})

/** A usage error that ends with the shape of the command. */
export const misuse = ({ shape }: Pick<FlatCommand, 'shape'>, problem: string, hint?: string): CommandError =>
  usage(`${problem}: ${shape}`, { hint })

/** Undefined for a switch that is off, so that the default of the action stands. */
export const switched = (call: Given, flag: string): true | undefined => (call.isOn(flag) ? true : undefined)

interface Row {
  flag: string
  key: string
  value: string
  summary: string
}

const ROWS: readonly Row[] = [
  { flag: 'text', key: SELECTOR_KEYS.text, value: 'text', summary: 'whose label is exactly this' },
  {
    flag: 'text-contains',
    key: SELECTOR_KEYS.textContains,
    value: 'text',
    summary: 'whose label contains this, in any case',
  },
  { flag: 'id', key: SELECTOR_KEYS.id, value: 'id', summary: 'with exactly this resource id' },
  { flag: 'desc', key: SELECTOR_KEYS.desc, value: 'text', summary: 'with exactly this content description' },
  {
    flag: 'desc-contains',
    key: SELECTOR_KEYS.descContains,
    value: 'text',
    summary: 'whose content description contains this',
  },
  { flag: 'ref', key: SELECTOR_KEYS.ref, value: 'ref', summary: 'of a compact snapshot, such as @12.7' },
  { flag: 'role', key: SELECTOR_KEYS.role, value: 'role', summary: 'of this role (button, switch, ...)' },
]

const STATES = ['enabled', 'checked', 'selected', 'focused'] as const
const RELATED = [
  {
    flag: 'below',
    key: 'below',
    summary: 'whose top is at or under the bottom edge of this other node, the nearest first',
  },
  { flag: 'above', key: 'above', summary: 'that ends above this other node' },
  { flag: 'left-of', key: 'leftOf', summary: 'that ends left of this other node' },
  { flag: 'right-of', key: 'rightOf', summary: 'that begins right of this other node' },
  { flag: 'child-of', key: 'childOf', summary: 'inside of this other node, at any depth' },
  { flag: 'contains-child', key: 'containsChild', summary: 'that holds this other node, at any depth' },
] as const

/** The flags of a node have no twin for containers: `--container-selector` says it all. */
const NODE_FLAGS: readonly Flag[] = [
  { name: 'text-matches', value: 'regex', summary: 'the node whose whole label this regular expression matches' },
  ...STATES.map(name => ({ name, value: 'true|false', summary: `the node that is ${name}, or is not` })),
  ...RELATED.map(({ flag, summary }) => ({ name: flag, value: 'label|json', summary: `the node ${summary}` })),
  { name: 'index', value: 'n', summary: 'of several nodes this one, from the top left: 0 the first, -1 the last' },
]

const JSON_FLAG = 'selector'

type Twin = '' | 'container-'
const NOUNS: Record<Twin, string> = { '': 'the node', 'container-': 'the scrolling container' }

const flagsOf = (twin: Twin): readonly Flag[] => [
  ...ROWS.map(({ flag, value, summary }) => ({ name: `${twin}${flag}`, value, summary: `${NOUNS[twin]} ${summary}` })),
  { name: `${twin}${JSON_FLAG}`, value: 'json', summary: `${NOUNS[twin]} as a matcher, {"textEquals": "OK", ...}` },
]

export const SELECTOR_FLAGS = [...flagsOf(''), ...NODE_FLAGS]
export const CONTAINER_FLAGS = flagsOf('container-')

export const SELECTOR_HINT = `<selector> is one or more of ${ROWS.map(({ flag }) => `--${flag}`).join(', ')}, or --${JSON_FLAG} '<json>'.`

type Matcher = Record<string, unknown>

const fromJson = (text: string, flag: string): unknown => {
  const parsed = parseJsonText(text, { what: flag })
  if (parsed.ok) return parsed.value
  throw new CommandError('EXECUTION_VALIDATION_FAILED', parsed.error.message, parsed.error)
}

const STATE_VALUES = ['true', 'false'] as const

/** A label, or a matcher in JSON. */
const relatedBy = (text: string, flag: string): unknown =>
  text.trimStart().startsWith('{') ? fromJson(text, `--${flag}`) : { textEquals: text }

const nodeKeys = (call: Given): Matcher => {
  const found: Matcher = {}
  const pattern = call.text('text-matches')
  if (pattern !== undefined) found.textMatches = pattern
  for (const state of STATES) {
    const value = oneOf(call, state, STATE_VALUES)
    if (value !== undefined) found[state] = value === 'true'
  }
  for (const { flag, key } of RELATED) {
    const text = call.text(flag)
    if (text !== undefined) found[key] = relatedBy(text, flag)
  }
  const index = call.text('index')
  if (index !== undefined) found.index = numberOf(index, { field: 'actions.0.params.matcher.index', from: '--index' })
  return found
}

/** The matcher that the flags describe, all of them together; undefined when none was given. */
const matcherFrom = (call: Given, command: FlatCommand, twin: Twin): unknown => {
  const found: Matcher = twin === '' ? nodeKeys(call) : {}
  for (const { flag, key } of ROWS) {
    const value = call.text(`${twin}${flag}`)
    if (value !== undefined) found[key] = value
  }
  const isEmpty = Object.keys(found).length === 0
  const json = call.text(`${twin}${JSON_FLAG}`)
  if (json === undefined) return isEmpty ? undefined : found
  if (isEmpty) return fromJson(json, `--${twin}${JSON_FLAG}`)
  throw misuse(command, `--${twin}${JSON_FLAG} cannot be combined with other selector flags`, SELECTOR_HINT)
}

export const matcherOf = (call: Given, command: FlatCommand): unknown => matcherFrom(call, command, '')

export const containerOf = (call: Given, command: FlatCommand): unknown => matcherFrom(call, command, 'container-')

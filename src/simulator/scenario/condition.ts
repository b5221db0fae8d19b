/** Defines conditions, under which a reaction is done, an intent is taken or a node is shown. */
import * as v from 'valibot'
import { closedObject, dictionary, eachOptional } from '../../contracts/objects.ts'
import { Name, ShownText, seen } from './drawn.ts'

/** Further a counter does not count; far below what a number can hold exactly. */
export const COUNTER_LIMIT = 1_000_000_000
export const CounterValue = v.pipe(v.number(), v.integer(), v.minValue(-COUNTER_LIMIT), v.maxValue(COUNTER_LIMIT))

/** The state that a node must be in; a text must match as a whole, as typed where something was typed. */
const { text, hint, contentDesc, checked, clickable, enabled, focused, selected, hidden } = seen
const NodeState = closedObject(
  eachOptional({
    text,
    textContains: ShownText,
    hint,
    contentDesc,
    checked,
    clickable,
    enabled,
    focused,
    selected,
    hidden,
  }),
)
export type NodeState = v.InferOutput<typeof NodeState>

const Range = closedObject({ atLeast: v.exactOptional(CounterValue), atMost: v.exactOptional(CounterValue) })
const CounterTest = v.union([CounterValue, Range])
export type CounterTest = v.InferOutput<typeof CounterTest>

/** Everything that is given must hold. Nodes and counters are those of the same app. */
export interface Condition {
  node?: Record<string, NodeState>
  counter?: Record<string, CounterTest>
  /** The screen of the app that is in front. */
  screen?: string
  /** The package of the app that is in front. */
  app?: string
  all?: readonly Condition[]
  any?: readonly Condition[]
  not?: Condition
}

const inner = v.lazy((): v.GenericSchema<unknown, Condition> => Condition)
const entries = {
  node: v.exactOptional(dictionary(NodeState)),
  counter: v.exactOptional(dictionary(CounterTest)),
  screen: v.exactOptional(Name),
  app: v.exactOptional(Name),
  all: v.exactOptional(v.array(inner)),
  any: v.exactOptional(v.array(inner)),
  not: v.exactOptional(inner),
}
export const CONDITION_KEYS = Object.keys(entries)

export const Condition: v.GenericSchema<unknown, Condition> = v.pipe(
  closedObject(entries),
  v.check(given => Object.keys(given).length > 0, `must have at least one of ${CONDITION_KEYS.join(', ')}`),
  v.metadata({ minProperties: 1 }),
)

export const NODE_STATE_KEYS = Object.keys(NodeState.entries)
export const RANGE_KEYS = Object.keys(Range.entries)

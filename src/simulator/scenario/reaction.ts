/** Conditions and reactions of a scenario: what must hold, and what then happens. */
import * as v from 'valibot'
import { closedObject, dictionary, eachOptional } from '../../contracts/json/objects.ts'
import { AnrWord, CancelWord, CrashWord, LogWord, NotificationWord } from './app-words.ts'
import { Name, NodeChanges, PermissionName, PermissionState, ShownText, seen } from './field-schemas.ts'

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
  /** The states of permissions of the app. */
  permission?: Record<string, v.InferOutput<typeof PermissionState>>
  /** The screen of the app that is in front. */
  screen?: string
  /** The package of the app that is in front. */
  app?: string
  all?: readonly Condition[]
  any?: readonly Condition[]
  not?: Condition
}

const innerCondition = v.lazy((): v.GenericSchema<unknown, Condition> => Condition)
const conditionEntries = {
  node: v.exactOptional(dictionary(NodeState)),
  counter: v.exactOptional(dictionary(CounterTest)),
  permission: v.exactOptional(dictionary(PermissionState)),
  screen: v.exactOptional(Name),
  app: v.exactOptional(Name),
  all: v.exactOptional(v.array(innerCondition)),
  any: v.exactOptional(v.array(innerCondition)),
  not: v.exactOptional(innerCondition),
}

export const Condition: v.GenericSchema<unknown, Condition> = v.pipe(
  closedObject(conditionEntries),
  v.check(
    condition => Object.keys(condition).length > 0,
    `must have at least one of ${Object.keys(conditionEntries).join(', ')}`,
  ),
  v.metadata({ minProperties: 1 }),
)

/** A number is added; `reset` is the value that the app starts with. */
const CountStep = v.union([CounterValue, v.literal('reset'), closedObject({ set: CounterValue })])
export type CountStep = v.InferOutput<typeof CountStep>

export interface Effects {
  if?: Condition
  count?: Record<string, CountStep>
  set?: Record<string, NodeChanges>
  toggle?: string
  toast?: string
  keyboard?: boolean
  askPermission?: string | readonly string[]
  log?: LogWord
  notify?: NotificationWord
  cancelNotification?: CancelWord
  nothing?: true
  stopApp?: string
  back?: true
  home?: true
  openApp?: string
  goTo?: string
  crash?: CrashWord
  anr?: AnrWord
  firstOf?: readonly Effects[]
}

const innerEffects = v.lazy((): v.GenericSchema<unknown, Effects> => Reaction)

/** Done in this order. Nodes are named by their `id`, screens and counters are those of the same app. */
const effects = {
  count: v.exactOptional(dictionary(CountStep)),
  set: v.exactOptional(dictionary(NodeChanges)),
  toggle: v.exactOptional(Name),
  toast: v.exactOptional(ShownText),
  /** Shows the keyboard, or hides it. */
  keyboard: v.exactOptional(v.boolean()),
  log: v.exactOptional(LogWord),
  notify: v.exactOptional(NotificationWord),
  cancelNotification: v.exactOptional(CancelWord),
  /** Takes a key or an alternative and does no more. */
  nothing: v.exactOptional(v.literal(true)),
  /** Ends an app with everything that is not kept. */
  stopApp: v.exactOptional(Name),
  back: v.exactOptional(v.literal(true)),
  home: v.exactOptional(v.literal(true)),
  openApp: v.exactOptional(Name),
  goTo: v.exactOptional(Name),
  /** Asks as an app does: a dialog of the system, where nobody has answered for good. */
  askPermission: v.exactOptional(v.union([PermissionName, v.array(PermissionName)])),
  crash: v.exactOptional(CrashWord),
  anr: v.exactOptional(AnrWord),
  /** The first of them whose `if` holds, and no other. */
  firstOf: v.exactOptional(v.pipe(v.array(innerEffects), v.minLength(1))),
}
/** `if` comes before everything: the rest is done only when it holds. */
export const effectEntries = { if: v.exactOptional(Condition), ...effects }

const EFFECTS = Object.keys(effects)

/** Takes what has one of the effects, and says so in JSON Schema, too. */
const effective = <const E extends v.ObjectEntries>(entries: E) =>
  v.pipe(
    closedObject(entries),
    v.check(reaction => EFFECTS.some(key => key in reaction), `must have at least one of ${EFFECTS.join(', ')}`),
    v.metadata({ anyOf: EFFECTS.map(key => ({ required: [key] })) }),
  )

export const Reaction: v.GenericSchema<unknown, Effects> = effective(effectEntries)

/** Only when the field then holds exactly this. */
const TextReaction = effective({ when: v.exactOptional(ShownText), ...effectEntries })

/** Only when the list has then come to that end. */
const ScrollReaction = effective({ when: v.exactOptional(v.picklist(['start', 'end'])), ...effectEntries })

export type Reaction = Effects & { when?: string }

type OneOrMore = Reaction | readonly Reaction[]

/** One reaction, or a list of them. */
const oneOrMore = (schema: v.GenericSchema<unknown, Reaction>): v.GenericSchema<unknown, OneOrMore> =>
  v.union([v.array(schema), schema])

export const listed = (reactions: OneOrMore | undefined): readonly Reaction[] =>
  reactions === undefined ? [] : [reactions].flat()

export const Reactions = oneOrMore(Reaction)
export const TextReactions = oneOrMore(TextReaction)
export const ScrollReactions = oneOrMore(ScrollReaction)

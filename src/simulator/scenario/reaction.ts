/** Defines reactions to a gesture, a key, a text or an intent: change nodes and counters, and go somewhere. */
import * as v from 'valibot'
import { closedObject, dictionary } from '../../contracts/objects.ts'
import { Condition, CounterValue } from './condition.ts'
import { Name, NodeChanges, ShownText } from './drawn.ts'

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
  nothing?: true
  back?: true
  home?: true
  openApp?: string
  goTo?: string
  firstOf?: readonly Effects[]
}

const inner = v.lazy((): v.GenericSchema<unknown, Effects> => Reaction)

/** Done in this order. Nodes are named by their `id`, screens and counters are those of the same app. */
const effects = {
  count: v.exactOptional(dictionary(CountStep)),
  set: v.exactOptional(dictionary(NodeChanges)),
  toggle: v.exactOptional(Name),
  toast: v.exactOptional(ShownText),
  /** Shows the keyboard, or hides it. */
  keyboard: v.exactOptional(v.boolean()),
  /** Takes a key or an alternative and does no more. */
  nothing: v.exactOptional(v.literal(true)),
  back: v.exactOptional(v.literal(true)),
  home: v.exactOptional(v.literal(true)),
  openApp: v.exactOptional(Name),
  goTo: v.exactOptional(Name),
  /** The first of them whose `if` holds, and no other. */
  firstOf: v.exactOptional(v.pipe(v.array(inner), v.minLength(1))),
}
/** `if` comes before everything: the rest is done only when it holds. */
export const effectEntries = { if: v.exactOptional(Condition), ...effects }

/** The same in JSON Schema. */
const EFFECT_NEEDED = { anyOf: Object.keys(effects).map(key => ({ required: [key] })) }
const NOTHING = `must have at least one of ${Object.keys(effects).join(', ')}`
const doesSomething = (given: object) => Object.keys(given).some(key => key !== 'when' && key !== 'if')

export const Reaction: v.GenericSchema<unknown, Effects> = v.pipe(
  closedObject(effectEntries),
  v.check(given => doesSomething(given), NOTHING),
  v.metadata(EFFECT_NEEDED),
)

/** Only when the field then holds exactly this. */
const TextReaction = v.pipe(
  closedObject({ when: v.exactOptional(ShownText), ...effectEntries }),
  v.check(given => doesSomething(given), NOTHING),
  v.metadata(EFFECT_NEEDED),
)

/** Only when the list has then come to that end. */
const ScrollReaction = v.pipe(
  closedObject({ when: v.exactOptional(v.picklist(['start', 'end'])), ...effectEntries }),
  v.check(given => doesSomething(given), NOTHING),
  v.metadata(EFFECT_NEEDED),
)

export type Reaction = Effects & { when?: string }

type OneOrMore = Reaction | readonly Reaction[]

/** One reaction, or a list of them. */
const oneOrMore = (schema: v.GenericSchema<unknown, Reaction>): v.GenericSchema<unknown, OneOrMore> =>
  v.union([v.array(schema), schema])

export const listed = (given: OneOrMore | undefined): readonly Reaction[] => (given === undefined ? [] : [given].flat())

export const Reactions = oneOrMore(Reaction)
export const TextReactions = oneOrMore(TextReaction)
export const ScrollReactions = oneOrMore(ScrollReaction)

export const REACTION_KEYS = Object.keys(effectEntries)

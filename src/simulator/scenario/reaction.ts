/** What a gesture, a key, a text or an intent does: change nodes, and go somewhere. */
import * as v from 'valibot'
import { closedObject, dictionary } from '../../contracts/objects.ts'

const NAME_CHARS_MAX = 200
const TEXT_CHARS_MAX = 10_000

export const Name = v.pipe(v.string(), v.minLength(1), v.maxLength(NAME_CHARS_MAX))
export const ShownText = v.pipe(v.string(), v.maxLength(TEXT_CHARS_MAX))

/** In a text, `{text}` stands for what was typed, and `{uri}` for the data of the intent. */
export const NodeChanges = closedObject({
  text: v.exactOptional(ShownText),
  contentDesc: v.exactOptional(ShownText),
  checked: v.exactOptional(v.boolean()),
  enabled: v.exactOptional(v.boolean()),
  selected: v.exactOptional(v.boolean()),
  hidden: v.exactOptional(v.boolean()),
})
export type NodeChanges = v.InferOutput<typeof NodeChanges>

/** Done in this order. Nodes are named by their `id`, screens are those of the same app. */
export const effectEntries = {
  set: v.exactOptional(dictionary(NodeChanges)),
  toggle: v.exactOptional(Name),
  toast: v.exactOptional(ShownText),
  back: v.exactOptional(v.literal(true)),
  home: v.exactOptional(v.literal(true)),
  openApp: v.exactOptional(Name),
  goTo: v.exactOptional(Name),
}
const Effects = v.object(effectEntries)
export type Effects = v.InferOutput<typeof Effects>

const NOTHING = `does nothing: give it one of ${Object.keys(effectEntries).join(', ')}`
const doesSomething = (given: object) => Object.keys(given).some(key => key !== 'when')

const Reaction = v.pipe(
  closedObject(effectEntries),
  v.check(given => doesSomething(given), NOTHING),
)

/** Only when the field then holds exactly this. */
const TextReaction = v.pipe(
  closedObject({ when: v.exactOptional(ShownText), ...effectEntries }),
  v.check(given => doesSomething(given), NOTHING),
)

/** Only when the list has then come to that end. */
const ScrollReaction = v.pipe(
  closedObject({ when: v.exactOptional(v.picklist(['start', 'end'])), ...effectEntries }),
  v.check(given => doesSomething(given), NOTHING),
)

export type Reaction = Effects & { when?: string }

/** One reaction, or a list of them. */
const oneOrMore = <const S extends v.GenericSchema<unknown, Reaction>>(schema: S) =>
  v.lazy(
    (input): v.GenericSchema<unknown, Reaction[]> =>
      Array.isArray(input)
        ? v.array(schema)
        : v.pipe(
            schema,
            v.transform(one => [one]),
          ),
  )

export const Reactions = oneOrMore(Reaction)
export const TextReactions = oneOrMore(TextReaction)
export const ScrollReactions = oneOrMore(ScrollReaction)

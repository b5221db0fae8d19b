/** One node of a screen as a scenario writes it, and as the simulator works with it: everything left out is filled in. */
import * as v from 'valibot'
import { count, decimal, integer } from '../../contracts/numbers.ts'
import { closedObject } from '../../contracts/objects.ts'
import { KEY_NAMES } from '../ui/key-names.ts'
import { didYouMean } from './nearest.ts'
import { classNameOf, flagsOf } from './node-class.ts'
import { Name, type Reaction, Reactions, ScrollReactions, ShownText, TextReactions } from './reaction.ts'

const PIXELS = { min: 0, max: 10_000 } as const
const DP = { min: 0, max: 10_000 } as const
const TEXT_SIZE_SP = { min: 6, max: 96, default: 16 } as const
const COLUMNS = { min: 1, max: 20, default: 4 } as const

export const Colour = v.pipe(v.string(), v.regex(/^#[0-9A-Fa-f]{6}$/, 'must be a colour such as #1A73E8'))

const KeyName = v.pipe(
  v.string(),
  v.check(
    key => KEY_NAMES.includes(key),
    ({ input }) => `there is no key \`${input}\`${didYouMean(input, KEY_NAMES)}`,
  ),
)
export const KeyReactions = v.record(KeyName, Reactions)

/** `ms` since the screen came up, `reads` of its hierarchy since then; with both, the later one counts. */
const Moment = v.pipe(
  closedObject({ ms: v.exactOptional(count), reads: v.exactOptional(count) }),
  v.check(({ ms, reads }) => ms !== undefined || reads !== undefined, 'needs ms or reads'),
)
export type Moment = v.InferOutput<typeof Moment>

const [pixels, dp, flag] = [integer(PIXELS), decimal(DP), v.exactOptional(v.boolean())]

const BOUNDS = 'must be [left, top, right, bottom] in pixels, with left < right and top < bottom'
const BoundsList = v.pipe(
  v.array(pixels),
  v.check(({ length }) => length === 4, BOUNDS),
  v.transform(([left = 0, top = 0, right = 0, bottom = 0]) => ({ left, top, right, bottom })),
  v.check(({ left, top, right, bottom }) => left < right && top < bottom, BOUNDS),
)

const ownEntries = {
  id: v.exactOptional(Name),
  text: v.exactOptional(ShownText, ''),
  /** What an empty text field shows. */
  hint: v.exactOptional(ShownText, ''),
  resourceId: v.exactOptional(ShownText, ''),
  contentDesc: v.exactOptional(ShownText, ''),
  class: v.exactOptional(Name),
  checkable: flag,
  checked: flag,
  clickable: flag,
  enabled: v.exactOptional(v.boolean(), true),
  focusable: flag,
  scrollable: v.exactOptional(v.boolean(), false),
  longClickable: flag,
  password: v.exactOptional(v.boolean(), false),
  selected: v.exactOptional(v.boolean(), false),
  hidden: v.exactOptional(v.boolean(), false),
  appearsAfter: v.exactOptional(Moment),
  disappearsAfter: v.exactOptional(Moment),
}
/** `bounds` are pixels, everything else density-independent ones. */
const shapeEntries = {
  bounds: v.exactOptional(BoundsList),
  width: v.exactOptional(dp),
  height: v.exactOptional(dp),
  padding: v.exactOptional(dp),
  layout: v.exactOptional(v.picklist(['column', 'row', 'grid']), 'column'),
  columns: v.exactOptional(integer(COLUMNS), COLUMNS.default),
  /** Takes the height that its siblings leave. */
  fill: flag,
  textSize: v.exactOptional(decimal(TEXT_SIZE_SP), TEXT_SIZE_SP.default),
  align: v.exactOptional(v.picklist(['start', 'center', 'end'])),
  color: v.exactOptional(Colour),
  background: v.exactOptional(Colour),
  /** Draws a tile of this colour with the first letter of the label. */
  icon: v.exactOptional(Colour),
}
const reactionEntries = {
  onTap: v.exactOptional(Reactions),
  onLongPress: v.exactOptional(Reactions),
  onText: v.exactOptional(TextReactions),
  onScroll: v.exactOptional(ScrollReactions),
  onKey: v.exactOptional(KeyReactions),
}
const entries = { ...ownEntries, ...shapeEntries, ...reactionEntries }

const Alone = closedObject(entries)
export type WrittenNode = v.InferInput<typeof Alone> & { nodes?: WrittenNode[] }
export type ParsedNode = v.InferOutput<typeof Alone> & { nodes: ScenarioNode[] }

/** With the class in full and every flag decided. */
export interface ScenarioNode extends Omit<ParsedNode, 'class' | 'fill' | ReactionKey> {
  className: string
  /** A field that text can be typed into. */
  editable: boolean
  checkable: boolean
  checked: boolean
  clickable: boolean
  focusable: boolean
  longClickable: boolean
  fill: boolean
  onTap: readonly Reaction[]
  onLongPress: readonly Reaction[]
  onText: readonly Reaction[]
  onScroll: readonly Reaction[]
  onKey: Readonly<Record<string, readonly Reaction[]>>
}
type ReactionKey = keyof typeof reactionEntries

const filledIn = (node: ParsedNode): ScenarioNode => {
  const { class: written, ...rest } = node
  const className = classNameOf(node)
  return {
    ...rest,
    className,
    ...flagsOf(node, className),
    fill: node.fill ?? node.scrollable,
    onTap: node.onTap ?? [],
    onLongPress: node.onLongPress ?? [],
    onText: node.onText ?? [],
    onScroll: node.onScroll ?? [],
    onKey: node.onKey ?? {},
  }
}

export const ScenarioNode: v.GenericSchema<unknown, ScenarioNode> = v.pipe(
  closedObject({
    ...entries,
    nodes: v.exactOptional(v.array(v.lazy((): v.GenericSchema<unknown, ScenarioNode> => ScenarioNode)), () => []),
  }),
  v.transform(filledIn),
)

export const NODE_KEYS: readonly string[] = [...Object.keys(entries), 'nodes']

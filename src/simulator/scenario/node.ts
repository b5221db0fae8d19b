/** One node of a screen as a scenario writes it, and as the simulator works with it: everything left out is filled in. */
import * as v from 'valibot'
import { closedObject, keyedBy } from '../../contracts/json/objects.ts'
import { count, integer } from '../../contracts/json/scalars.ts'
import { KEY_NAMES } from '../ui/key-names.ts'
import { Name, seen, shape } from './field-schemas.ts'
import { didYouMean } from './problem.ts'
import { Condition, listed, type Reaction, Reactions, ScrollReactions, TextReactions } from './reaction.ts'
import { ElementWord, PageWord } from './web-words.ts'

/** Short names that are not under `android.widget`. */
const FULL_NAMES: Readonly<Record<string, string>> = {
  View: 'android.view.View',
  ViewGroup: 'android.view.ViewGroup',
  RecyclerView: 'androidx.recyclerview.widget.RecyclerView',
  ViewPager: 'androidx.viewpager.widget.ViewPager',
  WebView: 'android.webkit.WebView',
}

const guess = (node: ParsedNode): string => {
  if (node.page) return 'WebView'
  if (node.scrollable) return 'RecyclerView'
  if (node.nodes.length > 0) return node.layout === 'grid' ? 'GridLayout' : 'LinearLayout'
  if (node.hint !== '' || node.password || node.onText !== undefined) return 'EditText'
  if (node.checkable || node.checked !== undefined) return 'Switch'
  if (node.icon !== undefined && node.text === '') return 'ImageView'
  if (node.text !== '') return 'TextView'
  if (node.contentDesc !== '') return node.onTap === undefined ? 'ImageView' : 'ImageButton'
  return 'View'
}

export const fullClassName = (name: string): string =>
  name.includes('.') ? name : (FULL_NAMES[name] ?? `android.widget.${name}`)

const classNameOf = (node: ParsedNode): string => fullClassName(node.class ?? guess(node))

const CHECKABLE = /\.(Switch|SwitchCompat|CheckBox|RadioButton|ToggleButton|CheckedTextView)$/
const EDITABLE = /\.(EditText|AutoCompleteTextView)$/
const BUTTON = /\.(Button|ImageButton)$/

/** A class of fields that text can be typed into. */
export const isEditable = (className: string): boolean => EDITABLE.test(className)

type Flagged = Partial<Pick<ParsedNode, 'checkable' | 'checked' | 'clickable' | 'focusable' | 'longClickable'>> &
  Partial<Pick<ParsedNode, 'onTap' | 'onLongPress' | 'element'>>

/** Where a link of a page leads. */
export const hrefOf = ({ element }: Pick<Flagged, 'element'>): string | undefined =>
  element?.tag === 'a' ? element.attributes.href : undefined

export const flagsOf = (node: Flagged, className: string) => {
  const editable = isEditable(className)
  const checkable = node.checkable ?? (CHECKABLE.test(className) || node.checked !== undefined)
  const reacts =
    editable || checkable || BUTTON.test(className) || node.onTap !== undefined || hrefOf(node) !== undefined
  const clickable = node.clickable ?? reacts
  return {
    /** A field that text can be typed into. */
    editable,
    checkable,
    checked: node.checked ?? false,
    clickable,
    focusable: node.focusable ?? clickable,
    longClickable: node.longClickable ?? (editable || node.onLongPress !== undefined),
  }
}

type Flags = ReturnType<typeof flagsOf>

const TEXT_SIZE_SP = 16
const COLUMNS = 4
export const DRAWING_ORDER = { min: 1, max: 1_000_000 } as const

const KeyName = v.pipe(
  v.string(),
  v.check(
    key => KEY_NAMES.includes(key),
    ({ input }) => `there is no key \`${input}\`${didYouMean(input, KEY_NAMES)}`,
  ),
  v.metadata({ enum: KEY_NAMES }),
)
export const KeyReactions = keyedBy(KeyName, Reactions)

export const listedByKey = (onKey: v.InferOutput<typeof KeyReactions> = {}): ScenarioNode['onKey'] =>
  Object.fromEntries(Object.entries(onKey).map(([key, reactions]) => [key, listed(reactions)]))

/** `ms` since the screen came up, `reads` of its hierarchy since then; with both, the later one counts. */
const Moment = v.pipe(
  closedObject({ ms: v.exactOptional(count), reads: v.exactOptional(count) }),
  v.check(({ ms, reads }) => ms !== undefined || reads !== undefined, 'needs ms or reads'),
  v.metadata({ minProperties: 1 }),
)
export type Moment = v.InferOutput<typeof Moment>

const ownEntries = {
  id: v.exactOptional(Name),
  text: v.exactOptional(seen.text, ''),
  hint: v.exactOptional(seen.hint, ''),
  resourceId: v.exactOptional(seen.resourceId, ''),
  contentDesc: v.exactOptional(seen.contentDesc, ''),
  package: v.exactOptional(seen.package),
  class: v.exactOptional(seen.class),
  checkable: v.exactOptional(seen.checkable),
  checked: v.exactOptional(seen.checked),
  clickable: v.exactOptional(seen.clickable),
  enabled: v.exactOptional(seen.enabled, true),
  focusable: v.exactOptional(seen.focusable),
  focused: v.exactOptional(seen.focused, false),
  scrollable: v.exactOptional(seen.scrollable, false),
  longClickable: v.exactOptional(seen.longClickable),
  password: v.exactOptional(seen.password, false),
  selected: v.exactOptional(seen.selected, false),
  hidden: v.exactOptional(seen.hidden, false),
  showIf: v.exactOptional(Condition),
  appearsAfter: v.exactOptional(Moment),
  disappearsAfter: v.exactOptional(Moment),
  /** Changes to the node outlive the app. */
  kept: v.exactOptional(v.boolean(), false),
  /** The node is a web view with this page; all nodes inside of it are elements of the page. */
  page: v.exactOptional(PageWord),
  element: v.exactOptional(ElementWord),
}
const shapeEntries = {
  bounds: v.exactOptional(shape.bounds),
  /** False: it is there as its bounds say, also outside of what is around it, and with no area at all. */
  clip: v.exactOptional(v.boolean(), true),
  /** When it is drawn among its siblings; without one, in the order in which they are written. */
  drawingOrder: v.exactOptional(integer(DRAWING_ORDER)),
  width: v.exactOptional(shape.width),
  height: v.exactOptional(shape.height),
  padding: v.exactOptional(shape.padding),
  layout: v.exactOptional(shape.layout, 'column'),
  columns: v.exactOptional(shape.columns, COLUMNS),
  fill: v.exactOptional(shape.fill),
  textSize: v.exactOptional(shape.textSize, TEXT_SIZE_SP),
  align: v.exactOptional(shape.align),
  color: v.exactOptional(shape.color),
  background: v.exactOptional(shape.background),
  icon: v.exactOptional(shape.icon),
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
/** A checked node, with the defaults filled in. */
type ParsedNode = v.InferOutput<typeof Alone> & { nodes: ScenarioNode[] }

/** With the class in full and every flag decided. */
export interface ScenarioNode extends Omit<ParsedNode, 'class' | 'fill' | keyof Flags | ReactionKey>, Flags {
  className: string
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
    // Android names elements of pages by their ids.
    resourceId: rest.resourceId || (rest.element?.id ?? ''),
    ...flagsOf(node, className),
    fill: node.fill ?? node.scrollable,
    onTap: listed(node.onTap),
    onLongPress: listed(node.onLongPress),
    onText: listed(node.onText),
    onScroll: listed(node.onScroll),
    onKey: listedByKey(node.onKey),
  }
}

export const ScenarioNode: v.GenericSchema<unknown, ScenarioNode> = v.pipe(
  closedObject({
    ...entries,
    nodes: v.exactOptional(v.array(v.lazy((): v.GenericSchema<unknown, ScenarioNode> => ScenarioNode)), () => []),
  }),
  v.transform(filledIn),
)

/** Defines the visible members of a node: a scenario writes them, a reaction sets them, a condition asks for them. */
import * as v from 'valibot'
import { closedObject, eachOptional } from '../../contracts/json/objects.ts'
import { decimal, integer } from '../../contracts/json/scalars.ts'

export const NAME_CHARS_MAX = 200
export const TEXT_CHARS_MAX = 100_000
/** The limits of hierarchies of real devices: nodes may lie far outside the screen. */
const PIXELS = { min: -999_999_999, max: 999_999_999 } as const
const DP = { min: 0, max: 10_000 } as const
const TEXT_SIZE_SP = { min: 6, max: 96 } as const
const COLUMNS = { min: 1, max: 20 } as const

export const Name = v.pipe(v.string(), v.minLength(1), v.maxLength(NAME_CHARS_MAX))
export const ShownText = v.pipe(v.string(), v.maxLength(TEXT_CHARS_MAX))
export const PACKAGE_NAME = /^[A-Za-z]\w*(\.\w+)*$/
export const ACTIVITY_NAME = /^\.?[\w$]+(\.[\w$]+)*$/
export const Colour = v.pipe(v.string(), v.regex(/^#[0-9A-Fa-f]{6}$/, 'must be a colour such as #1A73E8'))

export const PermissionName = v.pipe(
  v.string(),
  v.maxLength(NAME_CHARS_MAX),
  v.regex(/^\w+(\.\w+)+$/, 'must be a full name such as android.permission.CAMERA'),
)
export const PermissionState = v.picklist(['allow', 'deny', 'unset'])

const BOUNDS = 'must be [left, top, right, bottom] in pixels'
export const BoundsList = v.pipe(
  v.array(integer(PIXELS)),
  v.check(({ length }) => length === 4, BOUNDS),
  v.metadata({ minItems: 4, maxItems: 4 }),
  v.transform(([left = 0, top = 0, right = 0, bottom = 0]) => ({ left, top, right, bottom })),
)

/** The words of a node and its flags. */
export const seen = {
  text: ShownText,
  /** The text that an empty field shows. */
  hint: ShownText,
  contentDesc: ShownText,
  resourceId: ShownText,
  /** Given when it is not the package of the app. */
  package: ShownText,
  class: Name,
  checkable: v.boolean(),
  checked: v.boolean(),
  clickable: v.boolean(),
  enabled: v.boolean(),
  focusable: v.boolean(),
  focused: v.boolean(),
  scrollable: v.boolean(),
  longClickable: v.boolean(),
  password: v.boolean(),
  selected: v.boolean(),
  hidden: v.boolean(),
} as const

/** `bounds` are pixels, everything else density-independent ones. */
export const shape = {
  bounds: BoundsList,
  width: decimal(DP),
  height: decimal(DP),
  padding: decimal(DP),
  layout: v.picklist(['column', 'row', 'grid']),
  columns: integer(COLUMNS),
  /** Takes the height that its siblings leave. */
  fill: v.boolean(),
  textSize: decimal(TEXT_SIZE_SP),
  align: v.picklist(['start', 'center', 'end']),
  color: Colour,
  background: Colour,
  /** Draws a tile of this colour with the first letter of the label. */
  icon: Colour,
} as const

/** In a text, `{text}` stands for what was typed, `{uri}` for the data of the intent, `{name}` for a counter. */
export const NodeChanges = closedObject(eachOptional({ ...seen, ...shape }))
export type NodeChanges = v.InferOutput<typeof NodeChanges>

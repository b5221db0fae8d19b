/** Actions of a finger and of a keyboard: click, swipe, enter_text, press_key. */
import * as v from 'valibot'
import { isKeyName, KEY_PATTERN, keyNameOf } from '../key-names.ts'
import { COORDINATE_MIN, ENTER_TEXT_CHARS_MAX, SWIPE_MS } from '../limits.ts'
import { KEYS } from '../literals.ts'
import { Matcher } from '../matcher.ts'
import { closedObject } from '../objects.ts'
import { integer, text } from '../scalars.ts'
import { action, retryEntries } from './shape.ts'

const pixels = v.pipe(v.number(), v.safeInteger(), v.minValue(COORDINATE_MIN))

export const Coordinate = closedObject({ x: pixels, y: pixels })
export type Coordinate = v.InferOutput<typeof Coordinate>

export const ClickType = v.picklist(['default', 'long_click', 'focus'])
export type ClickType = v.InferOutput<typeof ClickType>

export const Click = action(
  'click',
  v.pipe(
    closedObject({
      matcher: v.exactOptional(Matcher),
      coordinate: v.exactOptional(Coordinate),
      clickType: v.exactOptional(ClickType, 'default'),
      ...retryEntries,
    }),
    v.partialCheck(
      [['matcher'], ['coordinate']],
      params => (params.matcher === undefined) !== (params.coordinate === undefined),
      'exactly one of matcher and coordinate is needed',
    ),
    v.forward(
      v.partialCheck(
        [['coordinate'], ['clickType']],
        params => params.coordinate === undefined || params.clickType !== 'focus',
        'focus needs a matcher: a coordinate has nothing to focus',
      ),
      ['clickType'],
    ),
    v.metadata({
      oneOf: [{ required: ['matcher'] }, { required: ['coordinate'] }],
      not: { required: ['coordinate', 'clickType'], properties: { clickType: { const: 'focus' } } },
    }),
  ),
)
export type Click = v.InferOutput<typeof Click>

export const Swipe = action(
  'swipe',
  closedObject({
    start: Coordinate,
    end: Coordinate,
    durationMs: v.exactOptional(integer(SWIPE_MS), SWIPE_MS.default),
  }),
)

export const EnterText = action(
  'enter_text',
  v.pipe(
    closedObject({
      /** Left out: the field that has the focus. */
      matcher: v.exactOptional(Matcher),
      text: text(1, ENTER_TEXT_CHARS_MAX),
      append: v.exactOptional(v.boolean(), false),
      clear: v.exactOptional(v.boolean(), false),
      submit: v.exactOptional(v.boolean(), false),
      ...retryEntries,
    }),
    v.forward(
      v.partialCheck(
        [['append'], ['clear']],
        params => !params.append || !params.clear,
        'only one of append and clear can be true',
      ),
      ['append'],
    ),
    v.metadata({
      not: { required: ['append', 'clear'], properties: { append: { const: true }, clear: { const: true } } },
    }),
  ),
)

/** Taken in any spelling, kept in lower case with underscores. */
export const Key = v.pipe(
  v.string(),
  v.metadata({
    description: `${KEYS.join(', ')}, or a key of Android without KEYCODE_ (volume_up, dpad_left, tab), in any case`,
    pattern: KEY_PATTERN,
  }),
  v.transform(keyNameOf),
  v.check(isKeyName, ({ input }) => `must be a key of Android, but is ${JSON.stringify(input)}`),
)
export type Key = v.InferOutput<typeof Key>

export const PressKey = action(
  'press_key',
  closedObject({
    key: Key /** Left out by default: operators of earlier versions do not know it. */,
    longPress: v.exactOptional(v.boolean()),
  }),
)

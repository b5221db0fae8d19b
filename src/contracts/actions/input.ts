/** Actions of a finger and of a keyboard: click, swipe, enter_text, erase_text, press_key. */
import * as v from 'valibot'
import { isKeyName, KEY_PATTERN, keyNameOf } from '../executions/key-names.ts'
import { Matcher } from '../executions/matcher.ts'
import { DIRECTIONS, KEYS } from '../json/literals.ts'
import { closedObject } from '../json/objects.ts'
import { integer, text } from '../json/scalars.ts'
import { CLICK_REPEAT_DELAY_MS, CLICK_REPEATS, ERASED_CHARACTERS, HOLD_MS } from '../limits/gesture-limits.ts'
import { ENTER_TEXT_CHARS_MAX, SWIPE_MS } from '../limits/limits.ts'
import { action, retryEntries } from './shape.ts'
import {
  type Coordinate,
  isOneTouch,
  isPointOfNode,
  ONE_TOUCH,
  Place,
  POINT_OF_NODE,
  RelativePoint,
  ScreenPoint,
  TOUCH_RULES,
  touchEntries,
} from './touch.ts'

export const ClickType = v.picklist(['default', 'long_click', 'focus'])
export type ClickType = v.InferOutput<typeof ClickType>

interface SwipeWay {
  start?: ScreenPoint
  end?: ScreenPoint
  direction?: (typeof DIRECTIONS)[number]
  from?: { matcher?: Matcher; coordinate?: Coordinate }
  point?: RelativePoint
}

const isWay = ({ start, end, direction, from, point }: SwipeWay): boolean =>
  direction === undefined
    ? from === undefined && point === undefined
    : start === undefined && end === undefined && (point === undefined || from?.matcher !== undefined)
const SWIPE_WAY = 'start and end stand alone; a direction may have from, and a point where from has a matcher'

const NO_WAY = 'is needed where no direction says which way the finger goes'

const FROM_NODE = { properties: { from: { type: 'object' as const, required: ['matcher'] } }, required: ['from'] }
const none = (...keys: string[]) => ({ not: { anyOf: keys.map(key => ({ required: [key] })) } })

/** Erases before the cursor, in the field that has the focus. */
const EraseTextParams = closedObject({
  characters: v.exactOptional(integer(ERASED_CHARACTERS), ERASED_CHARACTERS.default),
})

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

export const INPUT_ACTIONS = [
  action(
    'click',
    v.pipe(
      closedObject({
        ...touchEntries,
        clickType: v.exactOptional(ClickType, 'default'),
        /** How long a long click holds; left out, longer than the longest long press of the system. */
        holdMs: v.exactOptional(integer(HOLD_MS)),
        /** So many clicks in a row, each this long after the one before. */
        repeat: v.exactOptional(integer(CLICK_REPEATS)),
        repeatDelayMs: v.exactOptional(integer(CLICK_REPEAT_DELAY_MS)),
        ...retryEntries,
      }),
      v.partialCheck([['matcher'], ['coordinate'], ['point']], isOneTouch, ONE_TOUCH),
      v.forward(v.partialCheck([['coordinate'], ['point']], isPointOfNode, POINT_OF_NODE), ['point']),
      v.forward(
        v.partialCheck(
          [['coordinate'], ['point'], ['clickType']],
          params => (params.coordinate === undefined && params.point === undefined) || params.clickType !== 'focus',
          'focus needs a matcher alone: a point has nothing to focus',
        ),
        ['clickType'],
      ),
      v.forward(
        v.partialCheck(
          [['holdMs'], ['clickType']],
          params => params.holdMs === undefined || params.clickType === 'long_click',
          'needs the clickType long_click',
        ),
        ['holdMs'],
      ),
      v.metadata({
        oneOf: TOUCH_RULES,
        not: {
          required: ['clickType'],
          properties: { clickType: { const: 'focus' } },
          anyOf: [{ required: ['coordinate'] }, { required: ['point'] }],
        },
        if: { required: ['holdMs'] },
        // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
        then: { required: ['clickType'], properties: { clickType: { const: 'long_click' } } },
      }),
    ),
  ),
  action(
    'swipe',
    v.pipe(
      closedObject({
        start: v.exactOptional(ScreenPoint),
        end: v.exactOptional(ScreenPoint),
        /** The way of the finger: across the screen, or from a place to the edge. */
        direction: v.exactOptional(v.picklist(DIRECTIONS)),
        from: v.exactOptional(Place),
        /** A point of the node that `from` names; its middle where it is left out. */
        point: v.exactOptional(RelativePoint),
        durationMs: v.exactOptional(integer(SWIPE_MS), SWIPE_MS.default),
      }),
      v.forward(
        v.partialCheck(
          [['start'], ['direction']],
          params => params.start !== undefined || params.direction !== undefined,
          NO_WAY,
        ),
        ['start'],
      ),
      v.forward(
        v.partialCheck(
          [['end'], ['direction']],
          params => params.end !== undefined || params.direction !== undefined,
          NO_WAY,
        ),
        ['end'],
      ),
      v.partialCheck([['start'], ['end'], ['direction'], ['from'], ['point']], isWay, SWIPE_WAY),
      v.metadata({
        oneOf: [
          { required: ['start', 'end'], ...none('direction', 'from', 'point') },
          {
            required: ['direction'],
            ...none('start', 'end'),
            if: { required: ['point'] },
            // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
            then: FROM_NODE,
          },
        ],
      }),
    ),
  ),
  action(
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
  ),
  action(
    'erase_text',
    v.exactOptional(EraseTextParams, () => v.parse(EraseTextParams, {})),
  ),
  action(
    'press_key',
    closedObject({
      key: Key /** Left out by default: operators of earlier versions do not know it. */,
      longPress: v.exactOptional(v.boolean()),
    }),
  ),
] as const

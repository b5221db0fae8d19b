/** Clicks, swipes, typed texts and keys. */
import { isOperatorKey } from '../../json/literals.ts'
import { TAP_PX_MAX } from '../../limits/limits.ts'
import type { Cards, ParamsOf } from '../card.ts'
import { asLiteral, asText, cut, join, matcherWords, placeWords, swipeDirection, touchWords } from '../words.ts'
import { NO_HIERARCHY, PAGE_FAILURES, STALE } from './failures.ts'

/** The keys that leave the application rather than use it. */
const LEAVING_KEYS: readonly string[] = ['home', 'recents', 'app_switch']

const LINE_BREAK = /[\r\n]/
/** A way of this share of a small screen is no more than a tap; how far points of two units are apart, only the screen says. */
const TAP_PERCENT_MAX = 5

/** A finger that hardly moves taps, or presses long. */
const isTap = ({ start, end }: ParamsOf['swipe']): boolean =>
  start !== undefined && end !== undefined && (start.unit === 'percent') === (end.unit === 'percent')
    ? Math.hypot(end.x - start.x, end.y - start.y) <= (start.unit === 'percent' ? TAP_PERCENT_MAX : TAP_PX_MAX)
    : start !== undefined

const CLICKS: Readonly<Record<string, string>> = { long_click: 'Long-click', focus: 'Focus' }

const CLICKED: Readonly<Record<string, string>> = { long_click: 'Long-pressed', focus: 'Focused' }

export const INPUT_CARDS = {
  click: {
    effect: 'acts',
    repeat: 'never',
    by: 'operator',
    hostParams: ['point', 'holdMs', 'repeat', 'repeatDelayMs'],
    touchesFront: true,
    data: ['click_type'],
    notes: ['covered_by_unknown'],
    failures: ['NODE_NOT_FOUND', STALE, 'NODE_NOT_CLICKABLE', 'GESTURE_FAILED', ...PAGE_FAILURES, NO_HIERARCHY],
    words: ({ clickType, ...params }) => join(CLICKS[asText(clickType)] ?? 'Click', touchWords(params)),
    done: ({ click_type = '' }, { node }) => join(CLICKED[click_type] ?? 'Clicked', node),
  },
  swipe: {
    effect: 'acts',
    repeat: 'never',
    by: 'operator',
    hostParams: ['direction', 'from'],
    touchesFront: true,
    // A swipe scrolls, and a scroll is a swipe.
    contains: ['scroll'],
    adds: params => (isTap(params) ? { optional: ['click'] } : {}),
    data: ['duration_ms'],
    failures: ['GESTURE_FAILED', STALE],
    words: ({ from, ...params }) =>
      join('Swipe', swipeDirection(params), placeWords(from) && `from ${placeWords(from)}`),
    done: (_, { node }) => join('Swiped', node),
  },
  enter_text: {
    effect: 'acts',
    repeat: 'never',
    by: 'operator',
    touchesFront: true,
    // Operators without an app of their own type a line break as the enter key.
    adds: ({ submit, text }) => (submit || LINE_BREAK.test(text) ? { optional: ['press_key'] } : {}),
    // The text may be in its field already: typed again it is there twice, submitted twice, or in the next field.
    mayActAndFail: ({ append, submit, matcher }, code) =>
      code !== 'NODE_NOT_FOUND' && code !== STALE && (append || submit || matcher === undefined),
    data: ['text', 'submit', 'text_length'],
    notes: ['covered_by_unknown'],
    failures: ['NODE_NOT_FOUND', STALE, 'ACTION_FAILED', ...PAGE_FAILURES, NO_HIERARCHY],
    words: ({ matcher }) => join('Type into', matcherWords(matcher) || 'the focused field'),
    done: ({ text, submit }, { node }) =>
      join('Typed', asLiteral(text), node && `into ${node}`, submit === 'true' ? 'and pressed enter' : ''),
  },
  erase_text: {
    effect: 'acts',
    repeat: 'never',
    by: 'screen',
    touchesFront: true,
    contains: ['press_key'],
    data: ['characters'],
    failures: ['ACTION_FAILED'],
    words: ({ characters }) => join('Erase', String(characters ?? ''), 'characters'),
    done: ({ characters }) => join('Erased', characters, characters === '1' ? 'character' : 'characters'),
  },
  press_key: {
    effect: 'acts',
    repeat: 'never',
    by: ({ key, longPress }) => (longPress || !isOperatorKey(key) ? 'screen' : 'operator'),
    touchesFront: ({ key }) => !LEAVING_KEYS.includes(key),
    data: ['key'],
    failures: ['GLOBAL_ACTION_FAILED'],
    words: ({ key, longPress }) => join(longPress === true ? 'Long-press' : 'Press', cut(asText(key))),
    done: ({ key }) => join('Pressed', key),
  },
} as const satisfies Partial<Cards>

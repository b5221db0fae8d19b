/** Gestures that the host makes on the screen as the operator sees it. */
import type { Cards } from '../card.ts'
import { join, matcherWords, placeWords, pointWords, touchWords } from '../words.ts'
import { NO_HIERARCHY, STALE } from './failures.ts'

const UNSUPPORTED = 'EXECUTION_ACTION_UNSUPPORTED'
const TOUCH_FAILURES = ['NODE_NOT_FOUND', STALE, 'NODE_NOT_CLICKABLE', 'GESTURE_FAILED', NO_HIERARCHY] as const
/** Something that nobody can look through may lie over the point. */
const COVERED = ['covered_by_unknown'] as const

export const GESTURE_CARDS = {
  double_tap: {
    effect: 'acts',
    repeat: 'never',
    by: 'screen',
    touchesFront: true,
    contains: ['click'],
    data: [],
    notes: COVERED,
    failures: [UNSUPPORTED, ...TOUCH_FAILURES],
    words: params => join('Double-tap', touchWords(params)),
    done: (_, { node }) => join('Double-tapped', node),
  },
  drag: {
    effect: 'acts',
    repeat: 'never',
    by: 'screen',
    touchesFront: true,
    contains: ['swipe', 'scroll', 'click'],
    data: [],
    notes: COVERED,
    failures: TOUCH_FAILURES,
    words: ({ from, to }) => join('Drag', placeWords(from), placeWords(to) && `to ${placeWords(to)}`),
    done: (_, { node }) => join('Dragged', node),
  },
  pinch: {
    effect: 'acts',
    repeat: 'never',
    by: 'screen',
    touchesFront: true,
    data: ['scale'],
    notes: COVERED,
    failures: [UNSUPPORTED, ...TOUCH_FAILURES],
    words: ({ scale, matcher, coordinate }) =>
      join(Number(scale) < 1 ? 'Pinch closed' : 'Pinch open', matcherWords(matcher) || pointWords(coordinate)),
    done: ({ scale }, { node }) => join('Pinched', node, scale && `by ${scale}`),
  },
  move_fingers: {
    effect: 'acts',
    repeat: 'never',
    by: 'screen',
    touchesFront: true,
    data: ['duration_ms'],
    failures: [UNSUPPORTED, 'GESTURE_FAILED'],
    words: ({ fingers }) => join('Move', Array.isArray(fingers) && fingers.length > 1 ? 'two fingers' : 'a finger'),
    done: () => 'Moved the fingers',
  },
} as const satisfies Partial<Cards>

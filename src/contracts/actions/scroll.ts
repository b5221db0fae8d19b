/** Actions that scroll: scroll, scroll_until, scroll_and_click. */
import * as v from 'valibot'
import { Matcher } from '../executions/matcher.ts'
import { DIRECTIONS } from '../json/literals.ts'
import { closedObject } from '../json/objects.ts'
import { decimal, integer } from '../json/scalars.ts'
import { VISIBLE_PERCENT } from '../limits/gesture-limits.ts'
import {
  SCROLL_DISTANCE_RATIO,
  SCROLL_DURATION_MS,
  SCROLL_SETTLE_MS,
  SCROLL_STILL_THRESHOLD,
  SCROLLS,
  SWIPE_MS,
  SWIPES,
} from '../limits/limits.ts'
import { ClickType } from './input.ts'
import { action, retryEntries } from './shape.ts'

const scrollEntries = {
  direction: v.exactOptional(v.picklist(DIRECTIONS), 'down'),
  container: v.exactOptional(Matcher),
  distanceRatio: v.exactOptional(decimal(SCROLL_DISTANCE_RATIO), SCROLL_DISTANCE_RATIO.default),
  settleDelayMs: v.exactOptional(integer(SCROLL_SETTLE_MS), SCROLL_SETTLE_MS.default),
  findFirstScrollableChild: v.exactOptional(v.boolean(), true),
  ...retryEntries,
}

const ScrollParams = closedObject(scrollEntries)

const ScrollUntilParams = v.pipe(
  closedObject({
    matcher: v.exactOptional(Matcher),
    ...scrollEntries,
    maxScrolls: v.exactOptional(integer(SCROLLS), SCROLLS.default),
    maxDurationMs: v.exactOptional(integer(SCROLL_DURATION_MS), SCROLL_DURATION_MS.default),
    noPositionChangeThreshold: v.exactOptional(integer(SCROLL_STILL_THRESHOLD), SCROLL_STILL_THRESHOLD.default),
    clickAfter: v.exactOptional(v.boolean(), false),
    /** From the middle of the screen, also where nothing on it says that it scrolls. */
    wholeScreen: v.exactOptional(v.boolean()),
    swipeDurationMs: v.exactOptional(integer(SWIPE_MS)),
    /** The share of the target that must be in sight. */
    minVisiblePercent: v.exactOptional(decimal(VISIBLE_PERCENT)),
    /** Goes on, for some scrolls, until the target is past the edge that it came from. */
    centerTarget: v.exactOptional(v.boolean()),
  }),
  v.forward(
    v.partialCheck(
      [['container'], ['wholeScreen']],
      params => !params.wholeScreen || params.container === undefined,
      'must be left out with wholeScreen',
    ),
    ['container'],
  ),
  v.forward(
    v.partialCheck(
      [['matcher'], ['clickAfter']],
      params => !params.clickAfter || params.matcher !== undefined,
      'clickAfter needs a matcher',
    ),
    ['clickAfter'],
  ),
  v.metadata({
    not: { required: ['container', 'wholeScreen'], properties: { wholeScreen: { const: true } } },
    if: { required: ['clickAfter'], properties: { clickAfter: { const: true } } },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: { required: ['matcher'] },
  }),
)

export const SCROLL_ACTIONS = [
  action(
    'scroll',
    v.exactOptional(ScrollParams, () => v.parse(ScrollParams, {})),
  ),
  action(
    'scroll_until',
    v.exactOptional(ScrollUntilParams, () => v.parse(ScrollUntilParams, {})),
  ),
  action(
    'scroll_and_click',
    closedObject({
      matcher: Matcher,
      ...scrollEntries,
      maxSwipes: v.exactOptional(integer(SWIPES), SWIPES.default),
      clickAfter: v.exactOptional(v.boolean(), true),
      clickType: v.exactOptional(ClickType, 'default'),
    }),
  ),
] as const

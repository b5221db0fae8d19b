/** Scrolls. */
import type { AnyParams, Cards } from '../card.ts'
import { A_NODE, asText, join, matcherWords } from '../words.ts'
import { CONTAINER_FAILURES, NO_HIERARCHY, STALE } from './failures.ts'

const scrollTo = (params: AnyParams, clicks: boolean) => {
  const target = matcherWords(params.matcher)
  if (target === '') return join('Scroll', asText(params.direction) || 'down', 'to the end')
  return join('Scroll to', target, clicks ? 'and click it' : '')
}

export const SCROLL_CARDS = {
  scroll: {
    effect: 'moves',
    repeat: 'never',
    by: 'operator',
    touchesFront: true,
    contains: ['swipe'],
    data: ['scroll_outcome', 'direction'],
    failures: [...CONTAINER_FAILURES, STALE, NO_HIERARCHY],
    words: ({ direction }) => join('Scroll', asText(direction) || 'down'),
    done: ({ direction, scroll_outcome: outcome = 'moved' }) =>
      join('Scrolled', direction, outcome === 'moved' ? '' : `(${outcome.replaceAll('_', ' ')})`),
  },
  scroll_until: {
    effect: 'moves',
    repeat: 'never',
    by: 'operator',
    hostParams: ['wholeScreen', 'swipeDurationMs', 'minVisiblePercent', 'centerTarget'],
    touchesFront: true,
    contains: ['scroll', 'swipe'],
    adds: ({ clickAfter }) => (clickAfter ? { contained: ['scroll_and_click'], optional: ['click'] } : {}),
    data: ['termination_reason', 'scrolls_executed'],
    notes: ['covered_by_unknown'],
    failures: ['TARGET_NOT_FOUND', ...CONTAINER_FAILURES, STALE, NO_HIERARCHY],
    words: params => scrollTo(params, params.clickAfter === true),
    done: (_, { node, isClicked }) => join('Scrolled to', node || A_NODE, isClicked ? 'and clicked it' : undefined),
  },
  scroll_and_click: {
    effect: 'acts',
    repeat: 'never',
    by: 'operator',
    touchesFront: true,
    contains: ['scroll', 'swipe', 'scroll_until'],
    adds: ({ clickAfter }) => (clickAfter ? { contained: ['click'] } : {}),
    data: ['scrolls_executed'],
    notes: ['covered_by_unknown'],
    failures: ['TARGET_NOT_FOUND', STALE, 'NODE_NOT_CLICKABLE', NO_HIERARCHY],
    words: params => scrollTo(params, params.clickAfter !== false),
    done: (_, { node }) => join('Scrolled to', node || A_NODE, 'and clicked it'),
  },
} as const satisfies Partial<Cards>

/** Waits. */
import type { Cards } from '../card.ts'
import { asText, cut, join, matcherWords, seconds } from '../words.ts'

export const WAIT_CARDS = {
  wait_for_node: {
    effect: 'looks',
    repeat: 'safe',
    by: 'operator',
    hostParams: ['state'],
    touchesFront: true,
    data: ['resource_id', 'label', 'elapsed_ms'],
    failures: ['NODE_NOT_FOUND', 'NODE_STILL_VISIBLE'],
    words: ({ matcher, state }) => join('Wait for', matcherWords(matcher), state === 'gone' ? 'to go' : ''),
  },
  wait_for_navigation: {
    effect: 'looks',
    repeat: 'safe',
    by: 'operator',
    touchesFront: false,
    appOf: ({ expectedPackage }) => expectedPackage,
    data: ['resolved_package', 'elapsed_ms'],
    failures: ['NAVIGATION_TIMEOUT'],
    words: ({ expectedPackage, expectedNode }) =>
      join('Wait for', cut(asText(expectedPackage)) || matcherWords(expectedNode)),
  },
  wait_for_idle: {
    effect: 'looks',
    repeat: 'safe',
    by: 'screen',
    touchesFront: false,
    data: ['settled'],
    failures: [],
    words: () => 'Wait for a still screen',
  },
  sleep: {
    effect: 'looks',
    repeat: 'safe',
    by: 'operator',
    touchesFront: false,
    data: ['duration_ms'],
    failures: [],
    words: ({ durationMs }) => join('Wait', seconds(durationMs)),
    isAside: true,
  },
} as const satisfies Partial<Cards>

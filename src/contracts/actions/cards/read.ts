/** Actions that read the screen. */
import type { Cards } from '../card.ts'
import { asLiteral, join, matcherWords } from '../words.ts'
import { NO_HIERARCHY, PAGE_FAILURES, STALE } from './failures.ts'

export const READ_CARDS = {
  read_text: {
    effect: 'looks',
    repeat: 'safe',
    by: 'operator',
    hostParams: ['orHint'],
    touchesFront: true,
    isStill: true,
    data: ['text', 'count'],
    failures: ['NODE_NOT_FOUND', STALE, 'VALIDATOR_MISMATCH', NO_HIERARCHY],
    words: ({ matcher }) => join('Read', matcherWords(matcher)),
    done: ({ count }) => (count === undefined ? 'Read' : join('Read', count, count === '1' ? 'text' : 'texts')),
  },
  read_key_value_pair: {
    effect: 'looks',
    repeat: 'safe',
    by: 'operator',
    touchesFront: true,
    isStill: true,
    contains: ['read_text'],
    data: ['label', 'value'],
    failures: ['NODE_NOT_FOUND', STALE, 'VALUE_NODE_NOT_FOUND', NO_HIERARCHY],
    words: ({ labelMatcher }) => join('Read the value of', matcherWords(labelMatcher)),
    done: ({ label }) => join('Read the value of', asLiteral(label)),
  },
  snapshot: {
    effect: 'looks',
    repeat: 'safe',
    by: 'operator',
    touchesFront: true,
    isStill: true,
    // A snapshot hands out all texts.
    contains: ['read_text', 'read_key_value_pair'],
    data: ['text', 'foreground_package'],
    failures: [NO_HIERARCHY],
    words: () => 'Take a snapshot',
    done: ({ screen }) => (screen === undefined ? 'Read the screen' : `Read screen ${screen}`),
    isAside: true,
  },
  take_screenshot: {
    effect: 'looks',
    // The next one replaces its file.
    repeat: 'safe',
    by: 'link',
    touchesFront: true,
    isStill: true,
    data: ['path'],
    failures: ['EVIDENCE_CAPTURE_FAILED', 'NODE_NOT_FOUND', STALE, ...PAGE_FAILURES, NO_HIERARCHY],
    words: ({ matcher }) => join('Take a screenshot', matcherWords(matcher) && `of ${matcherWords(matcher)}`),
    done: ({ path }, { node }) => join('Wrote a picture of', node || 'the screen', 'to', path),
    isAside: true,
  },
} as const satisfies Partial<Cards>

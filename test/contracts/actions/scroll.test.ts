import { actionTable, type Row } from './table.ts'

const matcher = { textContains: 'Battery' }
const defaults = { direction: 'down', distanceRatio: 0.7, settleDelayMs: 250, findFirstScrollableChild: true }

const common = {
  choices: { direction: ['down', 'up', 'left', 'right'] },
  decimals: { distanceRatio: [0, 1] },
  retries: true,
} satisfies Partial<Row>

actionTable(
  {
    ...common,
    type: 'scroll',
    least: null,
    filled: defaults,
    integers: { settleDelayMs: [0, 10_000] },
    booleans: ['findFirstScrollableChild'],
    matchers: ['container'],
    rejected: [[{ matcher }, 'params.matcher']],
  },
  {
    ...common,
    type: 'scroll_until',
    least: null,
    filled: { ...defaults, maxScrolls: 20, maxDurationMs: 10_000, noPositionChangeThreshold: 3, clickAfter: false },
    integers: {
      settleDelayMs: [0, 10_000],
      maxScrolls: [1, 200],
      maxDurationMs: [0, 120_000],
      noPositionChangeThreshold: [1, 20],
    },
    booleans: ['findFirstScrollableChild'],
    matchers: ['matcher', 'container'],
    accepted: [{ clickAfter: true, matcher }, { clickAfter: false }],
    rejected: [
      [{ clickAfter: true }, 'params.clickAfter'],
      [{ clickAfter: 'yes', matcher }, 'params.clickAfter'],
      [{ maxSwipes: 3 }, 'params.maxSwipes'],
    ],
  },
  {
    ...common,
    type: 'scroll_and_click',
    least: { matcher },
    filled: { ...defaults, matcher, maxSwipes: 10, clickAfter: true, clickType: 'default' },
    required: ['matcher'],
    choices: { ...common.choices, clickType: ['default', 'long_click', 'focus'] },
    integers: { settleDelayMs: [0, 10_000], maxSwipes: [1, 50] },
    booleans: ['clickAfter', 'findFirstScrollableChild'],
    matchers: ['matcher', 'container'],
    rejected: [[{ matcher, maxScrolls: 3 }, 'params.maxScrolls']],
  },
)

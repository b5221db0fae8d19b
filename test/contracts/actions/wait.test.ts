import { actionTable } from './table.ts'

const matcher = { textEquals: 'Settings' }

actionTable(
  {
    type: 'wait_for_node',
    least: { matcher },
    filled: { matcher, timeoutMs: 10_000 },
    required: ['matcher'],
    matchers: ['matcher'],
    integers: { timeoutMs: [1, 120_000] },
    retries: true,
  },
  {
    type: 'wait_for_navigation',
    least: { expectedPackage: 'com.example', timeoutMs: 5_000 },
    filled: { expectedPackage: 'com.example', timeoutMs: 5_000 },
    required: ['timeoutMs'],
    texts: { expectedPackage: [1, Number.POSITIVE_INFINITY] },
    matchers: ['expectedNode'],
    integers: { timeoutMs: [1, 30_000] },
    retries: true,
    accepted: [
      { expectedNode: matcher, timeoutMs: 1 },
      { expectedNode: matcher, expectedPackage: 'com.example', timeoutMs: 1 },
    ],
    rejected: [
      [{ timeoutMs: 1_000 }, 'params'],
      [{ expectedPackage: ' ', timeoutMs: 1_000 }, 'params.expectedPackage'],
    ],
  },
  {
    type: 'sleep',
    least: { durationMs: 250 },
    filled: { durationMs: 250 },
    required: ['durationMs'],
    integers: { durationMs: [0, 120_000] },
  },
)

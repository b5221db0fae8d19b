/** The checks of actions that read a screen that any Android has, the settings, and look for nodes on it. */
import { Breach } from './breach.ts'
import type { Check } from './check.ts'
import { expectData, failsWith, succeeds } from './judge-step.ts'
import { fieldOf, listOf, onSettings, rowText, uniqueText } from './settings-screen.ts'

const snapshot = onSettings(
  'snapshot',
  '`snapshot` holds the XML hierarchy of the window in front, and its package.',
  'a snapshot of the settings',
  async (_, { nodes, packageName }) => `The hierarchy has ${nodes.length} nodes on the screen, of ${packageName}.`,
)

const SNAPSHOTS = 8

const many = onSettings(
  'many-snapshots-in-one-result',
  'A result of many chunks comes whole: the log is written no faster than it is kept.',
  `${SNAPSHOTS} snapshots in one request`,
  async bench => {
    const { envelope, chunks, text } = await bench.ask(Array.from({ length: SNAPSHOTS }, () => ({ type: 'snapshot' })))
    if (envelope.status === 'success') return `${Buffer.byteLength(text)} bytes came in ${chunks} chunks.`
    throw new Breach(
      `A snapshot failed: ${envelope.error?.message}`,
      'Take each snapshot anew, also of a screen that is still.',
    )
  },
)

const waitForNode = onSettings(
  'wait-for-node',
  '`wait_for_node` succeeds at once for a node that is there, with its label.',
  'a text of the settings that one node alone has',
  async (bench, screen) => {
    const { text } = uniqueText(screen).node
    const matcher = { textEquals: text }
    expectData(await succeeds(bench, { type: 'wait_for_node', params: { matcher, timeoutMs: 3_000 } }), 'label', text)
    return 'The node was found.'
  },
)

const readText = onSettings(
  'read-text',
  '`read_text` reads the text of the node, and `count` is the number of nodes.',
  'a text of the settings, by `textContains`',
  async (bench, screen) => {
    const { text } = uniqueText(screen).node
    const step = await succeeds(bench, { type: 'read_text', params: { matcher: { textEquals: text } } })
    expectData(step, 'text', text)
    expectData(step, 'count', '1')
    return 'The text was read.'
  },
)

const validator = onSettings(
  'read-text-validator',
  '`read_text` fails with VALIDATOR_MISMATCH for a text that its validator does not match.',
  'a text of the settings, and a pattern that it does not match',
  (bench, screen) => {
    const matcher = { textEquals: uniqueText(screen).node.text }
    const params = {
      matcher,
      validator: 'regex',
      validatorPattern: '^svc-operator-check-nothing$',
      retry: { maxAttempts: 1 },
    }
    return failsWith(bench, { type: 'read_text', params }, 'VALIDATOR_MISMATCH')
  },
)

const scrollUntil = onSettings(
  'scroll-until',
  '`scroll_until` ends with target_found at a node that is on the screen.',
  'a text that is on the screen already',
  async (bench, screen) => {
    listOf(screen)
    const matcher = { textEquals: rowText(screen) }
    expectData(
      await succeeds(bench, { type: 'scroll_until', params: { matcher } }),
      'termination_reason',
      'target_found',
    )
    return 'The target was found.'
  },
)

const scrollUntilMissing = onSettings(
  'scroll-until-missing',
  '`scroll_until` fails with TARGET_NOT_FOUND when its scrolls are used up.',
  'a text that no screen shows, with at most one scroll',
  async (bench, screen) => {
    listOf(screen)
    const params = {
      matcher: { textEquals: 'svc operator check: no such text' },
      maxScrolls: 1,
      retry: { maxAttempts: 1 },
    }
    return failsWith(bench, { type: 'scroll_until', params }, 'TARGET_NOT_FOUND')
  },
)

const TYPED = 'svc äß 世界'

const enterText = onSettings(
  'enter-text',
  '`enter_text` puts the whole text into the field, whatever its script.',
  'the search field of the settings, where their first screen has one',
  async (bench, screen) => {
    const matcher = { resourceId: fieldOf(screen).resourceId }
    expectData(await succeeds(bench, { type: 'enter_text', params: { matcher, text: TYPED } }), 'text', TYPED)
    expectData(await succeeds(bench, { type: 'read_text', params: { matcher } }), 'text', TYPED)
    return 'The field holds the text.'
  },
)

export const screenChecks: readonly Check[] = [
  snapshot,
  many,
  waitForNode,
  readText,
  validator,
  scrollUntil,
  scrollUntilMissing,
  enterText,
]

/** The checks of actions on a screen that any Android has: the settings. */
import { centreOf } from '../engine/ui-tree.ts'
import type { CheckBench } from './bench.ts'
import { Breach, LeftOut } from './breach.ts'
import type { Check } from './check.ts'
import { expectData, failsWith, succeeds } from './judge-step.ts'
import {
  fieldOf,
  labelsOf,
  lookAt,
  lookUntil,
  openSettings,
  rowText,
  type SeenScreen,
  uniqueText,
} from './settings-screen.ts'

const onSettings = (
  id: string,
  rule: string,
  asks: string,
  act: (bench: CheckBench, screen: SeenScreen) => Promise<string>,
): Check => ({
  id,
  rule,
  asks,
  run: async bench => act(bench, await openSettings(bench)),
})

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

const openApp: Check = {
  id: 'open-app',
  rule: '`open_app` brings the application to the front before it is answered.',
  asks: 'the settings, from the home screen',
  async run(bench) {
    const { packageName } = await openSettings(bench)
    await succeeds(bench, { type: 'press_key', params: { key: 'home' } })
    const step = await succeeds(bench, { type: 'open_app', params: { applicationId: packageName } })
    expectData(step, 'application_id', packageName)
    const waited = await succeeds(bench, {
      type: 'wait_for_navigation',
      params: { expectedPackage: packageName, timeoutMs: 1_000 },
    })
    expectData(waited, 'resolved_package', packageName)
    return `${packageName} came to the front.`
  },
}

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

/** Opens a row of the settings, and hands out the screen before. */
const clickRow = async (bench: CheckBench): Promise<SeenScreen> => {
  const before = await openSettings(bench)
  const matcher = { textEquals: rowText(before) }
  expectData(await succeeds(bench, { type: 'click', params: { matcher } }), 'click_type', 'default')
  if (await lookUntil(bench, seen => labelsOf(seen) !== labelsOf(before))) return before
  throw new Breach(
    'The click is said to be a success, and the screen stayed as it was.',
    'Click the nearest ancestor that is clickable, or its middle.',
  )
}

const click: Check = {
  id: 'click',
  rule: '`click` on a text reaches the row around it.',
  asks: 'a row of the settings that opens another screen and switches nothing',
  async run(bench) {
    await clickRow(bench)
    return 'The row opened another screen.'
  },
}

const repeated: Check = {
  id: 'repeated-request-runs-once',
  rule: 'A request that arrives again, with the same wire id and nonce, is not performed again; the app may repeat its answer.',
  asks: '`press_key` back on the second screen of the settings, broadcast twice: the first screen must stay',
  async run(bench) {
    const first = await clickRow(bench)
    const isFirst = (seen: SeenScreen) => labelsOf(seen) === labelsOf(first)
    const request = bench.request([{ type: 'press_key', params: { key: 'back' } }])
    await bench.answerTo(await bench.send(request))
    if (!(await lookUntil(bench, isFirst))) {
      throw new LeftOut('The settings do not go back to their first screen, so that a second step back cannot be seen.')
    }
    await bench.send(request)
    // Performed in its turn, the repetition comes before this.
    await succeeds(bench, { type: 'sleep', params: { durationMs: 1_000 } })
    if (isFirst(await lookAt(bench))) return 'It was performed once.'
    throw new Breach(
      'It was performed twice.',
      'Remember the wire ids of the last requests, and perform none of them again.',
    )
  },
}

const swipe = onSettings(
  'swipe',
  '`swipe` takes two points in pixels and says how long it took.',
  'a short swipe in the middle of the settings',
  async (bench, { tree }) => {
    const [root] = tree.roots
    if (!root) throw new LeftOut('The settings have no window.')
    const start = centreOf(root.bounds)
    const end = { x: start.x, y: Math.round(start.y * 0.8) }
    expectData(await succeeds(bench, { type: 'swipe', params: { start, end, durationMs: 300 } }), 'duration_ms', '300')
    return 'The swipe was performed.'
  },
)

const demandList = ({ nodes }: SeenScreen) => {
  if (!nodes.some(({ node }) => node.scrollable)) throw new LeftOut('The settings show nothing that scrolls.')
}

const scroll = onSettings(
  'scroll',
  '`scroll` moves the list and says so.',
  'one scroll down in the settings',
  async (bench, screen) => {
    demandList(screen)
    const step = await succeeds(bench, { type: 'scroll', params: { direction: 'down' } })
    expectData(step, 'direction', 'down')
    if (step.data.scroll_outcome === 'moved' || step.data.scroll_outcome === 'edge_reached')
      return `Answered ${step.data.scroll_outcome}.`
    throw new Breach(`scroll_outcome is ${JSON.stringify(step.data.scroll_outcome)}.`, 'Answer moved or edge_reached.')
  },
)

const scrollUntil = onSettings(
  'scroll-until',
  '`scroll_until` ends with target_found at a node that is on the screen.',
  'a text that is on the screen already',
  async (bench, screen) => {
    demandList(screen)
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
    demandList(screen)
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
  ...[snapshot, many, openApp, waitForNode, readText, validator, click, repeated, swipe, scroll, scrollUntil],
  ...[scrollUntilMissing, enterText],
]

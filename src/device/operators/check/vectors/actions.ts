/** Vectors of the actions that answer without an effect on the screen: some need the settings in front. */
import { asDocumented, failure, success } from '../judges.ts'
import { fieldOf, listOf, rowText, uniqueText } from '../settings-screen.ts'
import { ask, type RequestVector, type Vector } from '../vector.ts'

/** No app, node or scheme is called so. */
const NOBODY = 'com.example.svc.check.nobody'
const NOWHERE = { matcher: { textEquals: 'svc operator check: no such text' } }
const ONCE = { retry: { maxAttempts: 1 } }

const fails = (id: string, action: { [type: string]: object }, code: string, asks: string): RequestVector => {
  const [[type, params] = ['', {}]] = Object.entries(action)
  const rule = `\`${type}\` fails with ${code} where it does not find what it needs.`
  return { id, rule, asks, requests: [ask(type, params, failure(code))] }
}

const missingNode = (type: string, params: object) =>
  fails(
    `${type.replaceAll('_', '-')}-missing-node`,
    { [type]: { ...params, ...ONCE } },
    'NODE_NOT_FOUND',
    'a text that no screen shows',
  )

const overlay = (type: string, params: object): RequestVector => ({
  id: type.replaceAll('_', '-'),
  rule: `\`${type}\` is performed, or fails with a documented code where the phone does not allow it.`,
  asks: `one \`${type}\``,
  requests: [ask(type, params, asDocumented(type))],
})

/** They need no certain screen. */
export const STEP_VECTORS: readonly Vector[] = [
  missingNode('click', NOWHERE),
  missingNode('read_text', NOWHERE),
  missingNode('read_key_value_pair', { labelMatcher: NOWHERE.matcher }),
  missingNode('wait_for_node', { ...NOWHERE, timeoutMs: 300 }),
  missingNode('enter_text', { ...NOWHERE, text: 'x' }),
  fails('open-app-missing', { open_app: { applicationId: NOBODY } }, 'APP_NOT_FOUND', `the application \`${NOBODY}\``),
  fails(
    'open-uri-unhandled',
    { open_uri: { uri: 'svc-operator-check-nobody:x' } },
    'URI_NOT_HANDLED',
    'a URI whose scheme no app handles',
  ),
  fails(
    'wait-for-navigation-missing',
    { wait_for_navigation: { expectedPackage: NOBODY, timeoutMs: 500 } },
    'NAVIGATION_TIMEOUT',
    `the application \`${NOBODY}\` within 500 ms`,
  ),
  fails(
    'scroll-and-click-missing',
    { scroll_and_click: { ...NOWHERE, maxSwipes: 1, ...ONCE } },
    'TARGET_NOT_FOUND',
    'a text that no screen shows, with at most one swipe',
  ),
  overlay('show_toast', { text: 'svc operator check äß 世界' }),
  overlay('cancel_toast', {}),
  overlay('set_on_screen_log', { text: 'svc operator check on {{device.model}}' }),
  overlay('clear_on_screen_log', {}),
]

const SNAPSHOTS = 8
const TYPED = 'svc äß 世界'

/** Actions that read the settings, a screen that any Android has, and look for nodes on it. */
export const SCREEN_VECTORS: readonly Vector[] = [
  {
    id: 'snapshot',
    rule: '`snapshot` holds the XML hierarchy of the window in front, and its package.',
    asks: 'a snapshot of the settings',
    on: 'settings',
    requests: [],
    held: (_, { nodes, packageName }) => `The hierarchy has ${nodes.length} nodes on the screen, of ${packageName}.`,
  },
  {
    id: 'many-snapshots-in-one-result',
    rule: 'A result of many chunks comes whole: the log is written no faster than it is kept.',
    asks: `${SNAPSHOTS} snapshots in one request`,
    on: 'settings',
    requests: [
      {
        actions: Array.from({ length: SNAPSHOTS }, () => ({ type: 'snapshot' })),
        judge: success(undefined, 'Take each snapshot anew, also of a screen that is still.'),
      },
    ],
    held: ([answer]) => `${Buffer.byteLength(answer?.text ?? '')} bytes came in ${answer?.chunks} chunks.`,
  },
  {
    id: 'wait-for-node',
    rule: '`wait_for_node` succeeds at once for a node that is there, with its label.',
    asks: 'a text of the settings that one node alone has',
    on: 'settings',
    requests(screen) {
      const { text } = uniqueText(screen).node
      const matcher = { textEquals: text }
      return [ask('wait_for_node', { matcher, timeoutMs: 3_000 }, success({ label: text }))]
    },
    held: 'The node was found.',
  },
  {
    id: 'read-text',
    rule: '`read_text` reads the text of the node, and `count` is the number of nodes.',
    asks: 'a text of the settings, by `textContains`',
    on: 'settings',
    requests(screen) {
      const { text } = uniqueText(screen).node
      return [ask('read_text', { matcher: { textEquals: text } }, success({ text, count: '1' }))]
    },
    held: 'The text was read.',
  },
  {
    id: 'read-text-validator',
    rule: '`read_text` fails with VALIDATOR_MISMATCH for a text that its validator does not match.',
    asks: 'a text of the settings, and a pattern that it does not match',
    on: 'settings',
    requests(screen) {
      const matcher = { textEquals: uniqueText(screen).node.text }
      const validation = { validator: 'regex', validatorPattern: '^svc-operator-check-nothing$' }
      return [ask('read_text', { matcher, ...validation, ...ONCE }, failure('VALIDATOR_MISMATCH'))]
    },
  },
  {
    id: 'scroll-until',
    rule: '`scroll_until` ends with target_found at a node that is on the screen.',
    asks: 'a text that is on the screen already',
    on: 'settings',
    requests(screen) {
      listOf(screen)
      const found = success({ termination_reason: 'target_found' })
      return [ask('scroll_until', { matcher: { textEquals: rowText(screen) } }, found)]
    },
    held: 'The target was found.',
  },
  {
    id: 'scroll-until-missing',
    rule: '`scroll_until` fails with TARGET_NOT_FOUND when its scrolls are used up.',
    asks: 'a text that no screen shows, with at most one scroll',
    on: 'settings',
    requests(screen) {
      listOf(screen)
      return [ask('scroll_until', { ...NOWHERE, maxScrolls: 1, ...ONCE }, failure('TARGET_NOT_FOUND'))]
    },
  },
  {
    id: 'enter-text',
    rule: '`enter_text` puts the whole text into the field, whatever its script.',
    asks: 'the search field of the settings, where their first screen has one',
    on: 'settings',
    requests(screen) {
      const matcher = { resourceId: fieldOf(screen).resourceId }
      const judge = success({ text: TYPED })
      return [ask('enter_text', { matcher, text: TYPED }, judge), ask('read_text', { matcher }, judge)]
    },
    held: 'The field holds the text.',
  },
]

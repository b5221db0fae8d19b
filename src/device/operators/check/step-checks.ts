/** The checks of actions that need no certain screen. */
import type { Check } from './check.ts'
import { answersAsDocumented, failsWith } from './judge-step.ts'

/** No app, node or scheme is called so. */
const NOBODY = 'com.example.svc.check.nobody'
const NO_TEXT = 'svc operator check: no such text'
const NOWHERE = { matcher: { textEquals: NO_TEXT } }
const ONE_TRY = { maxAttempts: 1 }

interface FailureCheck {
  id: string
  action: { type: string; params: object }
  code: string
  asks: string
}

/** The action fails with that code. */
const failure = ({ id, action, code, asks }: FailureCheck): Check => ({
  id,
  rule: `\`${action.type}\` fails with ${code} where it does not find what it needs.`,
  asks,
  run: bench => failsWith(bench, action, code),
})

const NODE_ACTIONS = {
  click: NOWHERE,
  read_text: NOWHERE,
  read_key_value_pair: { labelMatcher: NOWHERE.matcher },
  wait_for_node: { ...NOWHERE, timeoutMs: 300 },
  enter_text: { ...NOWHERE, text: 'x' },
}

const missingNodes = Object.entries(NODE_ACTIONS).map(([type, params]) =>
  failure({
    id: `${type.replaceAll('_', '-')}-missing-node`,
    action: { type, params: { ...params, retry: ONE_TRY } },
    code: 'NODE_NOT_FOUND',
    asks: 'a text that no screen shows',
  }),
)

const missing: readonly Check[] = [
  failure({
    id: 'open-app-missing',
    action: { type: 'open_app', params: { applicationId: NOBODY } },
    code: 'APP_NOT_FOUND',
    asks: `the application \`${NOBODY}\``,
  }),
  failure({
    id: 'open-uri-unhandled',
    action: { type: 'open_uri', params: { uri: 'svc-operator-check-nobody:x' } },
    code: 'URI_NOT_HANDLED',
    asks: 'a URI whose scheme no app handles',
  }),
  failure({
    id: 'wait-for-navigation-missing',
    action: { type: 'wait_for_navigation', params: { expectedPackage: NOBODY, timeoutMs: 500 } },
    code: 'NAVIGATION_TIMEOUT',
    asks: `the application \`${NOBODY}\` within 500 ms`,
  }),
  failure({
    id: 'scroll-and-click-missing',
    action: { type: 'scroll_and_click', params: { ...NOWHERE, maxSwipes: 1, retry: ONE_TRY } },
    code: 'TARGET_NOT_FOUND',
    asks: 'a text that no screen shows, with at most one swipe',
  }),
]

const overlay = (type: string, params: object): Check => ({
  id: type.replaceAll('_', '-'),
  rule: `\`${type}\` is performed, or fails with a documented code where the phone does not allow it.`,
  asks: `one \`${type}\``,
  run: bench => answersAsDocumented(bench, { type, params }),
})

export const stepChecks: readonly Check[] = [
  ...missingNodes,
  ...missing,
  overlay('show_toast', { text: 'svc operator check äß 世界' }),
  overlay('cancel_toast', {}),
  overlay('set_on_screen_log', { text: 'svc operator check on {{device.model}}' }),
  overlay('clear_on_screen_log', {}),
]

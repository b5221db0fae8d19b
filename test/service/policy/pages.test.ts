/** What the policy says of the pages in web views: reading is a look, and a script is allowed by its name alone. */
import { expect, test } from 'vitest'
import type { Caller, Policy } from '../../../src/contracts/policy.ts'
import { actsOf, evaluatePolicy, firstRefusal, needsRule } from '../../../src/service/policy/evaluate-policy.ts'

const PLACE = { applicationId: 'com.example', page: 'A' }
const SCRIPT = {
  id: 's',
  type: 'page_script',
  params: { ...PLACE, script: '', args: '[]', isAsync: false, timeoutMs: 1 },
} as const
const READ = { id: 'r', type: 'read_page', params: { ...PLACE, read: 'source' } } as const
const CHANGE = { id: 'c', type: 'change_page', params: { ...PLACE, change: 'back' } } as const
const NONE: Policy = { default: 'allow', rules: [] }

const decided = (action: typeof SCRIPT | typeof READ | typeof CHANGE, caller: Caller, policy = NONE) =>
  actsOf(action).map(act => evaluatePolicy(policy, { ...act, caller, devices: ['d1'], package: 'com.example' }))[0]

test.each(['cli', 'webdriver'] as const)('a script of %s needs no rule', caller => {
  expect(decided(SCRIPT, caller)).toEqual({ effect: 'allow' })
})

test.each(['http', 'mcp', 'skill', 'flow'] as const)('a script of %s needs a rule that names it', caller => {
  const rule = (actions?: string[]): Policy => ({
    default: 'allow',
    rules: [{ id: 'r', effect: 'allow', ...(actions ? { actions } : {}) }],
  })
  expect(decided(SCRIPT, caller)).toMatchObject({ effect: 'deny', code: 'SHELL_DENIED' })
  for (const wide of [rule(), rule(['*']), rule(['page_*']), rule(['shell'])])
    expect(decided(SCRIPT, caller, wide)).toMatchObject({ effect: 'deny', code: 'SHELL_DENIED' })
  expect(decided(SCRIPT, caller, rule(['page_script']))).toEqual({ effect: 'allow' })
})

const GO = { id: 'g', type: 'change_page', params: { ...PLACE, change: 'navigate' } } as const
const going = (uri: string, caller: Caller, policy = NONE) => {
  const action = { ...GO, params: { ...GO.params, uri } }
  const facts = { caller, devices: ['d1'], package: 'com.example' }
  return firstRefusal(
    actsOf(action).map(act => ({ ...facts, ...act })),
    each => evaluatePolicy(policy, each),
  )?.verdict
}

test.each([
  'data:text/html,<script>document.title=6*7</script>',
  'DATA:text/html,x',
  'file:///etc/hostname',
  'blob:https://example.com/1',
  'filesystem:https://example.com/temporary/a',
  'about:srcdoc',
  'view-source:https://example.com/',
  'chrome://crash',
  'content://com.example/notes',
])('a page goes to %s only for those who may run scripts', uri => {
  expect(needsRule({ ...GO, params: { ...GO.params, uri } })).toBe(true)
  for (const caller of ['http', 'mcp', 'skill', 'flow'] as const)
    expect(going(uri, caller)).toMatchObject({ effect: 'deny', code: 'SHELL_DENIED' })
  const both = ['change_page', 'page_script']
  const named: Policy = { default: 'deny', rules: [{ id: 'r', effect: 'allow', actions: both }] }
  expect(going(uri, 'http', named)).toBeUndefined()
  expect(going(uri, 'webdriver')).toBeUndefined()
})

test.each(['https://example.com/', 'HTTP://127.0.0.1/', 'about:blank'])('a page goes to %s for everybody', uri => {
  expect(needsRule({ ...GO, params: { ...GO.params, uri } })).toBe(false)
  expect(going(uri, 'mcp')).toBeUndefined()
})

test.each([
  [READ, 'snapshot'],
  [READ, 'read_text'],
  [CHANGE, 'click'],
  [CHANGE, 'open_uri'],
  [SCRIPT, 'enter_text'],
  [SCRIPT, 'read_page'],
] as const)('%j is denied where %s is', (action, denied) => {
  const policy: Policy = { default: 'allow', rules: [{ id: 'no', effect: 'deny', actions: [denied] }] }
  expect(decided(action, 'webdriver', policy)).toMatchObject({ effect: 'deny', rule: 'no', contained: denied })
})

/** `svc read`, `svc read-value`, `svc wait`, `svc wait-for-nav`, `svc sleep`; of those that wait, `--timeout` is the time of the action. */

import { defined } from '../../../contracts/json/json.ts'
import { NAVIGATION_TIMEOUT_MS, WAIT_FOR_NAVIGATION_MS, WAIT_FOR_NODE_MS } from '../../../contracts/limits/limits.ts'
import { argumentOr } from '../command.ts'
import {
  CONTAINER_FLAGS,
  containerOf,
  type FlatCommand,
  matcherOf,
  misuse,
  SELECTOR_FLAGS,
  SELECTOR_HINT,
} from './command.ts'
import { matcherOfWords, NODE_ARGUMENT, neededSelector } from './short-selector.ts'

export const read: FlatCommand = {
  type: 'read_text',
  path: ['read'],
  shape: 'svc read (<label> | <@ref> | <selector>) [--all] [<container selector>]',
  summary: 'read the text of a node',
  args: [NODE_ARGUMENT],
  flags: [
    ...SELECTOR_FLAGS,
    { name: 'all', summary: 'every match, as a JSON array', param: 'all' },
    ...CONTAINER_FLAGS,
  ],
  examples: [
    'svc read @12.7',
    'svc read --id com.example:id/price',
    'svc read --role text --all --container-id com.example:id/list',
  ],
  params: call => ({ matcher: neededSelector(call, read), container: containerOf(call, read) }),
}

export const readValue: FlatCommand = {
  type: 'read_key_value_pair',
  path: ['read-value'],
  shape: 'svc read-value (<label> | <@ref> | --label <text> | --label-id <id> | --label-desc <text>) [--all]',
  summary: 'read the value beside a label',
  args: [
    {
      name: 'label',
      shape: '[label|@ref]',
      summary: 'exactly this label (--label), or a ref (--label-ref)',
      rest: true,
    },
  ],
  flags: [
    { name: 'label', value: 'text', summary: 'the label is exactly this' },
    { name: 'label-id', value: 'id', summary: 'the label has exactly this resource id' },
    { name: 'label-desc', value: 'text', summary: 'the label has exactly this content description' },
    { name: 'label-ref', value: 'ref', summary: 'the label of a compact snapshot, such as @12.7' },
    { name: 'all', summary: 'every label that matches', param: 'all' },
  ],
  examples: ['svc read-value "Android version"', 'svc read-value --label-id com.example:id/total'],
  params(call) {
    const byFlags = defined({
      textEquals: call.text('label'),
      resourceId: call.text('label-id'),
      contentDescEquals: call.text('label-desc'),
      ref: call.text('label-ref'),
    })
    const flags = ['label', 'label-id', 'label-desc', 'label-ref']
    const byWords = matcherOfWords(call, readValue, { words: call.args, flags, labelFlag: 'label' })
    if (!byWords && Object.keys(byFlags).length === 0) throw misuse(readValue, 'a label is missing')
    return { labelMatcher: byWords ?? byFlags }
  },
}

export const wait: FlatCommand = {
  type: 'wait_for_node',
  path: ['wait'],
  shape: 'svc wait (<label> | <@ref> | <selector>) [--gone] [--timeout <ms>]',
  summary: 'wait until a node is on the screen, or gone',
  args: [NODE_ARGUMENT],
  details: 'Here --timeout is how long to look for the node, 1-120000 ms (default 10000).',
  flags: [...SELECTOR_FLAGS, { name: 'gone', summary: 'wait until no such node is on the screen' }],
  examples: [
    'svc wait Settings',
    'svc wait "About phone" --timeout 5000',
    'svc wait --id com.example:id/done --timeout 30000',
    'svc wait --role progress --gone',
  ],
  timeout: WAIT_FOR_NODE_MS,
  params: call => ({ matcher: neededSelector(call, wait), state: call.isOn('gone') ? 'gone' : undefined }),
}

export const waitForNav: FlatCommand = {
  type: 'wait_for_navigation',
  path: ['wait-for-nav'],
  shape: 'svc wait-for-nav (<package> | --app <package> | <selector>) [--timeout <ms>]',
  summary: 'wait until an application, or a node, is in the foreground',
  details: 'Here --timeout is how long to wait for it, 1-30000 ms (default 15000).',
  args: [{ name: 'package', summary: 'the application to wait for, as --app', kind: 'app' }],
  flags: [{ name: 'app', value: 'package', summary: 'the application to wait for' }, ...SELECTOR_FLAGS],
  examples: ['svc wait-for-nav com.android.settings', 'svc wait-for-nav --text "About phone" --timeout 5000'],
  timeout: { ...WAIT_FOR_NAVIGATION_MS, default: NAVIGATION_TIMEOUT_MS.default },
  params(call) {
    const expectedNode = matcherOf(call, waitForNav)
    const expectedPackage = argumentOr(call, 'app', `The application is given twice: ${waitForNav.shape}`)
    if (expectedPackage === undefined && expectedNode === undefined) {
      throw misuse(waitForNav, '--app or a selector is missing', SELECTOR_HINT)
    }
    return { expectedPackage, expectedNode }
  },
}

export const sleep: FlatCommand = {
  type: 'sleep',
  path: ['sleep'],
  shape: 'svc sleep <ms>',
  summary: 'wait for a fixed time',
  details: 'Prefer svc wait: it ends as soon as the node is there.',
  args: [{ name: 'ms', summary: 'milliseconds, 0-120000', required: true, param: 'durationMs', isNumber: true }],
  examples: ['svc sleep 500'],
}

/** `svc wait`, `svc wait-for-nav`, `svc sleep`: here `--timeout` is the time of the action, and the execution gets more. */
import { NAVIGATION_TIMEOUT_MS, WAIT_FOR_NAVIGATION_MS, WAIT_FOR_NODE_MS } from '../../contracts/limits.ts'
import { accepted, type FlatCall, type FlatCommand, given, type Result, usage } from './command.ts'
import { numberOf, timeoutAround, wholeNumberWithin } from './numbers.ts'
import { matcherOf, neededMatcher, SELECTOR_FLAGS, SELECTOR_HINT } from './selectors.ts'

const actionTimeout = (call: FlatCall, range: { min: number; max: number }, otherwise: number): Result<number> => {
  const text = call.text('timeout')
  const named = { field: 'actions.0.params.timeoutMs', from: '--timeout' }
  return text === undefined ? accepted(otherwise) : wholeNumberWithin(text, named, range)
}

export const wait: FlatCommand = {
  path: ['wait'],
  shape: 'svc wait <selector> [--timeout <ms>]',
  summary: 'wait until a node is on the screen',
  details: 'Here --timeout is how long to look for the node, 1-120000 ms (default 10000).',
  flags: SELECTOR_FLAGS,
  examples: ['svc wait --text "Settings"', 'svc wait --id com.example:id/done --timeout 30000'],
  draft(call) {
    const matcher = neededMatcher(call, wait)
    if (!matcher.ok) return matcher
    const timeoutMs = actionTimeout(call, WAIT_FOR_NODE_MS, WAIT_FOR_NODE_MS.default)
    if (!timeoutMs.ok) return timeoutMs
    const params = { matcher: matcher.value, timeoutMs: timeoutMs.value }
    return accepted({ type: 'wait_for_node', params, timeoutMs: timeoutAround(timeoutMs.value) })
  },
}

export const waitForNav: FlatCommand = {
  path: ['wait-for-nav'],
  shape: 'svc wait-for-nav (--app <package> | <selector>) [--timeout <ms>]',
  summary: 'wait until an application, or a window with a node, is in front',
  details: 'Here --timeout is how long to wait for it, 1-30000 ms (default 15000).',
  flags: [{ name: 'app', value: 'package', summary: 'the application that comes to the front' }, ...SELECTOR_FLAGS],
  examples: ['svc wait-for-nav --app com.android.settings', 'svc wait-for-nav --text "About phone" --timeout 5000'],
  draft(call) {
    const expectedNode = matcherOf(call, waitForNav)
    if (!expectedNode.ok) return expectedNode
    const expectedPackage = call.text('app')
    if (expectedPackage === undefined && expectedNode.value === undefined) {
      return usage(waitForNav, '--app or a selector is missing', SELECTOR_HINT)
    }
    const timeoutMs = actionTimeout(call, WAIT_FOR_NAVIGATION_MS, NAVIGATION_TIMEOUT_MS.default)
    if (!timeoutMs.ok) return timeoutMs
    const params = given({ expectedPackage, expectedNode: expectedNode.value, timeoutMs: timeoutMs.value })
    return accepted({ type: 'wait_for_navigation', params, timeoutMs: timeoutAround(timeoutMs.value) })
  },
}

export const sleep: FlatCommand = {
  path: ['sleep'],
  shape: 'svc sleep <ms>',
  summary: 'let the device rest',
  details: 'Prefer svc wait: how long an application needs is not known beforehand.',
  args: [{ name: 'ms', summary: 'milliseconds, 0-120000', required: true }],
  examples: ['svc sleep 500'],
  draft(call) {
    const [text = ''] = call.args
    const durationMs = numberOf(text, { field: 'actions.0.params.durationMs', from: '<ms>' })
    if (!durationMs.ok) return durationMs
    const isTimed = call.text('timeout') !== undefined
    const timeoutMs = isTimed ? undefined : timeoutAround(durationMs.value)
    return accepted({ type: 'sleep', params: { durationMs: durationMs.value }, timeoutMs })
  },
}

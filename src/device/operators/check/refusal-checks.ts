/** The checks of requests that an operator app cannot perform, and of the end of its time. */
import type { CheckBench } from './bench.ts'
import { Breach } from './breach.ts'
import type { Check } from './check.ts'
import { codeOf } from './judge-envelope.ts'

const INVALID = 'EXECUTION_VALIDATION_FAILED'
const UNSUPPORTED = 'EXECUTION_ACTION_UNSUPPORTED'
const NOTHING = { type: 'sleep', params: { durationMs: 0 } }
const TIMEOUT_MS = 5_000

/** Broadcasts what `spoil` makes of a valid request, and expects one of the codes. */
const refused = async (
  bench: CheckBench,
  codes: readonly string[],
  spoil: (valid: object) => string,
): Promise<string> => {
  const valid = bench.request([NOTHING], { timeoutMs: TIMEOUT_MS })
  const { commandId, taskId, nonce } = valid
  const { envelope } = await bench.answerTo(
    await bench.sendText(spoil(valid), { commandId, taskId, nonce }, TIMEOUT_MS),
  )
  const code = codeOf(envelope)
  if (envelope.status === 'failed' && code !== undefined && codes.includes(code)) return `Refused with ${code}.`
  throw new Breach(
    `The request was answered with ${code ?? envelope.status}.`,
    `Answer it with status failed and ${codes.join(' or ')}, and perform none of it.`,
  )
}

const withAction = (action: object) => (valid: object) => JSON.stringify({ ...valid, actions: [action] })

const unknownType: Check = {
  id: 'refuses-unknown-action',
  rule: `An action type that the app does not know is answered with ${INVALID} or ${UNSUPPORTED}.`,
  asks: 'the action `svc_check_unknown`',
  run: bench => refused(bench, [INVALID, UNSUPPORTED], withAction({ id: 'x', type: 'svc_check_unknown', params: {} })),
}

const hostType: Check = {
  id: 'refuses-host-action',
  rule: `An action that only a host performs is answered with ${INVALID} or ${UNSUPPORTED}.`,
  asks: '`take_screenshot`, which a host never sends',
  run: bench => refused(bench, [INVALID, UNSUPPORTED], withAction({ id: 'x', type: 'take_screenshot', params: {} })),
}

const invalidParams: Check = {
  id: 'refuses-invalid-params',
  rule: `Params that break the schema of their action are answered with ${INVALID}.`,
  asks: 'a `sleep` whose `durationMs` is the text `soon`',
  run: bench => refused(bench, [INVALID], withAction({ id: 'x', type: 'sleep', params: { durationMs: 'soon' } })),
}

const noActions: Check = {
  id: 'refuses-empty-list',
  rule: `A request without actions is answered with ${INVALID}.`,
  asks: '`actions: []`',
  run: bench => refused(bench, [INVALID], valid => JSON.stringify({ ...valid, actions: [] })),
}

const otherVersion: Check = {
  id: 'refuses-other-version',
  rule: `A request of another version of the protocol is answered with ${INVALID}.`,
  asks: '`protocol: 2`',
  run: bench => refused(bench, [INVALID], valid => JSON.stringify({ ...valid, protocol: 2 })),
}

/** The ids are whole, and the rest is not. */
const cutOff = (valid: object) => {
  const { commandId, taskId, nonce } = valid as Record<string, string>
  return `${JSON.stringify({ commandId, taskId, nonce }).slice(0, -1)},"actions":[{"id":`
}

const notJson: Check = {
  id: 'refuses-broken-json',
  rule: `A payload that is not JSON is answered with ${INVALID}, with the ids as far as they can be read in its text.`,
  asks: 'a payload that is cut off behind its ids',
  run: bench => refused(bench, [INVALID], cutOff),
}

const LEVELS = 2_000

const deep: Check = {
  id: 'refuses-deep-nesting',
  rule: `A payload that nests deeper than any valid one is answered with ${INVALID}, and ends nothing.`,
  asks: 'params of 2,000 arrays within each other',
  run: bench =>
    refused(bench, [INVALID], valid =>
      JSON.stringify({ ...valid, actions: [{ id: 'x', type: 'sleep', params: 'HERE' }] }).replace(
        '"HERE"',
        '['.repeat(LEVELS) + ']'.repeat(LEVELS),
      ),
    ),
}

const SHORT_MS = 1_000
const LONG_SLEEP_MS = 120_000

const timeout: Check = {
  id: 'ends-at-timeout',
  rule: 'A request that is not done when its `timeoutMs` is over fails then, and the app is free for the next one.',
  asks: 'a `sleep` of 120 s with a `timeoutMs` of 1,000, then another request',
  async run(bench) {
    const actions = [{ type: 'sleep', params: { durationMs: LONG_SLEEP_MS } }]
    const { envelope, tookMs } = await bench.ask(actions, { timeoutMs: SHORT_MS })
    if (envelope.status !== 'failed') {
      throw new Breach(
        'The sleep is said to be a success.',
        'Fail the step that is under way when `timeoutMs` is over.',
      )
    }
    const next = await bench.ask([NOTHING])
    if (next.envelope.status === 'success') return `It failed with ${codeOf(envelope)} after ${Math.round(tookMs)} ms.`
    throw new Breach(
      `The next request failed with ${codeOf(next.envelope)}.`,
      'Take new requests after one whose time is over.',
    )
  },
}

export const refusalChecks: readonly Check[] = [
  unknownType,
  hostType,
  invalidParams,
  noActions,
  otherVersion,
  notJson,
  deep,
  timeout,
]

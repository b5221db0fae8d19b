/** Vectors of how requests and results travel by broadcast and log, and of what is refused. */
import type { OperatorRequest } from '../../../../contracts/device/operator.ts'
import { CHUNK_BYTES, COMMAND_BYTES_MAX, RESULT_LINE_BYTES } from '../../../../contracts/limits/limits.ts'
import { pause } from '../../../../runtime/clock.ts'
import type { Answer } from '../bench.ts'
import { demand } from '../breach.ts'
import { codeOf } from '../judge-envelope.ts'
import { refusal, success } from '../judges.ts'
import type { RequestVector, Vector } from '../vector.ts'

export const NOTHING = { type: 'sleep', params: { durationMs: 0 } }
const STEPS_MANY = 50
/** Two to four bytes a character, so that chunks cut some of them apart. */
const wideId = (at: number) => `${at}-${'世界äß😀'.repeat(16)}`

/** Its result has some 20 KB, on any screen. */
export const LARGE_RESULT = Array.from({ length: STEPS_MANY }, (_, at) => ({ ...NOTHING, id: wideId(at) }))

/** Its first step succeeds and its second finds nothing; no command line holds it. */
export const LARGE_REQUEST = [
  NOTHING,
  ...Array.from({ length: STEPS_MANY - 1 }, () => ({
    type: 'read_text',
    params: { matcher: { textEquals: '無'.repeat(512) } },
  })),
]

/** A JSON encoder, a shell or a log may spoil it. */
const ODD_TEXT =
  '"quotes" \'apos\' \\ back $(x) `y` %s {{z}}\n\ttab \u0001\u001b\u007f\u2028 äß 世界 😀 e\u0301 \u202eعربي'

const came = ({ chunks, text, tookMs }: Answer) =>
  `${Buffer.byteLength(text)} bytes ${chunks === 0 ? 'on one line' : `in ${chunks} chunks`} after ${Math.round(tookMs)} ms`

const number = (count: number) => count.toLocaleString('en')

export const MESSAGE_VECTORS: readonly Vector[] = [
  {
    id: 'answers-broadcast',
    rule: 'A broadcast request is answered in the log within its `timeoutMs` and 5,000 ms.',
    asks: 'one `sleep` of 0 ms by broadcast',
    requests: [{ actions: [NOTHING], judge: success({}) }],
    held: answers => `The answer came, ${answers.map(came)}.`,
  },
  {
    id: 'keeps-odd-text',
    rule: '`taskId` and the `id` of a step come back unchanged, whatever characters they hold.',
    asks: 'quotes, backslashes, control characters, a line separator, emoji and right-to-left text in both',
    requests: [{ actions: [{ ...NOTHING, id: ODD_TEXT }], taskId: ODD_TEXT }],
    held: 'All characters came back as they were sent.',
  },
  {
    id: 'segments-of-one-execution',
    rule: 'The segments of one execution are requests of their own: each has its own wire id and nonce.',
    asks: 'the wire ids `<id>.0` and `<id>.2` with different nonces',
    requests: [{ actions: [NOTHING] }, { actions: [NOTHING], segment: 2 }],
    held: 'Each segment was answered with its own ids.',
  },
  {
    id: 'large-result-in-chunks',
    rule: `A result over ${number(RESULT_LINE_BYTES)} bytes comes in chunks of at most ${number(CHUNK_BYTES)} bytes, in order, with its length and digest.`,
    asks: '50 steps whose ids hold characters of several bytes',
    requests: [{ actions: LARGE_RESULT }],
    held: answers => `The result came whole, ${answers.map(came)}.`,
  },
  {
    id: 'reads-payload-file',
    rule: `A request whose command is longer than ${number(COMMAND_BYTES_MAX)} bytes is read from the file that the extra \`payloadFile\` names.`,
    asks: '50 steps with matchers of 512 wide characters; the second step finds no node',
    requests: [
      {
        actions: LARGE_REQUEST,
        judge({ envelope }) {
          demand(
            envelope.stepResults.length === 2,
            `The request was answered with ${codeOf(envelope) ?? 'success'} and ${envelope.stepResults.length} steps.`,
            'Read the file with the rights of the app: it is in /data/local/tmp, and everybody may read it. The second step finds no node.',
          )
          return 'The file was read, and the list ended at its second step.'
        },
      },
    ],
  },
  {
    id: 'two-requests-at-once',
    rule: 'Requests that arrive together are each answered, with their own ids.',
    asks: 'two broadcasts right after each other, each with a result in chunks',
    requests: ['one', 'two'].map(taskId => ({ actions: LARGE_RESULT, taskId })),
    together: true,
    held: 'Both came whole.',
  },
]

const INVALID = 'EXECUTION_VALIDATION_FAILED'
const UNSUPPORTED = 'EXECUTION_ACTION_UNSUPPORTED'
const LEVELS = 2_000

/** In place of members of a valid request. */
export const withMembers = (members: object) => (valid: OperatorRequest) => JSON.stringify({ ...valid, ...members })

const withAction = (type: string, params: unknown) => withMembers({ actions: [{ id: 'x', type, params }] })

const deep = (valid: OperatorRequest) =>
  withAction('sleep', 'HERE')(valid).replace('"HERE"', '['.repeat(LEVELS) + ']'.repeat(LEVELS))

/** The ids are whole, and the rest is not. */
const cutOff = ({ commandId, taskId, nonce }: OperatorRequest) =>
  `${JSON.stringify({ commandId, taskId, nonce }).slice(0, -1)},"actions":[{"id":`

interface Refused {
  id: string
  /** Begins the rule, up to "answered with". */
  what: string
  asks: string
  payload: (valid: OperatorRequest) => string
  codes?: readonly string[]
  /** Follows the codes in the rule. */
  more?: string
}

const refused = ({ id, what, asks, payload, codes = [INVALID], more = '' }: Refused): RequestVector => ({
  id,
  rule: `${what} answered with ${codes.join(' or ')}${more}.`,
  asks,
  requests: [{ actions: [NOTHING], timeoutMs: 5_000, payload, judge: refusal(...codes) }],
})

export const REFUSAL_VECTORS: readonly Vector[] = [
  refused({
    id: 'refuses-unknown-action',
    what: 'An action type that the app does not know is',
    asks: 'the action `svc_check_unknown`',
    payload: withAction('svc_check_unknown', {}),
    codes: [INVALID, UNSUPPORTED],
  }),
  refused({
    id: 'refuses-host-action',
    what: 'An action that only a host performs is',
    asks: '`take_screenshot`, which a host never sends',
    payload: withAction('take_screenshot', {}),
    codes: [INVALID, UNSUPPORTED],
  }),
  refused({
    id: 'refuses-invalid-params',
    what: 'Params that break the schema of their action are',
    asks: 'a `sleep` whose `durationMs` is the text `soon`',
    payload: withAction('sleep', { durationMs: 'soon' }),
  }),
  refused({
    id: 'refuses-empty-list',
    what: 'A request without actions is',
    asks: '`actions: []`',
    payload: withMembers({ actions: [] }),
  }),
  refused({
    id: 'refuses-other-version',
    what: 'A request of another version of the protocol is',
    asks: '`protocol: 2`',
    payload: withMembers({ protocol: 2 }),
  }),
  refused({
    id: 'refuses-broken-json',
    what: 'A payload that is not JSON is',
    asks: 'a payload that is cut off behind its ids',
    payload: cutOff,
    more: ', with the ids as far as they can be read in its text',
  }),
  refused({
    id: 'refuses-deep-nesting',
    what: 'A payload that nests deeper than any valid one is',
    asks: 'params of 2,000 arrays within each other',
    payload: deep,
    more: ', and ends nothing',
  }),
  {
    id: 'ends-at-timeout',
    rule: 'A request that is not done when its `timeoutMs` is over fails then, and the app is free for the next one.',
    asks: 'a `sleep` of 120 s with a `timeoutMs` of 1,000, then another request',
    requests: [
      {
        actions: [{ type: 'sleep', params: { durationMs: 120_000 } }],
        timeoutMs: 1_000,
        judge({ envelope }) {
          const remedy = 'Fail the step that is under way when `timeoutMs` is over.'
          demand(envelope.status === 'failed', 'The sleep is said to be a success.', remedy)
          return undefined
        },
      },
      { actions: [NOTHING], judge: success(undefined, 'Take new requests after one whose time is over.') },
    ],
    held: ([late]) => (late ? `It failed with ${codeOf(late.envelope)} after ${Math.round(late.tookMs)} ms.` : ''),
  },
]

const SETTLE_MS = 1_000

/** After all others. */
export const CLOSING_VECTORS: readonly Vector[] = [
  {
    id: 'answers-once',
    rule: 'Each request is answered once, and nothing follows a whole answer.',
    asks: 'nothing more: all answers of the other checks are counted',
    async run(bench) {
      await pause(bench.clock, SETTLE_MS, bench.signal)
      const counts = await bench.counts()
      for (const { answers, times } of counts) {
        const wasSent = times === 1 ? 'once' : `${times} times`
        const came = `A request was answered ${answers} times where it was sent ${wasSent}.`
        demand(answers <= times, came, 'Write each result once.')
      }
      const answered = counts.filter(({ answers }) => answers > 0).length
      return `Of ${counts.length} requests, ${answered} were answered in the log, none too often.`
    },
  },
  {
    id: 'log-lines-well-formed',
    rule: 'Every line under the tag that begins with `[Svc-Result` is a result or a chunk of the documented form.',
    asks: 'nothing more: all lines of the other checks are read',
    async run(bench) {
      const malformed = (await bench.log()).malformed()
      if (malformed !== undefined) throw malformed
      return 'Every line was read.'
    },
  },
]

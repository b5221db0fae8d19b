/** The checks of how requests and results travel by broadcast and log. */
import { CHUNK_BYTES, COMMAND_BYTES_MAX, RESULT_LINE_BYTES } from '../../../contracts/limits/limits.ts'
import { pause } from '../../../runtime/clock.ts'
import { broadcastCommand } from '../app/wire/broadcast.ts'
import type { Answer } from './await-answer.ts'
import type { CheckBench } from './bench.ts'
import { Breach } from './breach.ts'
import type { Check } from './check.ts'
import { codeOf, judgeStepData } from './judge-envelope.ts'

const NOTHING = { type: 'sleep', params: { durationMs: 0 } }
const STEPS_MANY = 50
/** Two to four bytes a character, so that chunks cut some of them apart. */
const wideId = (at: number) => `${at}-${'世界äß😀'.repeat(16)}`

/** Its result has some 20 KB, on any screen. */
export const largeResult = Array.from({ length: STEPS_MANY }, (_, at) => ({ ...NOTHING, id: wideId(at) }))

/** What a JSON encoder, a shell or a log may spoil. */
const ODD_TEXT =
  '"quotes" \'apos\' \\ back $(x) `y` %s {{z}}\n\ttab \u0001\u001b\u007f\u2028 äß 世界 😀 e\u0301 \u202eعربي'

export const isSuccess = ({ envelope }: Answer): Answer['envelope'] => {
  if (envelope.status === 'success') return envelope
  throw new Breach(
    `The answer is a failure: ${codeOf(envelope)}: ${envelope.error?.message}`,
    codeOf(envelope) === 'SERVICE_UNAVAILABLE'
      ? 'Switch on the accessibility service of the operator app, then check again.'
      : 'Perform the steps of this request, and report them as successes.',
  )
}

const came = ({ chunks, text, tookMs }: Answer) =>
  `${Buffer.byteLength(text)} bytes ${chunks === 0 ? 'on one line' : `in ${chunks} chunks`} after ${Math.round(tookMs)} ms`

const answers: Check = {
  id: 'answers-broadcast',
  rule: 'A broadcast request is answered in the log within its `timeoutMs` and 5,000 ms.',
  asks: 'one `sleep` of 0 ms by broadcast',
  async run(bench) {
    const answer = await bench.ask([NOTHING])
    isSuccess(answer).stepResults.forEach(judgeStepData)
    return `The answer came, ${came(answer)}.`
  },
}

const oddText: Check = {
  id: 'keeps-odd-text',
  rule: '`taskId` and the `id` of a step come back unchanged, whatever characters they hold.',
  asks: 'quotes, backslashes, control characters, a line separator, emoji and right-to-left text in both',
  async run(bench) {
    isSuccess(await bench.ask([{ ...NOTHING, id: ODD_TEXT }], { taskId: ODD_TEXT }))
    return 'All characters came back as they were sent.'
  },
}

const long: Check = {
  id: 'large-result-in-chunks',
  rule: `A result over ${RESULT_LINE_BYTES.toLocaleString('en')} bytes comes in chunks of at most ${CHUNK_BYTES.toLocaleString('en')} bytes, in order, with its length and digest.`,
  asks: '50 steps whose ids hold characters of several bytes',
  async run(bench) {
    const answer = await bench.ask(largeResult)
    isSuccess(answer)
    return `The result came whole, ${came(answer)}.`
  },
}

/** Its first step succeeds and its second finds nothing. */
const largeRequest = [
  NOTHING,
  ...Array.from({ length: STEPS_MANY - 1 }, () => ({
    type: 'read_text',
    params: { matcher: { textEquals: '無'.repeat(512) } },
  })),
]

const fromFile: Check = {
  id: 'reads-payload-file',
  rule: `A request whose command is longer than ${COMMAND_BYTES_MAX.toLocaleString('en')} bytes is read from the file that the extra \`payloadFile\` names.`,
  asks: '50 steps with matchers of 512 wide characters; the second step finds no node',
  async run(bench) {
    const request = bench.request(largeRequest)
    if (!broadcastCommand(bench.operatorPackage, request).file) throw new Error('the large request fits a command line')
    const { envelope } = await bench.answerTo(await bench.send(request))
    if (envelope.stepResults.length === 2) return 'The file was read, and the list ended at its second step.'
    throw new Breach(
      `The request was answered with ${codeOf(envelope) ?? 'success'} and ${envelope.stepResults.length} steps.`,
      'Read the file with the rights of the app: it is in /data/local/tmp, and everybody may read it. The second step finds no node.',
    )
  },
}

const together: Check = {
  id: 'two-requests-at-once',
  rule: 'Requests that arrive together are each answered, with their own ids.',
  asks: 'two broadcasts right after each other, each with a result in chunks',
  async run(bench) {
    const requests = [bench.request(largeResult, { taskId: 'one' }), bench.request(largeResult, { taskId: 'two' })]
    const sent = []
    for (const request of requests) sent.push(await bench.send(request))
    for (const one of sent) isSuccess(await bench.answerTo(one))
    return 'Both came whole.'
  },
}

const segments: Check = {
  id: 'segments-of-one-execution',
  rule: 'The segments of one execution are requests of their own: each has its own wire id and nonce.',
  asks: 'the wire ids `<id>.0` and `<id>.2` with different nonces',
  async run(bench) {
    const first = bench.request([NOTHING])
    const second = { ...bench.request([NOTHING]), commandId: first.commandId.replace(/0$/, '2') }
    for (const request of [first, second]) isSuccess(await bench.answerTo(await bench.send(request)))
    return 'Each segment was answered with its own ids.'
  },
}

export const messageChecks: readonly Check[] = [answers, oddText, segments, long, fromFile, together]

const SETTLE_MS = 1_000

const countAnswered = async (bench: CheckBench): Promise<number> => {
  let answered = 0
  for (const [wireId, { times }] of bench.sent()) {
    const count = await bench.answersOf(wireId)
    if (count > times) {
      throw new Breach(
        `A request was answered ${count} times where it was sent ${times === 1 ? 'once' : `${times} times`}.`,
        'Write each result once.',
      )
    }
    if (count > 0) answered += 1
  }
  return answered
}

const once: Check = {
  id: 'answers-once',
  rule: 'Each request is answered once, and nothing follows a whole answer.',
  asks: 'nothing more: all answers of the other checks are counted',
  async run(bench) {
    await pause(bench.clock, SETTLE_MS, bench.signal)
    return `Of ${bench.sent().size} requests, ${await countAnswered(bench)} were answered in the log, none too often.`
  },
}

const lines: Check = {
  id: 'log-lines-well-formed',
  rule: 'Every line under the tag that begins with `[Svc-Result` is a result or a chunk of the documented form.',
  asks: 'nothing more: all lines of the other checks are read',
  async run(bench) {
    const malformed = (await bench.log()).malformed()
    if (malformed) throw malformed
    return 'Every line was read.'
  },
}

/** After all others. */
export const closingChecks: readonly Check[] = [once, lines]

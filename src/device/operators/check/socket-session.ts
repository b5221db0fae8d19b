/** A session socket of the operator app, read frame by frame. */

import type { OperatorRequest } from '../../../contracts/device/operator.ts'
import { isObject } from '../../../contracts/json/json.ts'
import { ENVELOPE_GRACE_MS, OPERATOR_PROTOCOL } from '../../../contracts/limits/limits.ts'
import { pause } from '../../../runtime/clock.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import { LinkError } from '../../link/link.ts'
import { encodeFrame, frameCutter, isFor, parseJson } from '../app/wire/messages.ts'
import { type CheckBench, expectedOf, type Sent, type Wire } from './bench.ts'
import { Breach, demand, LeftOut, quoted } from './breach.ts'
import { type Expected, judgeEnvelope } from './judge-envelope.ts'
import { PROGRESS_CHARS_MAX, PROGRESS_KEPT_MAX, type ProgressReport } from './judge-progress.ts'

export interface SocketSession extends Wire {
  /** Of the app, as its greeting has it. */
  version: string
  /** The capabilities in the greeting, those of later versions among them. */
  capabilities: readonly string[]
  /** To be called before a request leaves by `write`; `send` does both. */
  expect(request: OperatorRequest, payload?: string): Sent
  write(bytes: Uint8Array): Promise<void>
  /** The progress of a request so far. */
  progressOf(sent: Sent): readonly ProgressReport[]
  /** Asks about a request: the frame that answers. */
  ask(name: RequestName): Promise<Frame>
  /** The answer to a question that leaves by `write`. */
  question(commandId: string): Promise<Frame>
}

type Frame = Readonly<Record<string, unknown>>
type RequestName = Pick<OperatorRequest, 'commandId' | 'nonce'>

const OPEN_MS = 5_000
const GREETING_MS = 2_000
/** In which a second answer would come. */
const QUIET_MS = 200
const QUESTION_MS = 5_000

export const executeFrame = (payload: unknown): Uint8Array => encodeFrame({ type: 'execute', payload })

export const questionFrame = ({ commandId, nonce }: RequestName): Uint8Array =>
  encodeFrame({ type: 'result?', commandId, nonce })

/** The first answer to each request, and how many came, and its progress: no other frame is kept, however many an app sends. */
const frameReader = () => {
  const answers = new Map<string, { expected: Expected; first?: unknown; count: number; progress: ProgressReport[] }>()
  let greeting: { text: string; frame: Frame } | undefined
  let question: { commandId: string; answer?: Frame } | undefined
  /** True for the answer to the open question. */
  const isAnswer = (frame: Frame, { commandId }: { commandId?: unknown }): boolean => {
    if (!question || question.answer || question.commandId !== commandId) return false
    question.answer = frame
    return true
  }
  return {
    ask(commandId: string) {
      question = { commandId }
    },
    answer: () => question?.answer,
    progressOf: ({ commandId }: Expected) => answers.get(commandId)?.progress ?? [],
    expect: (expected: Expected) => void answers.set(expected.commandId, { expected, count: 0, progress: [] }),
    /** Frames that a later version may send are let pass, as a host does. Throws a Breach. */
    take(text: string) {
      const frame = parseJson(text)?.value
      demand(
        isObject(frame),
        `A frame is not a JSON object: ${quoted(text)}.`,
        'Send the length of the UTF-8 JSON in 4 big-endian bytes, then exactly that many bytes.',
      )
      if (greeting === undefined) greeting = { text, frame }
      if (frame.type === 'running' || frame.type === 'unknown') isAnswer(frame, frame)
      if (frame.type === 'progress') {
        for (const [wireId, { progress, count }] of answers)
          if (text.includes(wireId) && progress.length < PROGRESS_KEPT_MAX)
            progress.push({ value: text.length > PROGRESS_CHARS_MAX ? undefined : frame, isBehindResult: count > 0 })
      }
      if (frame.type !== 'result') return
      const { envelope } = frame
      demand(
        isObject(envelope),
        `The envelope of a result frame is not an object: ${quoted(text)}.`,
        'Send {"type":"result","envelope":{...}} with the documented members.',
      )
      for (const [wireId, mine] of answers) {
        if (isFor(envelope, { wireId, nonce: mine.expected.nonce })) {
          if (mine.count > 0 && isAnswer(frame, envelope)) return
          mine.count += 1
          mine.first ??= envelope
          return
        }
      }
      if (isAnswer(frame, envelope)) return
      demand(
        ![...answers.keys()].some(wireId => text.includes(wireId)),
        'A result frame names the request with other ids.',
        'Copy commandId and nonce of the request unchanged.',
      )
    },
    greeting: () => greeting,
    answersTo: ({ commandId }: Expected) => answers.get(commandId),
  }
}

const connect = async (bench: CheckBench) => {
  const link = await bench.link()
  const service = `localabstract:${bench.operatorPackage}`
  try {
    return { link, socket: await link.socket(service, bench.within(OPEN_MS)) }
  } catch (error) {
    if (!(error instanceof LinkError) || error.code !== 'LINK_SOCKET_REFUSED') throw error
    throw new LeftOut(`The app does not listen on ${service}; the session socket is optional.`)
  }
}

/** Opens a session for this work alone. */
export const inSession = async <T>(bench: CheckBench, work: (session: SocketSession) => Promise<T>): Promise<T> => {
  const { clock, signal, operatorPackage } = bench
  const { link, socket } = await connect(bench)
  const reader = frameReader()
  let ended: string | undefined
  let breach: Breach | undefined
  const follow = async () => {
    const cutter = frameCutter()
    try {
      for await (const bytes of socket.chunks) for (const text of cutter.push(bytes)) reader.take(text)
      ended = 'the app closed the socket'
    } catch (error) {
      if (error instanceof Breach) breach = error
      ended = messageOf(error)
    }
  }
  void follow()

  /** Null once no further frame will come. */
  const waitFor = <T>(find: () => T | undefined, ms: number) =>
    bench.poll(ms, () => {
      const found = find()
      if (found !== undefined) return found
      if (breach) throw breach
      if (link.lost.aborted) throw link.lost.reason
      return ended === undefined ? undefined : null
    })

  const greet = async (): Promise<Pick<SocketSession, 'version' | 'capabilities'>> => {
    const greeting = await waitFor(reader.greeting, GREETING_MS)
    const hello = greeting?.frame
    const isHello = hello?.type === 'hello' && hello.protocol === OPERATOR_PROTOCOL && hello.package === operatorPackage
    demand(
      isHello && typeof hello.version === 'string',
      greeting ? `The greeting is ${quoted(greeting.text)}.` : `No greeting came within ${GREETING_MS} ms.`,
      `Send {"type":"hello","protocol":${OPERATOR_PROTOCOL},"package":${JSON.stringify(operatorPackage)},"version":"<of the app>"} as the first frame.`,
    )
    const { version, capabilities = [] } = hello
    demand(
      Array.isArray(capabilities) && capabilities.every(capability => typeof capability === 'string'),
      `The greeting is ${quoted(greeting?.text ?? '')}.`,
      'Send `capabilities` as a list of names, such as ["progress", "results"], or leave them out.',
    )
    return { version, capabilities }
  }

  const write = (bytes: Uint8Array) => socket.write(bytes)
  const expect: SocketSession['expect'] = (request, payload) => {
    const expected = expectedOf(request, payload)
    reader.expect(expected)
    return { expected, timeoutMs: request.timeoutMs, at: clock.elapsed() }
  }
  const question = async (commandId: string): Promise<Frame> => {
    reader.ask(commandId)
    const answer = await waitFor(reader.answer, QUESTION_MS)
    demand(
      answer,
      `No answer to the question came within ${QUESTION_MS} ms.`,
      'Answer `result?` at once with result, running or unknown, over the same socket.',
    )
    return answer
  }
  const session = (greeting: Pick<SocketSession, 'version' | 'capabilities'>): SocketSession => ({
    ...{ ...greeting, expect, write, question },
    progressOf: ({ expected }) => reader.progressOf(expected),
    async ask(name) {
      const [answer] = await Promise.all([question(name.commandId), write(questionFrame(name))])
      return answer
    },
    async send(request, payload) {
      const sent = expect(request, payload)
      await write(executeFrame(payload === undefined ? request : JSON.parse(payload)))
      return sent
    },
    async answerTo({ expected, timeoutMs, at }) {
      const findAnswers = () => {
        const found = reader.answersTo(expected)
        return found?.count ? found : undefined
      }
      const answers = await waitFor(findAnswers, timeoutMs + ENVELOPE_GRACE_MS)
      demand(
        answers,
        `No result frame came within ${timeoutMs + ENVELOPE_GRACE_MS} ms${ended === undefined ? '' : `: ${ended}`}.`,
        'Answer a request that came over the socket with {"type":"result","envelope":...} on the same socket.',
      )
      const tookMs = clock.elapsed() - at
      await pause(clock, QUIET_MS, signal)
      if (breach) throw breach
      demand(answers.count === 1, 'The result came twice.', 'Send each result once.')
      return { envelope: judgeEnvelope(answers.first, expected), text: '', chunks: 0, tookMs }
    },
  })

  try {
    return await work(session(await greet()))
  } finally {
    socket.close()
  }
}

/** A session socket of the operator app, read frame by frame. */

import type { OperatorRequest } from '../../../contracts/device/operator.ts'
import { isObject } from '../../../contracts/json/json.ts'
import { ENVELOPE_GRACE_MS, OPERATOR_PROTOCOL } from '../../../contracts/limits/limits.ts'
import { pause } from '../../../runtime/clock.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import { type Link, LinkError } from '../../link/link.ts'
import { encodeFrame, frameCutter, isFor, parseJson } from '../app/wire/messages.ts'
import type { CheckBench } from './bench.ts'
import { Breach, LeftOut, quoted } from './breach.ts'
import { type Expected, judgeEnvelope, type StrictEnvelope } from './judge-envelope.ts'

export interface SocketSession {
  /** Of the app, as its greeting has it. */
  version: string
  /** To be called before the request leaves. */
  expect(expected: Expected): void
  write(bytes: Uint8Array): Promise<void>
  /** The one answer to a request that was expected; a second one, or a frame that is none, is a Breach. */
  answerTo(expected: Expected, timeoutMs: number): Promise<StrictEnvelope>
  close(): void
}

const OPEN_MS = 5_000
const GREETING_MS = 2_000
/** In which a second answer would come. */
const QUIET_MS = 200
const POLL_MS = 10

export const executeFrame = (payload: unknown): Uint8Array => encodeFrame({ type: 'execute', payload })

type Frame = Readonly<Record<string, unknown>>

const framed = (text: string): Frame => {
  const json = parseJson(text)
  if (json && isObject(json.value)) return json.value
  throw new Breach(
    `A frame is not a JSON object: ${quoted(text)}.`,
    'Send the length of the UTF-8 JSON in 4 big-endian bytes, then exactly that many bytes.',
  )
}

/** The first answer to each request, and how many came: no other frame is kept, however many an app sends. */
const frameReader = () => {
  const answers = new Map<string, { expected: Expected; first?: unknown; count: number }>()
  let greeting: { text: string; frame: Frame } | undefined

  const takeResult = (text: string, { envelope }: Frame) => {
    if (!isObject(envelope)) {
      throw new Breach(
        `The envelope of a result frame is not an object: ${quoted(text)}.`,
        'Send {"type":"result","envelope":{...}} with the documented members.',
      )
    }
    const mine = [...answers.values()].find(({ expected }) =>
      isFor(envelope, { wireId: expected.commandId, nonce: expected.nonce }),
    )
    if (mine) {
      mine.count += 1
      if (mine.count === 1) mine.first = envelope
    } else if ([...answers.keys()].some(wireId => text.includes(wireId))) {
      throw new Breach(
        'A result frame names the request with other ids.',
        'Copy commandId and nonce of the request unchanged.',
      )
    }
  }

  return {
    expect: (expected: Expected) => void answers.set(expected.commandId, { expected, count: 0 }),
    /** Frames that a later version may send are let pass, as a host does. Throws a Breach. */
    take(text: string) {
      const frame = framed(text)
      if (greeting === undefined) greeting = { text, frame }
      else if (frame.type === 'result') takeResult(text, frame)
    },
    greeting: () => greeting,
    answersTo: ({ commandId }: Expected) => answers.get(commandId),
  }
}

const connect = async (bench: CheckBench, link: Link) => {
  const service = `localabstract:${bench.operatorPackage}`
  try {
    return await link.socket(service, bench.within(OPEN_MS))
  } catch (error) {
    if (!(error instanceof LinkError) || error.code !== 'LINK_SOCKET_REFUSED') throw error
    throw new LeftOut(`The app does not listen on ${service}; the session socket is optional.`)
  }
}

export const openSession = async (bench: CheckBench): Promise<SocketSession> => {
  const { clock, signal, operatorPackage } = bench
  const link = await bench.link()
  const socket = await connect(bench, link)
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

  /** Polls: frames come from a stream that nobody else reads. */
  const waitFor = async <T>(find: () => T | undefined, ms: number): Promise<T | undefined> => {
    const until = clock.elapsed() + ms
    for (;;) {
      const found = find()
      if (found !== undefined) return found
      if (breach) throw breach
      if (link.lost.aborted) throw link.lost.reason
      if (ended !== undefined || clock.elapsed() >= until) return undefined
      await pause(clock, POLL_MS, signal)
      signal.throwIfAborted()
    }
  }

  const greet = async (): Promise<string> => {
    const greeting = await waitFor(reader.greeting, GREETING_MS)
    const hello = greeting?.frame
    const isHello = hello?.type === 'hello' && hello.protocol === OPERATOR_PROTOCOL && hello.package === operatorPackage
    if (isHello && typeof hello.version === 'string') return hello.version
    throw new Breach(
      greeting ? `The greeting is ${quoted(greeting.text)}.` : `No greeting came within ${GREETING_MS} ms.`,
      `Send {"type":"hello","protocol":${OPERATOR_PROTOCOL},"package":${JSON.stringify(operatorPackage)},"version":"<of the app>"} as the first frame.`,
    )
  }

  const version = await greet().catch((error: unknown) => {
    socket.close()
    throw error
  })

  return {
    version,
    expect: reader.expect,
    write: bytes => socket.write(bytes),
    async answerTo(expected, timeoutMs) {
      const findAnswers = () => {
        const found = reader.answersTo(expected)
        return found?.count ? found : undefined
      }
      const answers = await waitFor(findAnswers, timeoutMs + ENVELOPE_GRACE_MS)
      if (!answers) {
        throw new Breach(
          `No result frame came within ${timeoutMs + ENVELOPE_GRACE_MS} ms${ended === undefined ? '' : `: ${ended}`}.`,
          'Answer a request that came over the socket with {"type":"result","envelope":...} on the same socket.',
        )
      }
      await pause(clock, QUIET_MS, signal)
      if (breach) throw breach
      if (answers.count > 1) throw new Breach('The result came twice.', 'Send each result once.')
      return judgeEnvelope(answers.first, expected)
    },
    close: () => socket.close(),
  }
}

/** Opens a session for this work alone. */
export const inSession = async <T>(bench: CheckBench, work: (session: SocketSession) => Promise<T>): Promise<T> => {
  const session = await openSession(bench)
  try {
    return await work(session)
  } finally {
    session.close()
  }
}

export const askSession = async (session: SocketSession, request: OperatorRequest): Promise<StrictEnvelope> => {
  session.expect(request)
  await session.write(executeFrame(request))
  return session.answerTo(request, request.timeoutMs)
}

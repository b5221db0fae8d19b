/** A session socket of the operator app, read frame by frame. */
import { type Link, LinkError } from '../../adb/link.ts'
import { ENVELOPE_GRACE_MS, OPERATOR_PROTOCOL } from '../../contracts/limits.ts'
import type { OperatorRequest } from '../../contracts/operator.ts'
import { pause } from '../../runtime/clock.ts'
import { messageOf } from '../../runtime/message-of.ts'
import { encodeFrame, frameCutter, isFor, parseJson } from '../wire/messages.ts'
import type { CheckBench } from './bench.ts'
import { Breach, LeftOut, quoted } from './breach.ts'
import { type Expected, judgeEnvelope, type StrictEnvelope } from './judge-envelope.ts'

export interface SocketSession {
  /** Of the app, as its greeting has it. */
  version: string
  write(bytes: Uint8Array): Promise<void>
  /** The one answer to this request; a second one, or a frame that is none, is a Breach. */
  answerTo(expected: Expected, timeoutMs: number): Promise<StrictEnvelope>
  close(): void
}

const OPEN_MS = 5_000
const GREETING_MS = 2_000
/** In which a second answer would come. */
const QUIET_MS = 200
const POLL_MS = 10

export const executeFrame = (payload: unknown): Uint8Array => encodeFrame({ type: 'execute', payload })

const framed = (
  text: string,
): { type?: unknown; envelope?: unknown; protocol?: unknown; package?: unknown; version?: unknown } => {
  const json = parseJson(text)
  if (json && typeof json.value === 'object' && json.value !== null) return json.value
  throw new Breach(
    `A frame is not a JSON object: ${quoted(text)}.`,
    'Send the length of the UTF-8 JSON in 4 big-endian bytes, then exactly that many bytes.',
  )
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
  const frames: string[] = []
  let ended: string | undefined
  const follow = async () => {
    const cutter = frameCutter()
    try {
      for await (const bytes of socket.chunks) frames.push(...cutter.push(bytes))
      ended = 'the app closed the socket'
    } catch (error) {
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
      if (link.lost.aborted) throw link.lost.reason
      if (ended !== undefined || clock.elapsed() >= until) return undefined
      await pause(clock, POLL_MS, signal)
      signal.throwIfAborted()
    }
  }

  const greeting = await waitFor(() => frames[0], GREETING_MS)
  const hello = greeting === undefined ? undefined : framed(greeting)
  const isHello = hello?.type === 'hello' && hello.protocol === OPERATOR_PROTOCOL && hello.package === operatorPackage
  if (!isHello || typeof hello.version !== 'string') {
    socket.close()
    throw new Breach(
      greeting === undefined ? `No greeting came within ${GREETING_MS} ms.` : `The greeting is ${quoted(greeting)}.`,
      `Send {"type":"hello","protocol":${OPERATOR_PROTOCOL},"package":${JSON.stringify(operatorPackage)},"version":"<of the app>"} as the first frame.`,
    )
  }

  /** What a later version may send is let pass, as a host does. */
  const resultsFor = (expected: Expected): string[] =>
    frames.flatMap(text => {
      const { type, envelope } = framed(text)
      if (type !== 'result') return []
      const isMine = isFor(envelope, { wireId: expected.commandId, nonce: expected.nonce })
      if (!isMine && JSON.stringify(envelope ?? null).includes(expected.commandId)) {
        throw new Breach(
          'A result frame names the request with other ids.',
          'Copy commandId and nonce of the request unchanged.',
        )
      }
      return isMine ? [JSON.stringify(envelope)] : []
    })

  return {
    version: hello.version,
    write: bytes => socket.write(bytes),
    async answerTo(expected, timeoutMs) {
      const text = await waitFor(() => resultsFor(expected)[0], timeoutMs + ENVELOPE_GRACE_MS)
      if (text === undefined) {
        throw new Breach(
          `No result frame came within ${timeoutMs + ENVELOPE_GRACE_MS} ms${ended === undefined ? '' : `: ${ended}`}.`,
          'Answer a request that came over the socket with {"type":"result","envelope":...} on the same socket.',
        )
      }
      await pause(clock, QUIET_MS, signal)
      if (resultsFor(expected).length > 1) throw new Breach('The result came twice.', 'Send each result once.')
      return judgeEnvelope(text, expected)
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
  await session.write(executeFrame(request))
  return session.answerTo(request, request.timeoutMs)
}

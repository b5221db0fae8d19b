/** The session sockets of one device by operator package: kept open, and not asked for again too soon where there is none. */

import type { OperatorCapability, OperatorRequest } from '../../../../contracts/device/operator.ts'
import { ENVELOPE_BYTES_MAX, OPERATOR_PROTOCOL } from '../../../../contracts/limits/limits.ts'
import type { Clock } from '../../../../runtime/clock.ts'
import { messageOf } from '../../../../runtime/message-of.ts'
import { type Deferred, deferred } from '../../../link/bounded.ts'
import { type CallOptions, type Link, LinkError } from '../../../link/link.ts'
import type { Awaited } from '../segment-request.ts'
import { encodeFrame, frameCutter, malformed, readFrame } from '../wire/messages.ts'
import type { OnStepEnd } from '../wire/progress.ts'
import { linkLost, type ResultWaitEnd } from './log-waits.ts'
import { answerOf, createQuestions, type QuestionAnswer, unanswered } from './questions.ts'

export interface OperatorSocket {
  readonly link: Link
  /** The capabilities in the greeting that this version knows. */
  readonly capabilities: readonly OperatorCapability[]
  isOpen(): boolean
  /** Sends the request and waits for its result; the outcome is unknown when the socket ends before that. Never rejects. */
  execute(request: OperatorRequest, onStepEnd?: OnStepEnd): Promise<ResultWaitEnd>
  /** Asks what became of a request; for an operator with the capability `results`. Never rejects. */
  ask(awaited: Awaited, options: CallOptions): Promise<QuestionAnswer>
  /** Nobody waits for that result any more. */
  forget(wireId: string): void
  close(): void
}

/** An operator greets at once; a socket that says nothing belongs to something else. */
const HELLO_MS = 2_000
/** Until then nobody knows who speaks there. */
const HELLO_BYTES_MAX = 16 * 1_024

interface OpenSocket {
  link: Link
  clock: Clock
  operatorPackage: string
}

/** Undefined when nobody who speaks this protocol listens there; rejects with LinkError when the device cannot be asked. */
const openSocket = async (
  { link, clock, operatorPackage }: OpenSocket,
  options: CallOptions,
): Promise<OperatorSocket | undefined> => {
  const socket = await link.socket(`localabstract:${operatorPackage}`, options).catch((error: unknown) => {
    if (error instanceof LinkError && error.code === 'LINK_SOCKET_REFUSED') return undefined
    throw error
  })
  if (!socket) return undefined
  const waits = new Map<
    string,
    { awaited: Awaited; ending: Deferred<ResultWaitEnd>; onStepEnd: OnStepEnd | undefined }
  >()
  const questions = createQuestions(clock, frame => socket.write(encodeFrame(frame)))
  const greeted = deferred<boolean>()
  let open = true
  let hasGreeted = false
  let capabilities: readonly OperatorCapability[] = []
  const cutter = frameCutter(ENVELOPE_BYTES_MAX)

  const settle = (wireId: string, ending: ResultWaitEnd) => {
    waits.get(wireId)?.ending.resolve(ending)
    waits.delete(wireId)
  }
  const hear = (text: string) => {
    const awaited = [...waits.values()].map(wait => wait.awaited)
    const frame = readFrame(text, questions.count() === 0 ? awaited : [...awaited, ...questions.awaited()])
    switch (frame?.kind) {
      case 'hello':
        hasGreeted = frame.protocol === OPERATOR_PROTOCOL && frame.package === operatorPackage
        capabilities = frame.capabilities
        greeted.resolve(hasGreeted)
        break
      case 'result':
        settle(frame.wireId, frame.result)
        questions.answer(frame.wireId, answerOf(frame.result))
        break
      case 'progress':
        waits.get(frame.wireId)?.onStepEnd?.(frame)
        break
      case 'running':
        questions.answer(frame.wireId, { kind: 'running', step: frame.step })
        break
      case 'unknown':
        questions.answer(frame.wireId, { kind: 'unknown' })
    }
  }
  const end = (ending: Exclude<ResultWaitEnd, { kind: 'done' }>) => {
    open = false
    socket.close()
    greeted.resolve(false)
    for (const wireId of [...waits.keys()]) settle(wireId, ending)
    questions.endAll(ending.reason)
  }
  const follow = async () => {
    try {
      let bytesHeard = 0
      for await (const bytes of socket.chunks) {
        cutter.push(bytes).forEach(hear)
        if (waits.size === 0 && questions.count() === 0 && !cutter.isInside()) socket.delayAcknowledgement?.()
        bytesHeard += bytes.length
        if (!hasGreeted && bytesHeard > HELLO_BYTES_MAX)
          throw new Error('the listener there did not send the operator protocol greeting')
      }
    } catch (error) {
      if (error instanceof RangeError) return end(malformed(error.message))
      return end(linkLost(messageOf(error)))
    }
    if (cutter.isInside() && !link.lost.aborted) return end(malformed('the session socket ended inside a frame'))
    end(linkLost('the operator closed its session socket'))
  }
  void follow()

  const timer = clock.at(Math.min(options.deadline, clock.now() + HELLO_MS), () => greeted.resolve(false))
  const leave = () => greeted.resolve(false)
  options.signal?.addEventListener('abort', leave, { once: true })
  const isOperator = await greeted.promise
  timer.cancel()
  options.signal?.removeEventListener('abort', leave)
  const close = () => end(linkLost('the session socket was closed'))
  if (!isOperator) {
    close()
    if (link.lost.aborted) throw link.lost.reason
    return undefined
  }
  const isOpen = () => open && !link.lost.aborted
  return {
    link,
    capabilities,
    isOpen,
    async ask(awaited, options) {
      const { wireId, nonce } = awaited
      const wait = waits.get(wireId)
      // The app would answer the result of that request, which is none for this nonce.
      if (wait && wait.awaited.nonce !== nonce) return { kind: 'unknown' }
      return isOpen() ? questions.ask(awaited, options) : unanswered('the session socket is closed')
    },
    execute(request, onStepEnd) {
      const { commandId: wireId, nonce } = request
      const ending = deferred<ResultWaitEnd>()
      waits.set(wireId, { awaited: { wireId, nonce }, ending, onStepEnd })
      socket.write(encodeFrame({ type: 'execute', payload: request })).catch((error: unknown) => {
        settle(wireId, linkLost(messageOf(error)))
      })
      return ending.promise
    },
    forget: wireId => void waits.delete(wireId),
    close,
  }
}

export interface Sockets {
  /** Undefined where no operator accepts sessions; rejects with LinkError when the device cannot be asked. */
  get(operatorPackage: string, options: CallOptions): Promise<OperatorSocket | undefined>
  /** The socket that is open now, if any. */
  current(operatorPackage: string): OperatorSocket | undefined
  close(): void
}

/** An operator without a session socket costs one round trip per this long. */
const ABSENT_MS = 30_000
/** A device has one operator; the names come from callers and may be many. */
const PACKAGES_MAX = 16
/** The time for an operator that neither accepts nor refuses. */
const OPEN_MS = 3_000

export const createSockets = (clock: Clock, link: (options: CallOptions) => Promise<Link>): Sockets => {
  const sockets = recentMap<string, OperatorSocket>(PACKAGES_MAX, socket => socket.close())
  const absentUntil = recentMap<string, number>(PACKAGES_MAX)

  const open = async (operatorPackage: string, options: CallOptions): Promise<OperatorSocket | undefined> => {
    const deadline = Math.min(options.deadline, clock.now() + OPEN_MS)
    try {
      return await openSocket({ link: await link(options), clock, operatorPackage }, { ...options, deadline })
    } catch (error) {
      if (error instanceof LinkError && error.code === 'LINK_TIMEOUT' && clock.now() < options.deadline)
        return undefined
      throw error
    }
  }

  return {
    async get(operatorPackage, options) {
      const known = sockets.get(operatorPackage)
      if (known?.isOpen()) return known
      sockets.delete(operatorPackage)
      if ((absentUntil.get(operatorPackage) ?? Number.NEGATIVE_INFINITY) > clock.elapsed()) return undefined
      const socket = await open(operatorPackage, options)
      if (socket) sockets.set(operatorPackage, socket)
      else if (!options.signal?.aborted) absentUntil.set(operatorPackage, clock.elapsed() + ABSENT_MS)
      return socket
    },
    current(operatorPackage) {
      const known = sockets.get(operatorPackage)
      return known?.isOpen() ? known : undefined
    },
    close() {
      for (const socket of sockets.values()) socket.close()
    },
  }
}

/** A map of bounded size that lets go of what was not used for the longest time. */
export const recentMap = <K, V>(sizeMax: number, onDropped: (value: V) => void = () => {}) => {
  const entries = new Map<K, V>()
  const get = (key: K) => {
    const value = entries.get(key)
    if (value !== undefined) {
      entries.delete(key)
      entries.set(key, value)
    }
    return value
  }
  return {
    get,
    set(key: K, value: V) {
      entries.delete(key)
      entries.set(key, value)
      const [oldest] = entries
      if (entries.size <= sizeMax || !oldest) return
      entries.delete(oldest[0])
      onDropped(oldest[1])
    },
    delete: (key: K) => void entries.delete(key),
    values: () => [...entries.values()],
  }
}

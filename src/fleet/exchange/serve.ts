/** Requests of other hosts to this process: each is handled at most once, whatever becomes of its messages. */
import { type Clock, pause, type Timer } from '../../runtime/clock.ts'
import { messageOf } from '../../runtime/message-of.ts'
import type { HttpAnswer } from '../../service/http-transport.ts'
import type { Names } from '../servers/names.ts'
import { CLOSE_MS, HANDLED_PER_PEER_MAX, REQUEST_BYTES_MAX, SWEEP_MS } from './limits.ts'
import { frame, partBytesFor, type Refusal, type ToAsker, type ToHost, toHostIn } from './messages.ts'
import { createOutbox } from './paced-sender.ts'
import { createRememberedRequests, type RememberedRequest, type State } from './remembered-requests.ts'
import { answerProblem, type FleetRequest, failureAnswer, type Progress } from './request.ts'
import type { Heard, Wire } from './wire.ts'

export interface HandleTools {
  progress(progress: Progress): void
  /** Aborts when nobody waits for the answer any more, or this host leaves. */
  signal: AbortSignal
  /** Aborts when the asker cancels its request. */
  cancelled: AbortSignal
  /** Aborts when the asker was silent for ASKER_SILENT_MS. It may come back. */
  silent: AbortSignal
}
export type Handle = (request: FleetRequest & { from: string }, tools: HandleTools) => Promise<HttpAnswer>

export interface ServeParts {
  wire: Wire
  names: Names
  self: string
  clock: Clock
  instance: string
  handle: Handle
  /** Hears of each message that is not understood. */
  onMalformed(): void
}

const LEFT_LOOK_MS = 20

const isPart = ({ answer, partBytes }: State & { kind: 'answered' }, part: number) =>
  part === 0 || part * partBytes < answer.body.length

export const serveRequests = ({ wire, names, self, clock, instance, handle, onMalformed }: ServeParts) => {
  const kept = createRememberedRequests(clock)
  const outbox = createOutbox(wire, clock)
  let isLeaving = false
  let sweeper: Timer | undefined

  const sweepLater = () => {
    sweeper ??= clock.at(
      clock.now() + SWEEP_MS,
      () => {
        sweeper = undefined
        if (kept.sweep()) sweepLater()
      },
      { idle: true },
    )
  }

  const say = (reply: string, head: ToAsker) => void wire.publish(reply, frame(head))
  const refuse = (reply: string, why: Refusal) => say(reply, { kind: 'refused', why, instance })
  /** Its asker counts on from this clock: how much time is left travels, and not the time on the wall of another machine. */
  const refuseLate = (reply: string) =>
    say(reply, { kind: 'refused', why: 'late', instance, now: Math.max(0, Math.round(kept.judgedAt())) })

  /** Made when its turn has come: its answer may be gone by then. */
  const sendPart = (request: RememberedRequest, part: number) => {
    const make = () => {
      if (request.state.kind !== 'answered') return frame({ kind: 'gone' })
      kept.touch(request)
      const { partBytes } = request.state
      const { body, ...answer } = request.state.answer
      const bytes = body.subarray(part * partBytes, (part + 1) * partBytes)
      const head: ToAsker =
        part === 0 ? { kind: 'answer', answer, bytes: body.length, partBytes } : { kind: 'part', part }
      return frame(head, bytes)
    }
    outbox.add(`${request.from} ${request.id} ${part}`, { reply: request.reply, make })
  }

  /** Tells the asker the state of its request. */
  const report = (request: RememberedRequest) => {
    const { state, reply } = request
    switch (state.kind) {
      case 'handled':
        return say(reply, { kind: 'taken', ...(state.progress ? { progress: state.progress } : {}) })
      case 'answered':
        return sendPart(request, 0)
      case 'gone':
        return say(reply, { kind: 'gone' })
      case 'cancelled':
        return refuse(reply, 'cancelled')
    }
  }

  const answered = (request: RememberedRequest, answer: HttpAnswer) => {
    const { status, headers } = answer
    const head = frame({ kind: 'answer', answer: { status, headers }, bytes: 0, partBytes: 0 })
    kept.become(request, { kind: 'answered', answer, partBytes: partBytesFor(wire.maxPayload(), head.length) })
    sendPart(request, 0)
  }

  const run = async (
    request: RememberedRequest,
    fleetRequest: FleetRequest & { from: string },
    ends: Omit<HandleTools, 'progress'>,
  ) => {
    const tools: HandleTools = {
      ...ends,
      progress(progress) {
        if (request.state.kind !== 'handled') return
        request.state.progress = progress
        report(request)
      },
    }
    let answer: HttpAnswer
    try {
      answer = await handle(fleetRequest, tools)
      const problem = answerProblem(answer)
      if (problem !== undefined) answer = failureAnswer('INTERNAL_ERROR', problem)
    } catch (error) {
      answer = failureAnswer('INTERNAL_ERROR', `The host could not handle the request: ${messageOf(error)}`)
    }
    answered(request, answer)
  }

  const take = (from: string, reply: string, { request: head, until }: ToHost & { kind: 'ask' }, bytes: Uint8Array) => {
    const { id } = head
    if (isLeaving) return refuse(reply, 'leaving')
    if (!kept.isInTime(until)) return refuseLate(reply)
    const abort = new AbortController()
    const cancel = new AbortController()
    const silence = new AbortController()
    const isBusy = kept.handledOf(from) >= HANDLED_PER_PEER_MAX
    const request = kept.add(from, id, { state: { kind: 'handled', abort, cancel, silence }, reply, until })
    if (!request) return refuse(reply, 'full')
    sweepLater()
    if (isBusy) {
      const message = `This host handles ${HANDLED_PER_PEER_MAX} requests of ${from} already. Try again.`
      return answered(request, failureAnswer('EXECUTION_CONFLICT_IN_FLIGHT', message, 503))
    }
    report(request)
    // The bytes are a view of what came in.
    void run(
      request,
      { ...head, body: Uint8Array.from(bytes), from },
      { signal: abort.signal, cancelled: cancel.signal, silent: silence.signal },
    )
  }

  const look = (from: string, reply: string, { id, until, cancel }: ToHost & { kind: 'look' }) => {
    const request = kept.find(from, id)
    if (request) {
      if (cancel && request.state.kind === 'handled') {
        request.state.cancel.abort()
        request.state.abort.abort()
      }
      return report(request)
    }
    if (!cancel) return say(reply, { kind: 'unknown' })
    if (!kept.isInTime(until)) return refuseLate(reply)
    // Should the request still be on its way, it is not taken.
    const fenced = kept.add(from, id, { state: { kind: 'cancelled' }, reply, until })
    if (!fenced) return refuse(reply, 'full')
    sweepLater()
    report(fenced)
  }

  const obey = (from: string, reply: string, head: ToHost, bytes: Uint8Array) => {
    const { id, instance: addressee } = head.kind === 'ask' ? head.request : head
    if (addressee !== instance) return refuse(reply, 'instance')
    const request = kept.find(from, id)
    if (request) {
      request.reply = reply
      request.heardAt = clock.elapsed()
      request.until = Math.max(request.until, head.until)
    }
    switch (head.kind) {
      case 'ask':
        return request ? report(request) : take(from, reply, head, bytes)
      case 'look':
        return look(from, reply, head)
      case 'fetch':
        if (!request) return say(reply, { kind: 'unknown' })
        if (request.state.kind !== 'answered') return report(request)
        return isPart(request.state, head.part) ? sendPart(request, head.part) : onMalformed()
      case 'done':
        if (!request || request.state.kind === 'handled') return
        request.keepMs = 0
        kept.become(request, { kind: 'gone' })
    }
  }

  /** An answer goes only where the peer itself listens: it may not have this host write anywhere else. */
  const isInboxOf = (from: string, reply: string | undefined): reply is string =>
    reply?.startsWith(`${names.inbox(from)}.`) === true && /^[\w.-]+$/.test(reply)

  const hear = ({ subject, data, reply }: Heard) => {
    const from = subject.slice(subject.lastIndexOf('.') + 1)
    const message = toHostIn(data)
    if (!message || !isInboxOf(from, reply)) return onMalformed()
    // By a clock that is far ahead of this one.
    if (kept.isTooFar(message.head.until)) return refuseLate(reply)
    if (message.bytes.length > (message.head.kind === 'ask' ? REQUEST_BYTES_MAX : 0)) return onMalformed()
    obey(from, reply, message.head, message.bytes)
  }

  const subscription = wire.subscribe(names.request(self, '*'), hear)

  const waitUntil = async (isSo: () => boolean, ms: number) => {
    const latest = clock.elapsed() + ms
    while (!isSo() && clock.elapsed() < latest) await pause(clock, LEFT_LOOK_MS)
  }

  return {
    /** Takes nothing more, and gives what is in the making, and then what was not fetched, a little time. */
    async close() {
      isLeaving = true
      await waitUntil(() => kept.handled().length === 0, CLOSE_MS.handled)
      for (const { state } of kept.handled()) if (state.kind === 'handled') state.abort.abort()
      await waitUntil(() => kept.unfetched() === 0 || !wire.isUp(), CLOSE_MS.fetched)
      subscription.close()
      sweeper?.cancel()
    },
  }
}

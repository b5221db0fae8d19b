/** One request to another host: sent until it is confirmed, looked for until it is answered, and ended in time. */
import type { Clock, Timer } from '../../runtime/clock.ts'
import type { HttpAnswer } from '../../service/http-transport.ts'
import { type Gathering, gather } from './answer-parts.ts'
import {
  ALIVE_MS,
  CANCEL_MS,
  DOWN_MS,
  LOOK_MS,
  NOBODY_MS,
  NOBODY_REPEAT_MS,
  NOT_ALIVE_MAX,
  OTHER_INSTANCE_MS,
  REPEAT_MS,
  STALL_MS,
} from './limits.ts'
import type { Framed, ToAsker, ToHost } from './messages.ts'
import type { Exchanged, Progress, RequestHead } from './request.ts'

export interface AskOptions {
  /** Cancels the request: an execution that it makes is cancelled, and what the host makes of that is waited for shortly. */
  signal?: AbortSignal | undefined
  /** True while the host still sends beats. */
  isAlive(): boolean
  onProgress?: ((progress: Progress) => void) | undefined
}

export interface AskParts {
  clock: Clock
  isUp(): boolean
  /** Sends to the host; replies to that sending come back with its number. False if it was certainly not sent. */
  send(message: ToHost, bytes: Uint8Array, sending: number): boolean
  finish(exchanged: Exchanged): void
}

const NO_BYTES = new Uint8Array()
/** The number of what is sent about a request: when nobody listens for that, it says nothing about the request. */
const NOT_THE_REQUEST = -1

export const startAsk = (request: RequestHead, body: Uint8Array, options: AskOptions, parts: AskParts) => {
  const { clock, isUp, send, finish } = parts
  const { signal, isAlive, onProgress } = options
  const { id, instance } = request
  const begun = clock.elapsed()
  let until = clock.now() + request.withinMs
  const about = () => ({ id, instance, until })
  let isLate = false
  let endAt = begun + request.withinMs
  let sendAt = begun
  let aliveAt = begun + ALIVE_MS
  let notAlive = 0
  let timer: Timer | undefined
  let isOver = false
  let sendings = 0
  /** Sendings of the request that somebody may have taken. */
  const open = new Set<number>()
  let nobodySince: number | undefined
  let accepted = false
  let progress: Progress | undefined
  let other: { instance: string; since: number } | undefined
  let answer: { head: Omit<HttpAnswer, 'body'>; gathering: Gathering } | undefined
  let stallMs: number = STALL_MS.first

  const settle = (exchanged: Exchanged) => {
    if (isOver) return
    isOver = true
    timer?.cancel()
    signal?.removeEventListener('abort', cancel)
    finish(exchanged)
  }

  const isUntaken = () => !accepted && open.size === 0

  const unanswered = (): Exchanged => {
    if (!isUntaken()) return { kind: 'unknown', accepted, ...(progress === undefined ? {} : { progress }) }
    if (other) return { kind: 'not sent', reason: 'other instance', instance: other.instance }
    return { kind: 'not sent', reason: isLate ? 'late' : 'absent' }
  }

  const sendRequest = () => {
    const sending = sendings++
    open.add(sending)
    const withinMs = Math.max(0, Math.round(endAt - clock.elapsed()))
    if (!send({ kind: 'ask', until, request: { ...request, withinMs } }, body, sending)) open.delete(sending)
    sendAt = clock.elapsed() + REPEAT_MS
  }

  const sendFetches = (again: boolean) => {
    for (const part of answer?.gathering.wanted(again) ?? [])
      send({ kind: 'fetch', ...about(), part }, NO_BYTES, NOT_THE_REQUEST)
  }

  const sendNext = () => {
    if (answer) {
      sendFetches(true)
      sendAt = clock.elapsed() + stallMs
      stallMs = Math.min(2 * stallMs, STALL_MS.longest)
    } else if (signal?.aborted) {
      send({ kind: 'look', ...about(), cancel: true }, NO_BYTES, NOT_THE_REQUEST)
      sendAt = clock.elapsed() + REPEAT_MS
    } else if (accepted) {
      send({ kind: 'look', ...about(), cancel: false }, NO_BYTES, NOT_THE_REQUEST)
      sendAt = clock.elapsed() + LOOK_MS
    } else {
      sendRequest()
    }
  }

  /** True once the host was found dead NOT_ALIVE_MAX times in a row. */
  const isDead = (now: number): boolean => {
    if (now < aliveAt) return false
    aliveAt = now + ALIVE_MS
    notAlive = isAlive() ? 0 : notAlive + 1
    return notAlive >= NOT_ALIVE_MAX
  }

  /** Why to wait no longer, if there is a reason. */
  const isHopeless = (now: number): boolean =>
    now >= endAt ||
    isDead(now) ||
    (other !== undefined && (isUntaken() || now - other.since >= OTHER_INSTANCE_MS)) ||
    (isUntaken() && nobodySince !== undefined && now - nobodySince >= NOBODY_MS) ||
    (isUntaken() && sendings === 0 && !isUp() && now - begun >= DOWN_MS)

  const step = () => {
    if (isOver) return
    timer?.cancel()
    const now = clock.elapsed()
    if (isHopeless(now)) return settle(unanswered())
    if (isUp() && now >= sendAt) sendNext()
    const next = Math.min(aliveAt, endAt, isUp() ? sendAt : Number.POSITIVE_INFINITY)
    timer = clock.at(clock.now() + Math.max(1, next - clock.elapsed()), step)
  }

  const cancel = () => {
    if (sendings === 0) return settle(unanswered())
    endAt = Math.min(endAt, clock.elapsed() + CANCEL_MS)
    sendAt = clock.elapsed()
    step()
  }

  const tell = (latest: Progress) => {
    const isSame = progress?.dispatched === latest.dispatched && progress.waiting === latest.waiting
    if (isSame && progress?.executionId === latest.executionId) return
    progress = latest
    onProgress?.(latest)
  }

  const heardAnswer = (head: ToAsker & { kind: 'answer' }, bytes: Uint8Array): boolean => {
    if (answer) return true
    if (bytes.length !== Math.min(head.bytes, head.partBytes)) return false
    accepted = true
    answer = { head: head.answer, gathering: gather(head.bytes, head.partBytes) }
    return heardPart(0, bytes)
  }

  const heardPart = (part: number, bytes: Uint8Array): boolean => {
    if (!answer?.gathering.put(part, bytes)) return false
    const { head, gathering } = answer
    if (gathering.isWhole()) {
      send({ kind: 'done', ...about() }, NO_BYTES, NOT_THE_REQUEST)
      settle({ kind: 'done', answer: { ...head, body: gathering.body } })
      return true
    }
    stallMs = STALL_MS.first
    sendAt = clock.elapsed() + stallMs
    sendFetches(false)
    return true
  }

  /** Counts on by the clock of the host: the same time is left, whatever both clocks say. */
  const countFrom = (hostNow: number) => {
    until = Math.max(0, Math.round(hostNow + endAt - clock.elapsed()))
    sendAt = clock.elapsed()
  }

  const heardRefusal = ({ why, instance: named, now }: ToAsker & { kind: 'refused' }, sending: number) => {
    open.delete(sending)
    if (why === 'full') return
    isLate = why === 'late'
    if (isLate && now !== undefined) return countFrom(now)
    if (why === 'instance') {
      other ??= { instance: named, since: clock.elapsed() }
      return
    }
    // Refused for good by the process that was asked, so earlier and later sendings are as well.
    if (why === 'leaving' || why === 'cancelled') open.clear()
    if (isUntaken()) settle(unanswered())
  }

  /** False for a message that makes no sense here. */
  const heard = ({ head, bytes }: Framed<ToAsker>, sending: number): boolean => {
    if (isOver) return true
    if (head.kind !== 'refused' && head.kind !== 'unknown') {
      accepted = true
      other = undefined
    }
    switch (head.kind) {
      case 'taken':
        if (head.progress) tell(head.progress)
        sendAt = Math.max(sendAt, clock.elapsed() + LOOK_MS)
        break
      case 'refused':
        heardRefusal(head, sending)
        break
      case 'answer':
        return heardAnswer(head, bytes)
      case 'part':
        return heardPart(head.part, bytes)
      case 'gone':
        settle(unanswered())
        break
      case 'unknown':
        // Taken once, and forgotten since.
        if (accepted) settle(unanswered())
    }
    step()
    return true
  }

  if (signal?.aborted) settle({ kind: 'not sent', reason: 'absent' })
  else {
    signal?.addEventListener('abort', cancel, { once: true })
    step()
  }

  return {
    isOver: () => isOver,
    heard,
    nobodyThere(sending: number) {
      if (!open.delete(sending)) return
      nobodySince ??= clock.elapsed()
      sendAt = clock.elapsed() + NOBODY_REPEAT_MS
      step()
    },
    linkChanged() {
      if (isUp()) sendAt = clock.elapsed()
      step()
    },
    end: () => settle(unanswered()),
  }
}

export type Ask = ReturnType<typeof startAsk>

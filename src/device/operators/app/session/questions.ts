/** The questions that are open on one session socket: what became of a request. */

import type { WireEnvelope } from '../../../../contracts/device/operator.ts'
import type { Clock } from '../../../../runtime/clock.ts'
import { messageOf } from '../../../../runtime/message-of.ts'
import { type Deferred, deferred } from '../../../link/bounded.ts'
import type { CallOptions } from '../../../link/link.ts'
import type { Awaited } from '../segment-request.ts'
import type { WireResult } from '../wire/messages.ts'

export type QuestionAnswer =
  | { kind: 'result'; envelope: WireEnvelope }
  /** `step` is under way, or the request waits for its turn. */
  | { kind: 'running'; step: number }
  | { kind: 'unknown' }
  | { kind: 'unanswered'; reason: string }

export const unanswered = (reason: string): QuestionAnswer & { kind: 'unanswered' } => ({ kind: 'unanswered', reason })

/** A damaged result is no answer: it may be whole when it is asked for again. */
export const answerOf = (result: WireResult): Extract<QuestionAnswer, { kind: 'result' | 'unanswered' }> =>
  result.kind === 'done'
    ? { kind: 'result', envelope: result.envelope }
    : unanswered(`the result of the request is damaged: ${result.reason}`)

/** Answers name a request by its wire id alone, so each request has one open question at most. */
export const createQuestions = (clock: Clock, send: (frame: object) => Promise<void>) => {
  const open = new Map<string, { awaited: Awaited; answer: Deferred<QuestionAnswer> }>()

  return {
    count: () => open.size,
    awaited: (): Awaited[] => [...open.values()].map(({ awaited }) => awaited),
    answer: (wireId: string, answer: QuestionAnswer) => open.get(wireId)?.answer.resolve(answer),
    endAll(reason: string) {
      for (const { answer } of open.values()) answer.resolve(unanswered(reason))
    },
    /** Never rejects. */
    async ask(awaited: Awaited, { deadline, signal }: CallOptions): Promise<QuestionAnswer> {
      const { wireId, nonce } = awaited
      if (open.has(wireId)) return unanswered('the operator app is being asked about this request already')
      const answer = deferred<QuestionAnswer>()
      const cancel = () => answer.resolve(unanswered('the question was cancelled'))
      open.set(wireId, { awaited, answer })
      const timer = clock.at(deadline, () =>
        answer.resolve(unanswered('the operator app did not answer the question in time')),
      )
      signal?.addEventListener('abort', cancel, { once: true })
      if (signal?.aborted) cancel()
      else
        send({ type: 'result?', commandId: wireId, nonce }).catch((error: unknown) =>
          answer.resolve(unanswered(messageOf(error))),
        )
      try {
        return await answer.promise
      } finally {
        timer.cancel()
        signal?.removeEventListener('abort', cancel)
        open.delete(wireId)
      }
    },
  }
}

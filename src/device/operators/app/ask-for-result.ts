/** Asks a phone what became of a request that nobody waits for any more. It only looks: nothing is performed, and no live session is disturbed. */

import type { WireEnvelope } from '../../../contracts/device/operator.ts'
import { ENVELOPE_GRACE_MS } from '../../../contracts/limits/limits.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { type CallOptions, LinkError } from '../../link/link.ts'
import type { Awaited } from './segment-request.ts'
import { answerOf, unanswered } from './session/questions.ts'
import type { DeviceSession } from './session/sessions.ts'
import { canBePackage } from './wire/broadcast.ts'
import { inOrder, type StepEnd } from './wire/progress.ts'

/** A request as it was dispatched. */
export interface DispatchedRequest extends Awaited {
  operatorPackage: string
  /** Epoch ms, by the clock of this machine. */
  dispatchedAt: number
  timeoutMs: number
  stepCount: number
}

/** The operator app itself, or what it wrote into the log of the phone. */
type AnsweredBy = 'operator' | 'log'

export type ResultAnswer =
  /** The envelope is damaged or strange in no way, and carries the wire id and the nonce. */
  | { kind: 'result'; envelope: WireEnvelope; from: AnsweredBy }
  /** `step` is under way, or the request waits for its turn; the steps of `progress` have ended. */
  | { kind: 'running'; step: number; progress: StepEnd[]; from: AnsweredBy }
  /**
   * The log has no result. The steps of `progress` have ended, and what else was done is not known. `isForgotten`: the app
   * keeps results, and has none of this request, so it does not run it either.
   */
  | { kind: 'unknown'; progress: StepEnd[]; from: AnsweredBy; isForgotten: boolean }
  /** Asking again may bring more. `reason` is one clause without a full stop. */
  | { kind: 'unanswered'; reason: string }

interface AskOptions {
  clock: Clock
  withinMs: number
  signal?: AbortSignal | undefined
}

const unansweredBy = (error: unknown): ResultAnswer & { kind: 'unanswered' } => {
  if (!(error instanceof LinkError)) throw error
  return unanswered(error.message)
}

/** A failed step ends the list, so all before the one under way have succeeded. */
const endedBefore = (step: number): StepEnd[] =>
  Array.from({ length: step }, (_, index) => ({ step: index, success: true }))

const askOverSocket = async (
  { sockets }: DeviceSession,
  { operatorPackage, wireId, nonce, stepCount }: DispatchedRequest,
  options: CallOptions,
): Promise<ResultAnswer | undefined> => {
  const socket = await sockets.get(operatorPackage, options)
  if (!socket?.capabilities.includes('results')) return undefined
  const answer = await socket.ask({ wireId, nonce }, options)
  if (answer.kind === 'unknown') return { kind: 'unknown', progress: [], from: 'operator', isForgotten: true }
  if (answer.kind === 'unanswered') return answer
  if (answer.kind === 'result') return { ...answer, from: 'operator' }
  if (answer.step < stepCount) return { ...answer, progress: endedBefore(answer.step), from: 'operator' }
  return unanswered(`the operator app is at step ${answer.step} of a request with ${stepCount} steps`)
}

/** A list whose last told step has succeeded, with another one behind it, is at that one until its time is over. */
const stepUnderWay = (
  progress: readonly StepEnd[],
  { dispatchedAt, timeoutMs, stepCount }: DispatchedRequest,
  now: number,
): number | undefined => {
  const last = progress.at(-1)
  if (!last?.success || last.step + 1 >= stepCount) return undefined
  return now < dispatchedAt + timeoutMs + ENVELOPE_GRACE_MS ? last.step + 1 : undefined
}

const lookInLog = async (
  { log }: DeviceSession,
  request: DispatchedRequest,
  { clock, ...options }: CallOptions & { clock: Clock },
): Promise<ResultAnswer> => {
  const { wireId, nonce, dispatchedAt, stepCount } = request
  const progress: StepEnd[] = []
  const result = await log.find(
    {
      awaited: { wireId, nonce },
      since: { at: dispatchedAt, elapsed: clock.elapsed() },
      onStepEnd: inOrder(stepCount, end => progress.push(end)),
    },
    options,
  )
  const found = result && answerOf(result)
  if (found) return found.kind === 'result' ? { ...found, from: 'log' } : found
  const step = stepUnderWay(progress, request, clock.now())
  const told = { progress, from: 'log' as const }
  return step === undefined ? { kind: 'unknown', ...told, isForgotten: false } : { kind: 'running', step, ...told }
}

/** By the session socket of an app that keeps results, else in the log of the device, and there too where the app does not know. */
export const askForResult = async (
  session: DeviceSession,
  request: DispatchedRequest,
  { clock, withinMs, signal }: AskOptions,
): Promise<ResultAnswer> => {
  if (!canBePackage(request.operatorPackage)) return unanswered('no installed app can have the name of this operator')
  const options = { deadline: clock.now() + withinMs, signal }
  const answer = await askOverSocket(session, request, options).catch(unansweredBy)
  if (answer?.kind === 'result' || answer?.kind === 'running') return answer
  const inLog = await lookInLog(session, request, { ...options, clock }).catch(unansweredBy)
  if (!answer || inLog.kind === 'result') return inLog
  // An app that keeps results and did not answer may still have it; one that does not know the request does not run it.
  return answer.kind === 'unanswered' || inLog.kind === 'unanswered'
    ? answer
    : { kind: 'unknown', progress: inLog.progress, from: 'log', isForgotten: true }
}

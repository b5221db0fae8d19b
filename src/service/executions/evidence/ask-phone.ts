/** Asks the phone what became of an execution in doubt. Nothing is performed. */
import { ENVELOPE_GRACE_MS } from '../../../contracts/limits/limits.ts'
import {
  askForResult,
  type DispatchedRequest,
  type ResultAnswer,
} from '../../../device/operators/app/ask-for-result.ts'
import { wireIdOf } from '../../../device/operators/app/segment-request.ts'
import type { Sessions } from '../../../device/operators/app/session/sessions.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { StoredReceipt } from '../../../runtime/journal/journal.ts'
import { hasTokens, type Secrets } from '../../../runtime/secrets.ts'
import { RESULT_WORDS } from '../../recorded-words.ts'
import type { Fence } from '../fence.ts'
import { sentEnd } from '../proven.ts'
import type { RecordedExecution } from '../recorded.ts'
import { type EvidencedEvent, evidenceIn, evidenceInPart } from './evidence-of.ts'

/** `evidence` is what has to be recorded, where the answer proves anything. */
export type PhoneAnswer =
  | { kind: 'known'; evidence: EvidencedEvent }
  /** The phone still works at the list, at this step of it. */
  | { kind: 'running'; step: number; evidence?: EvidencedEvent | undefined }
  /** `why` says who was asked, and why that does not decide. `isFinal`: to ask again would bring no more. */
  | { kind: 'nothing'; why: string; isFinal: boolean; evidence?: EvidencedEvent | undefined }

export interface AskOptions {
  withinMs: number
  /** Asks also where an earlier answer was final. */
  again?: boolean | undefined
  signal?: AbortSignal | undefined
}

export type AskPhone = (
  receipt: StoredReceipt,
  recorded: RecordedExecution,
  options: AskOptions,
) => Promise<PhoneAnswer>

const NOBODY: PhoneAnswer = {
  kind: 'nothing',
  why: 'svc performed the step that it was at itself, and how far that came is not on record, so nobody can be asked',
  isFinal: true,
}

const PART_ENDED = {
  kind: 'nothing' as const,
  why: 'it was at a step that svc performs by looks and single gestures: the phone is not at work any more, and whether more of the step had followed is not on record',
  isFinal: true,
}

const clauseOf = (message: string): string => message.replace(/\.$/, '')

/** The request that was sent last, as its app is asked for it; undefined where the host performed it. */
export const askedRequest = (
  { executionId, dispatchedAt = 0 }: Pick<StoredReceipt, 'executionId' | 'dispatchedAt'>,
  recorded: RecordedExecution,
): DispatchedRequest | undefined => {
  const { dispatch, nonce, lastSegment, lastStep = 0, isPart } = recorded
  if (nonce === undefined || lastSegment === undefined) return undefined
  const { operatorPackage, execution } = dispatch
  const wireId = wireIdOf(executionId, lastSegment)
  const stepCount = isPart ? 1 : sentEnd(recorded) - lastStep
  return { operatorPackage, wireId, nonce, dispatchedAt, timeoutMs: execution.timeoutMs, stepCount }
}

export interface AskedPhone {
  /** Its serial here. */
  deviceId: string
  /** The key under which it is owned. */
  phone: string
  executionId: string
}

/** Asks the phone, or the host of the fleet that owns it now. */
export type AskRequest = (phone: AskedPhone, request: DispatchedRequest, options: AskOptions) => Promise<ResultAnswer>

interface AskRequestOptions {
  sessions: Pick<Sessions, 'of'>
  clock: Clock
  fence: Pick<Fence, 'ownerElsewhere'>
}

export const createAskRequest =
  ({ sessions, clock, fence }: AskRequestOptions): AskRequest =>
  ({ deviceId, phone, executionId }, request, { withinMs, signal }) =>
    fence.ownerElsewhere(phone)?.ask(executionId, request, { withinMs, signal }) ??
    askForResult(sessions.of(deviceId), request, { clock, withinMs, signal })

interface AskPhoneOptions {
  askRequest: AskRequest
  clock: Clock
  secrets: Secrets
}

/** So many final answers are remembered. */
const REMEMBERED = 256

/** Where there is no phone. */
export const askNobody: AskPhone = async () => NOBODY

export const askNothing: AskRequest = async () => ({ kind: 'unanswered', reason: 'there is no phone' })

export const createAskPhone = ({ askRequest, clock, secrets }: AskPhoneOptions): AskPhone => {
  const final = new Map<string, PhoneAnswer>()

  const ask: AskPhone = async (receipt, recorded, options) => {
    const { dispatch, lastStep = 0, isPart } = recorded
    const request = askedRequest(receipt, recorded)
    if (!request) return NOBODY
    const { operatorPackage, dispatchedAt, timeoutMs } = request
    const segment = { executionId: receipt.executionId, recorded, first: lastStep }
    const { executionId, deviceId } = receipt
    const answer = await askRequest({ deviceId, phone: dispatch.phone ?? deviceId, executionId }, request, options)
    if (isPart && (answer.kind === 'result' || answer.kind === 'unknown'))
      return { ...PART_ENDED, evidence: evidenceInPart(segment, answer) }
    const found = isPart ? undefined : evidenceIn(segment, answer)
    const evidence = found?.body ? { ...found, ...concealed(found.body, dispatch, secrets) } : found
    if (answer.kind === 'result')
      return evidence
        ? { kind: 'known', evidence }
        : { kind: 'nothing', why: `${operatorPackage} answered with a result of other steps`, isFinal: true }
    if (answer.kind === 'running') return { kind: 'running', step: lastStep + answer.step, evidence }
    if (answer.kind === 'unanswered') return { kind: 'nothing', why: clauseOf(answer.reason), isFinal: false }
    const app = answer.isForgotten
      ? 'was asked and has no result of the request any more'
      : 'cannot be asked for results'
    const why = `${operatorPackage} ${app}, and the log of the phone has none`
    // Without a memory of the app, the result still comes into the log as long as the list may run.
    const mayRun = clock.now() < dispatchedAt + timeoutMs + ENVELOPE_GRACE_MS
    return { kind: 'nothing', why, isFinal: answer.isForgotten || !mayRun, evidence }
  }

  return async (receipt, recorded, options) => {
    const { executionId } = receipt
    const known = final.get(executionId)
    if (known && !options.again) return known
    const answer = await ask(receipt, recorded, options)
    if (answer.kind === 'nothing' && answer.isFinal) {
      final.set(executionId, answer)
      for (const oldest of final.keys()) if (final.size > REMEMBERED) final.delete(oldest)
    }
    return answer
  }
}

/** The payload has tokens in the place of secrets that this process may not know: what the phone tells may hold them. */
const concealed = (body: object, dispatch: object, secrets: Secrets) =>
  ({ body: hasTokens(dispatch) ? undefined : secrets.concealAll(body, RESULT_WORDS) }) as Pick<EvidencedEvent, 'body'>

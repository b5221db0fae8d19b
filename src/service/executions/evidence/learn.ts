/** Ends doubt that can be ended: asks for executions that ended without an envelope, one asker at a time, and records what that proves. */
import { outcomeOf } from '../../../contracts/executions/outcome-of.ts'
import { EVIDENCE_ASK_MS, EVIDENCE_KEPT_MS } from '../../../contracts/limits/limits.ts'
import { type Clock, pause } from '../../../runtime/clock.ts'
import type { Host } from '../../../runtime/host.ts'
import type { Journal, StoredReceipt } from '../../../runtime/journal/journal.ts'
import { isSettled } from '../../../runtime/journal/receipts.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import type { Fence } from '../fence.ts'
import { recordedExecution } from '../recorded.ts'
import { outcomeOfSteps, stepOutcomes } from '../step-outcomes.ts'
import { deviceTarget } from '../waiting/waiting-room.ts'
import type { AskOptions, AskPhone, PhoneAnswer } from './ask-phone.ts'
import type { EvidencedEvent } from './evidence-of.ts'

export interface Learner {
  /**
   * Asks for one execution, if it is in doubt and may be asked for, and records what that proves. Rejects never, and takes
   * no longer than one question may. `again`: also where an earlier answer was final.
   */
  learn(receipt: StoredReceipt, options?: Omit<AskOptions, 'withinMs'>): Promise<PhoneAnswer | undefined>
  /** Asks for all that ended in doubt in the last minutes, as long as that can bring more. */
  sweep(): Promise<void>
}

export interface LearnerOptions {
  host: Pick<Host, 'appendAsGuest' | 'whileOwned'>
  journal: Pick<Journal, 'receipt' | 'receipts' | 'records' | 'last' | 'body'>
  clock: Clock
  fence: Fence
  askPhone: AskPhone
}

/** How long it is until a phone that somebody else asks is tried again. */
const TURN_MS = 50
/** Executions of the last minutes that a sweep looks at. */
const SWEPT = 50
const TOO_OLD: PhoneAnswer = {
  kind: 'nothing',
  why: 'it ended more than ten minutes ago, and operator apps keep their results no longer',
  isFinal: true,
}

/** It was sent, and nobody knows how it ended. */
export const isOpenQuestion = (receipt: StoredReceipt): boolean =>
  isSettled(receipt) && receipt.dispatchedAt !== undefined && outcomeOf(receipt) === 'unknown'

export const createLearner = ({ host, journal, clock, fence, askPhone }: LearnerOptions): Learner => {
  let isSweeping = false
  const isYoung = ({ settledAt, acceptedAt }: StoredReceipt) =>
    Math.abs(clock.now() - (settledAt ?? acceptedAt)) < EVIDENCE_KEPT_MS
  const asking = new Map<string, Promise<PhoneAnswer | undefined>>()

  const ask = async (receipt: StoredReceipt, options: Omit<AskOptions, 'withinMs'>) => {
    const { executionId, deviceId } = receipt
    const recorded = recordedExecution(journal, receipt)
    if (!recorded) return undefined
    const outcome = recorded.isStepped ? outcomeOfSteps(stepOutcomes(receipt, recorded)) : undefined
    if (outcome) {
      const evidence: EvidencedEvent = {
        type: 'execution.evidenced',
        executionId,
        source: 'progress',
        steps: [],
        outcome,
      }
      await host.appendAsGuest(deviceTarget(deviceId), { ...evidence })
      return { kind: 'known' as const, evidence }
    }
    // The clock may have been set: an explicit look asks whatever it says.
    if (!options.again && !isYoung(receipt)) return TOO_OLD
    const { phone = deviceId } = recorded.dispatch
    if (fence.refusal(phone, { serial: deviceId, epoch: fence.epochOf(phone) })) return undefined
    const until = clock.elapsed() + EVIDENCE_ASK_MS
    let answer: PhoneAnswer | undefined
    const askInTurn = () =>
      host.whileOwned(`evidence:${phone}`, { executionId }, async () => {
        answer = await askPhone(receipt, recorded, { ...options, withinMs: until - clock.elapsed() })
        if (answer.evidence) await host.appendAsGuest(deviceTarget(deviceId), { ...answer.evidence })
      })
    // Somebody else asks the phone, about this execution or another one.
    while (!(await askInTurn()) && clock.elapsed() < until && !options.signal?.aborted) {
      await pause(clock, TURN_MS, options.signal)
      if (!isOpenQuestion(journal.receipt(executionId) ?? receipt)) return undefined
    }
    return answer
  }

  const learn: Learner['learn'] = async (receipt, options = {}) => {
    if (!isOpenQuestion(receipt)) return undefined
    const { executionId } = receipt
    const present = asking.get(executionId)
    if (present) return present
    const question = ask(receipt, options)
      // It is asked again by whoever comes next.
      .catch(
        (error: unknown): PhoneAnswer => ({
          kind: 'nothing',
          why: `the phone could not be asked: ${messageOf(error)}`,
          isFinal: false,
        }),
      )
      .finally(() => asking.delete(executionId))
    asking.set(executionId, question)
    return question
  }

  return {
    learn,
    async sweep() {
      // Phones that do not answer take longer than it is until the next sweep.
      if (isSweeping) return
      isSweeping = true
      try {
        for (const receipt of journal.receipts({ limit: SWEPT })) if (isYoung(receipt)) await learn(receipt)
      } finally {
        isSweeping = false
      }
    },
  }
}

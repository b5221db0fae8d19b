/** Ends doubt that can be ended: asks for executions that ended without an envelope, one asker at a time, and records what that proves. */

import { type Doubt, doubtsOf, isNews, isYoung } from '../../../../machines/device/device-doubts.ts'
import { outcomeOf } from '../../../contracts/executions/outcome-of.ts'
import { EVIDENCE_ASK_MS } from '../../../contracts/limits/limits.ts'
import type { ResultAnswer } from '../../../device/operators/app/ask-for-result.ts'
import { unanswered } from '../../../device/operators/app/session/questions.ts'
import { type Clock, pause } from '../../../runtime/clock.ts'
import type { Host } from '../../../runtime/host.ts'
import type { Journal, StoredReceipt } from '../../../runtime/journal/journal.ts'
import { readableOr } from '../../../runtime/journal/reading.ts'
import { isSettled } from '../../../runtime/journal/receipts.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import type { Fence } from '../fence.ts'
import { recordedExecution } from '../recorded.ts'
import { deviceTarget } from '../waiting/waiting-room.ts'
import type { AskOptions, AskPhone, AskRequest, PhoneAnswer } from './ask-phone.ts'
import { decidedAfter, decidedUnasked } from './by-records.ts'
import type { EvidencedEvent } from './evidence-of.ts'

interface DoubtfulDevicesOptions {
  host: Pick<Host, 'follow'>
  journal: Pick<Journal, 'head' | 'actors'>
  clock: Clock
}

interface SeenDevice {
  /** Its newest record when it was looked at. */
  seq: number
  doubts: readonly Doubt[]
}

/** The function returns those of which the phones may tell more. Throws JournalError. */
const createDoubtfulDevices = ({ host, journal, clock }: DoubtfulDevicesOptions): (() => Doubt[]) => {
  const devices = new Map<string, SeenDevice>()
  let head: number | undefined

  const lookAgain = () => {
    for (const { actor, seq } of journal.actors({ machine: 'device' })) {
      if (devices.get(actor)?.seq === seq) continue
      const follower = host.follow({ id: actor, machine: 'device' })
      devices.set(actor, { seq, doubts: readableOr([], () => doubtsOf(follower.look().snapshot)) })
    }
  }

  return () => {
    const newest = journal.head()
    if (newest !== head) lookAgain()
    head = newest
    return [...devices.values()].flatMap(({ doubts }) => doubts.filter(doubt => isYoung(doubt, clock.now())))
  }
}

export interface Learner {
  /**
   * Asks for one execution, if it is in doubt and may be asked for, and records what that proves. Rejects never, and takes
   * no longer than one question may, EVIDENCE_ASK_MS unless told. `again`: also where an earlier answer was final.
   */
  learn(receipt: StoredReceipt, options?: Partial<AskOptions>): Promise<PhoneAnswer | undefined>
  /** Asks about a request that is not in this journal, and records nothing. Rejects never. */
  askFor: AskRequest
  /** Asks for all that ended in doubt in the last minutes, as long as that can bring more. */
  sweep(): Promise<void>
}

export interface LearnerOptions {
  host: Pick<Host, 'appendAsGuest' | 'whileOwned'> & DoubtfulDevicesOptions['host']
  journal: Pick<Journal, 'receipt' | 'records' | 'last' | 'body'> & DoubtfulDevicesOptions['journal']
  clock: Clock
  fence: Fence
  askPhone: AskPhone
  askRequest: AskRequest
}

/** How long it is until a phone that somebody else asks is tried again. */
const TURN_MS = 50
const TOO_OLD: PhoneAnswer = {
  kind: 'nothing',
  why: 'it ended more than ten minutes ago, and operator apps keep their results no longer',
  isFinal: true,
}

/** It was sent, and nobody knows how it ended. */
export const isOpenQuestion = (receipt: StoredReceipt): boolean =>
  isSettled(receipt) && receipt.dispatchedAt !== undefined && outcomeOf(receipt) === 'unknown'

export const createLearner = ({ host, journal, clock, fence, askPhone, askRequest }: LearnerOptions): Learner => {
  const doubts = createDoubtfulDevices({ host, journal, clock })
  let isSweeping = false
  const asking = new Map<string, Promise<PhoneAnswer | undefined>>()

  /** Records evidence that changes something: the execution may be in doubt no longer, or its device not be free yet. */
  const record = async (deviceId: string, evidence: EvidencedEvent | undefined) => {
    const target = deviceTarget(deviceId)
    if (evidence && isNews(doubtsOf(host.follow(target).look().snapshot), { ...evidence, at: clock.now() }))
      await host.appendAsGuest(target, { ...evidence })
  }

  /** Somebody else may be asking the phone, about this execution or another one, or be recording what is proven of it. */
  const inTurn = async (
    { key, executionId, isOpen }: { key: string; executionId: string; isOpen(): boolean },
    { withinMs, signal }: AskOptions,
    work: (withinMs: number) => Promise<void>,
  ): Promise<void> => {
    const until = clock.elapsed() + withinMs
    const turn = () => host.whileOwned(key, { executionId }, () => work(until - clock.elapsed()))
    while (!(await turn()) && clock.elapsed() < until && !signal?.aborted) {
      await pause(clock, TURN_MS, signal)
      if (!isOpen()) return
    }
  }

  const ask = async (receipt: StoredReceipt, { withinMs = EVIDENCE_ASK_MS, ...options }: Partial<AskOptions>) => {
    const { executionId, deviceId } = receipt
    const recorded = recordedExecution(journal, receipt)
    if (!recorded) return undefined
    let answer: PhoneAnswer | undefined
    const isOpen = () => isOpenQuestion(journal.receipt(executionId) ?? receipt)
    const evidence = decidedUnasked(receipt, recorded)
    if (evidence) {
      const turn = { key: `evidence-on-record:${deviceId}`, executionId, isOpen }
      await inTurn(turn, { ...options, withinMs }, async () => {
        await record(deviceId, evidence)
        answer = { kind: 'known', evidence }
      })
      return answer
    }
    // The clock may have been set: an explicit look asks whatever it says.
    if (!options.again && !isYoung({ endedAt: receipt.settledAt ?? receipt.acceptedAt }, clock.now())) return TOO_OLD
    const { phone = deviceId } = recorded.dispatch
    if (!fence.ownerElsewhere(phone) && fence.refusal(phone, { serial: deviceId, epoch: fence.epochOf(phone) }))
      return undefined
    const turn = { key: `evidence:${phone}`, executionId, isOpen }
    await inTurn(turn, { ...options, withinMs }, async withinMs => {
      const reply = await askPhone(receipt, recorded, { ...options, withinMs })
      const known = reply.kind === 'nothing' ? decidedAfter(receipt, recorded, reply) : undefined
      answer = known ? { kind: 'known', evidence: known } : reply
      await record(deviceId, answer.evidence)
    })
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
    async askFor(asked, request, options) {
      let answer: ResultAnswer = unanswered('somebody else asks the phone')
      const { phone, executionId } = asked
      await inTurn({ key: `evidence:${phone}`, executionId, isOpen: () => true }, options, async withinMs => {
        answer = await askRequest(asked, request, { ...options, withinMs })
      }).catch((error: unknown) => {
        answer = unanswered(messageOf(error))
      })
      return answer
    },
    async sweep() {
      // Phones that do not answer take longer than it is until the next sweep.
      if (isSweeping) return
      isSweeping = true
      try {
        for (const { executionId } of doubts()) {
          const receipt = journal.receipt(executionId)
          if (receipt) await learn(receipt)
        }
      } finally {
        isSweeping = false
      }
    },
  }
}

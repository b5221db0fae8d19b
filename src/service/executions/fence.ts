/** The fence: the process that is about to dispatch asks it, each time, if this host may act on the phone. */

import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure } from '../../contracts/failures/failures.ts'
import type { DispatchedRequest, ResultAnswer } from '../../device/operators/app/ask-for-result.ts'
import type { Journal } from '../../runtime/journal/journal.ts'

const ELSEWHERE = 'known.elsewhere'
const DOUBTFUL = 'known.doubtful'

/** Reads the owner of a phone from the records of the process of this host that is in a fleet. */
export const recordedFence = (journal: () => Pick<Journal, 'last' | 'leases' | 'records'>): Fence => ({
  epochOf: () => undefined,
  // Commands do not reach the fleet: the server of this machine asks the other hosts.
  ownerElsewhere: () => undefined,
  leftOn: () => undefined,
  refusal(phone) {
    const actor = `ownership:${phone.replace(/^device:/, '')}`
    const newest = journal().last(actor)
    const isElsewhere = newest?.to === ELSEWHERE
    const isUnproven = newest?.to === DOUBTFUL && newest.event.isShared === true
    if (!isElsewhere && !isUnproven) return undefined
    // The knowledge of a dead process about its fleet is out of date.
    if (!journal().leases.owner(actor)) return undefined
    if (isUnproven) {
      return failure(
        'FLEET_UNREACHABLE',
        'Another host of the fleet sees the same phone, and this one cannot prove that it owns it.',
        { details: { dispatched: false }, hint: 'See `GET /fleet` for whether the NATS servers answer.' },
      )
    }
    const owner = newest.event.type === 'phone.held' ? String(newest.event.host) : undefined
    const problem =
      owner === undefined ? 'Another host of the fleet owns the phone' : `Host ${owner} of the fleet owns the phone`
    return failure('FLEET_HOST_GONE', `${problem}.`, {
      details: { ...(owner === undefined ? {} : { owner }), dispatched: false },
      hint: 'Send the request to the svc serve of this machine, which passes it on.',
    })
  },
})

/** The grounds on which an execution was accepted. */
export interface Claim {
  /** The serial under which the debug bridge of this host lists the phone. */
  serial?: string | undefined
  /** The epoch under which this host owned the phone; undefined when it only had the cable. */
  epoch?: number | undefined
  /** True when another host of the fleet sent it. A caller of this host is also served when no other host has the phone. */
  isSent?: boolean | undefined
}

/** A list that another host has sent to a phone before this one owned it: the phone may still be at work on it. */
export interface LeftList extends DispatchedRequest {
  executionId: string
  /** The host that has its receipt. */
  host: string
  /** The ids of the steps that were sent. */
  steps: readonly string[]
  /** By the clock of this machine: no list runs longer. */
  busyUntil: number
  /** For a list that is known to have ended. */
  forget(): void
}

/** Another host of the fleet that owns the phone now, and may ask it. */
export interface PhoneOwner {
  host: string
  ask(
    executionId: string,
    request: DispatchedRequest,
    options: { withinMs: number; signal?: AbortSignal | undefined },
  ): Promise<ResultAnswer>
}

export interface Fence {
  refusal(phone: string, claim: Claim): ErrorObject | undefined
  /** The epoch under which this host owns the phone now; undefined when it does not. */
  epochOf(phone: string): number | undefined
  /** Undefined where no other host is known to own it. */
  ownerElsewhere(phone: string): PhoneOwner | undefined
  /** Undefined where nothing can have been left on the phone. Rejects never. */
  leftOn(phone: string): Promise<LeftList | undefined> | undefined
}

/** A host outside any fleet has this fence. */
export const NO_FENCE: Fence = {
  refusal: () => undefined,
  epochOf: () => undefined,
  ownerElsewhere: () => undefined,
  leftOn: () => undefined,
}

/** For parts that are built before the host joins a fleet. */
export const lazyFence = (now: () => Fence): Fence => ({
  refusal: (phone, claim) => now().refusal(phone, claim),
  epochOf: phone => now().epochOf(phone),
  ownerElsewhere: phone => now().ownerElsewhere(phone),
  leftOn: phone => now().leftOn(phone),
})

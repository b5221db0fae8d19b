/** The fence: the process that is about to dispatch asks it, each time, if this host may act on the phone. */
import type { ErrorObject } from '../../contracts/failures/error.ts'
import type { DispatchedRequest, ResultAnswer } from '../../device/operators/app/ask-for-result.ts'

/** The grounds on which an execution was accepted. */
export interface Claim {
  /** The serial under which the debug bridge of this host lists the phone. */
  serial?: string | undefined
  /** The epoch under which this host owned the phone; undefined when it only had the cable. */
  epoch?: number | undefined
  /** True when another host of the fleet sent it. A caller of this host is also served when no other host has the phone. */
  isSent?: boolean | undefined
}

/** What another host has sent to a phone before this one owned it: the phone may still be at work on it. */
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

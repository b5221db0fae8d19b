/** The fence: the process that is about to dispatch asks it, each time, if this host may act on the phone. */
import type { ErrorObject } from '../../contracts/failures/error.ts'

/** The grounds on which an execution was accepted. */
export interface Claim {
  /** The serial under which the debug bridge of this host lists the phone. */
  serial?: string | undefined
  /** The epoch under which this host owned the phone; undefined when it only had the cable. */
  epoch?: number | undefined
  /** True when another host of the fleet sent it. A caller of this host is also served when no other host has the phone. */
  isSent?: boolean | undefined
}

export interface Fence {
  refusal(phone: string, claim: Claim): ErrorObject | undefined
  /** The epoch under which this host owns the phone now; undefined when it does not. */
  epochOf(phone: string): number | undefined
}

/** A host outside any fleet has this fence. */
export const NO_FENCE: Fence = { refusal: () => undefined, epochOf: () => undefined }

/** For parts that are built before the host joins a fleet. */
export const lazyFence = (now: () => Fence): Fence => ({
  refusal: (phone, claim) => now().refusal(phone, claim),
  epochOf: phone => now().epochOf(phone),
})

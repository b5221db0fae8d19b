/** The fence: the process that is about to dispatch asks it, each time, if this host may act on the phone. */
import type { ErrorObject } from './error.ts'

/** The grounds on which an execution was accepted. */
export interface Claim {
  /** By which the debug bridge of this host lists the phone. */
  serial?: string | undefined
  /** Under which this host owned the phone; undefined when it did not, and only had the cable. */
  epoch?: number | undefined
  /** Another host of the fleet sent it. Whoever asks this host itself is served by the cable, too, if only one has it. */
  isSent?: boolean | undefined
}

export interface Fence {
  refusal(phone: string, claim: Claim): ErrorObject | undefined
  /** Under which this host owns the phone now; undefined when it does not. */
  epochOf(phone: string): number | undefined
}

/** A host outside any fleet has this fence. */
export const NO_FENCE: Fence = { refusal: () => undefined, epochOf: () => undefined }

/** Parts that are built before the host joins a fleet use this fence. */
export const lateFence = (now: () => Fence): Fence => ({
  refusal: (phone, claim) => now().refusal(phone, claim),
  epochOf: phone => now().epochOf(phone),
})

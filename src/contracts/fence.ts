/** Whether this host may act on a phone: asked by the process that is about to dispatch, for each dispatch. */
import type { ErrorObject } from './error.ts'

/** What an execution was accepted with. */
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

/** Of a host that is in no fleet. */
export const NO_FENCE: Fence = { refusal: () => undefined, epochOf: () => undefined }

/** For those who are made before the host joins a fleet. */
export const lateFence = (now: () => Fence): Fence => ({
  refusal: (phone, claim) => now().refusal(phone, claim),
  epochOf: phone => now().epochOf(phone),
})

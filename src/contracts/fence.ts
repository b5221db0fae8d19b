/** Whether this host may act on a phone: asked by the process that is about to dispatch, for each dispatch. */
import type { ErrorObject } from './error.ts'

export interface Fence {
  /** `epoch` is the one under which a host of the fleet sent the request; undefined for a caller of this host. */
  refusal(phone: string, epoch?: number): ErrorObject | undefined
}

/** Of a host that is in no fleet. */
export const NO_FENCE: Fence = { refusal: () => undefined }

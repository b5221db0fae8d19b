/** Whether this host may act on a phone: asked by the process that is about to dispatch, for each dispatch. */
import type { ErrorObject } from './error.ts'

/** The epoch under which a host of the fleet sent a request, `any` where it named none; undefined for a caller of this host. */
export type SentUnder = number | 'any' | undefined

export interface Fence {
  refusal(phone: string, sentUnder?: SentUnder): ErrorObject | undefined
}

/** Of a host that is in no fleet. */
export const NO_FENCE: Fence = { refusal: () => undefined }

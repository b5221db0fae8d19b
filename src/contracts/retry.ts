/** How a step tries again on the device: the Retry object and the three params that hold one. */
import * as v from 'valibot'
import {
  RETRY_ATTEMPTS,
  RETRY_BACKOFF,
  RETRY_INITIAL_DELAY_MS,
  RETRY_JITTER_RATIO,
  RETRY_MAX_DELAY_MS,
} from './limits.ts'
import { decimal, integer } from './numbers.ts'
import { closedObject } from './objects.ts'

export const Retry = closedObject({
  maxAttempts: v.exactOptional(integer(RETRY_ATTEMPTS)),
  initialDelayMs: v.exactOptional(integer(RETRY_INITIAL_DELAY_MS)),
  maxDelayMs: v.exactOptional(integer(RETRY_MAX_DELAY_MS)),
  backoffMultiplier: v.exactOptional(decimal(RETRY_BACKOFF)),
  jitterRatio: v.exactOptional(decimal(RETRY_JITTER_RATIO)),
})
export type Retry = v.InferOutput<typeof Retry>

/** On the params of every action that looks for a node: click, read, enter, wait and scroll. */
export const retryEntries = {
  retry: v.exactOptional(Retry),
  scrollRetry: v.exactOptional(Retry),
  clickRetry: v.exactOptional(Retry),
}

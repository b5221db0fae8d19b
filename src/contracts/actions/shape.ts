/** The parts that actions share: the id, the canonical type with its params, and how a step tries again on the device. */
import * as v from 'valibot'
import { closedObject } from '../json/objects.ts'
import { decimal, integer, text } from '../json/scalars.ts'
import {
  ID_CHARS_MAX,
  RETRY_ATTEMPTS,
  RETRY_BACKOFF,
  RETRY_INITIAL_DELAY_MS,
  RETRY_JITTER_RATIO,
  RETRY_MAX_DELAY_MS,
} from '../limits/limits.ts'

export const Id = text(1, ID_CHARS_MAX)
export type Id = v.InferOutput<typeof Id>

export const NoParams = closedObject({})

export const action = <const T extends string, const P extends v.ObjectEntries[string]>(type: T, params: P) =>
  closedObject({ id: Id, type: v.literal(type), params })

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

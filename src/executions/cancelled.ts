/** Section Cancel, before anything was sent: what its caller is told, and a wait that ends with the cancellation. */
import type { ErrorObject } from '../contracts/error.ts'
import { failure } from '../contracts/failures.ts'

/** The answer of an execution that was cancelled before the device machine had it. */
export const cancelledEarly = (executionId?: string): ErrorObject =>
  failure('EXECUTION_CANCELLED', 'The execution was cancelled; nothing was sent to the device.', {
    details: { ...(executionId === undefined ? {} : { executionId }), dispatched: false },
  })

/** Undefined as soon as the signal aborts. For work that only reads: it may go on unheard. */
export const unlessCancelled = async <T>(work: Promise<T>, cancel: AbortSignal | undefined): Promise<T | undefined> => {
  if (!cancel) return work
  let leave = () => {}
  const left = new Promise<undefined>(resolve => {
    leave = () => resolve(undefined)
  })
  cancel.addEventListener('abort', leave, { once: true })
  if (cancel.aborted) leave()
  try {
    const done = await Promise.race([work, left])
    return cancel.aborted ? undefined : done
  } finally {
    cancel.removeEventListener('abort', leave)
  }
}

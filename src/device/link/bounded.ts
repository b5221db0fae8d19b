/**
 * Waits that end: one call over a link, ended by its answer, its deadline, its caller or the loss of the link; and
 * promises that somebody else or a signal settles.
 */
import type { Clock } from '../../runtime/clock.ts'
import { type CallOptions, LinkError } from './link.ts'

export interface Deferred<T> {
  promise: Promise<T>
  /** Only the first call of either counts. */
  resolve(value: T): void
  reject(error: unknown): void
}

/** A promise that somebody else settles. */
export const deferred = <T>(): Deferred<T> => {
  let settle: Pick<Deferred<T>, 'resolve' | 'reject'> = { resolve: () => {}, reject: () => {} }
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject }
  })
  return { promise, ...settle }
}

interface Bounds extends CallOptions {
  clock: Clock
  /** Names the call in messages. */
  what: string
  lost?: AbortSignal | undefined
  /** Makes the error for a passed deadline, if it is not LINK_TIMEOUT. */
  timeout?: (() => LinkError) | undefined
}

const cancelled = (what: string, signal: AbortSignal) =>
  new LinkError('LINK_CANCELLED', `${what} was cancelled`, { cause: signal.reason })

/** `stop` tells the work that nobody waits for it any more: it then closes what it holds, also what arrives late. */
export const bounded = <T>(bounds: Bounds, work: (stop: AbortSignal) => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const { clock, deadline, signal, lost, what } = bounds
    const stopper = new AbortController()
    const giveUp = (error: unknown) => {
      release()
      stopper.abort(error)
      reject(error)
    }
    const onTimeout = () => giveUp(bounds.timeout?.() ?? new LinkError('LINK_TIMEOUT', `${what} took too long`))
    const onCancel = () => signal && giveUp(cancelled(what, signal))
    const onLost = () => giveUp(lost?.reason)
    if (lost?.aborted) return reject(lost.reason)
    if (signal?.aborted) return reject(cancelled(what, signal))
    if (deadline <= clock.now())
      return reject(bounds.timeout?.() ?? new LinkError('LINK_TIMEOUT', `no time left for ${what}`))
    const timer = clock.at(deadline, onTimeout)
    signal?.addEventListener('abort', onCancel, { once: true })
    lost?.addEventListener('abort', onLost, { once: true })
    const release = () => {
      timer.cancel()
      signal?.removeEventListener('abort', onCancel)
      lost?.removeEventListener('abort', onLost)
    }
    work(stopper.signal).then(
      value => {
        release()
        resolve(value)
      },
      (error: unknown) => {
        release()
        reject(error)
      },
    )
  })

/** Calls once when the signal aborts, at once when it has; returns what takes that back. */
export const onAbort = (signal: AbortSignal, call: () => void): (() => void) => {
  if (signal.aborted) {
    call()
    return () => {}
  }
  signal.addEventListener('abort', call, { once: true })
  return () => signal.removeEventListener('abort', call)
}

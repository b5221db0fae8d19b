/** A promise that somebody else settles, once. */

export interface Deferred<T> {
  promise: Promise<T>
  /** Counts the first time only. */
  resolve(value: T): void
}

export const deferred = <T>(): Deferred<T> => {
  let settle: (value: T) => void = () => {}
  const promise = new Promise<T>(resolve => {
    settle = resolve
  })
  return { promise, resolve: value => settle(value) }
}

/** Resolves when the signal aborts. Only for signals that live no longer than the wait they end. */
export const aborted = <T>(signal: AbortSignal, value: T): Promise<T> => {
  const { promise, resolve } = deferred<T>()
  if (signal.aborted) resolve(value)
  else signal.addEventListener('abort', () => resolve(value), { once: true })
  return promise
}

/** Something that ends early by calls: a signal is made for whoever needs one. */

/** Something that may be aborted, as those see it who have to stop then. */
export interface Abortion {
  readonly aborted: boolean
  /** Made when it is first asked for: to make, hear and abort a signal costs more than most of what it ends. */
  readonly signal: AbortSignal
  /** Calls once, at once when it is aborted already; returns what takes that back. */
  onAbort(call: () => void): () => void
}

const NOTHING = () => {}

export const createAbortion = (reason: string): Abortion & { abort(): void } => {
  const calls = new Set<() => void>()
  let controller: AbortController | undefined
  let aborted = false
  return {
    get aborted() {
      return aborted
    },
    get signal() {
      controller ??= new AbortController()
      if (aborted) controller.abort(reason)
      return controller.signal
    },
    onAbort(call) {
      if (aborted) {
        call()
        return NOTHING
      }
      calls.add(call)
      return () => void calls.delete(call)
    },
    abort() {
      if (aborted) return
      aborted = true
      controller?.abort(reason)
      for (const call of calls) call()
      calls.clear()
    },
  }
}

/** Resolves as the promise does, or to undefined once the abortion comes. */
export const unlessAborted = <T>(promise: Promise<T>, { onAbort }: Pick<Abortion, 'onAbort'>): Promise<T | undefined> =>
  new Promise((resolve, reject) => {
    const forget = onAbort(() => resolve(undefined))
    promise.then(
      value => {
        forget()
        resolve(value)
      },
      (error: unknown) => {
        forget()
        reject(error)
      },
    )
  })

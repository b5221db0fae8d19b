/**
 * SIGINT, SIGTERM and SIGHUP: the first asks for an orderly end, the second ends the process as it would have without us.
 * A terminal that closes sends SIGHUP, often twice (the kernel and the shell), so a repeated SIGHUP changes nothing.
 */

/** With 128 + its number, as shells say it. */
const CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

type Handled = keyof typeof CODES
const HANDLED = Object.keys(CODES) as Handled[]

/** True when a repeated signal of this kind ends the process at once. */
export const endsAtOnce = (signal: Handled): boolean => signal !== 'SIGHUP'

/** Calls `end` for a signal that comes after `first` was aborted, before the process ends by it; returns how to stop. */
export const beforeEndAtOnce = (first: AbortSignal, end: () => void): (() => void) => {
  const listener = () => {
    if (first.aborted) end()
  }
  const names = HANDLED.filter(endsAtOnce)
  for (const name of names) process.prependListener(name, listener)
  return () => {
    for (const name of names) process.removeListener(name, listener)
  }
}

export const processSignals = () => {
  const stop = new AbortController()
  let listening = false
  let forgiven = false
  let code: number | undefined

  const listen = (signal: Handled) =>
    process.on(signal, () => {
      if (code !== undefined) {
        if (!endsAtOnce(signal)) return
        process.removeAllListeners(signal)
        process.kill(process.pid, signal)
      }
      code = CODES[signal]
      stop.abort(signal)
    })

  return {
    /** Listens from the first call on: until then a signal ends the process at once. */
    signal(): AbortSignal {
      if (!listening) HANDLED.forEach(listen)
      listening = true
      return stop.signal
    },
    isListening: () => listening,
    /** From now on a signal ends the process at once again, unless one has come already. */
    release() {
      if (!listening || code !== undefined) return
      for (const name of HANDLED) process.removeAllListeners(name)
      listening = false
    },
    /** The signal that came does not change the exit code. */
    forgive() {
      forgiven = true
    },
    /** 128 + the signal that came. */
    code: (): number | undefined => (forgiven ? undefined : code),
  }
}

export type Signals = ReturnType<typeof processSignals>

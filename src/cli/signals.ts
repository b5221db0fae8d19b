/** SIGINT and SIGTERM: the first asks for an orderly end, the second ends the process as it would have without us. */

/** With 128 + its number, as shells say it. */
const CODES = { SIGINT: 130, SIGTERM: 143 } as const

export interface Signals {
  /** Listens from the first call on: until then a signal ends the process at once. */
  signal(): AbortSignal
  isListening(): boolean
  /** From now on a signal ends the process at once again, unless one has come already. */
  release(): void
  /** The signal that came does not change the exit code. */
  forgive(): void
  /** 128 + the signal that came. */
  code(): number | undefined
}

export const processSignals = (): Signals => {
  const stop = new AbortController()
  let listening = false
  let forgiven = false
  let code: number | undefined

  const listen = (signal: keyof typeof CODES) =>
    process.on(signal, () => {
      if (code !== undefined) {
        process.removeAllListeners(signal)
        process.kill(process.pid, signal)
      }
      code = CODES[signal]
      stop.abort(signal)
    })

  return {
    signal() {
      if (!listening) {
        listen('SIGINT')
        listen('SIGTERM')
      }
      listening = true
      return stop.signal
    },
    isListening: () => listening,
    release() {
      if (!listening || code !== undefined) return
      for (const name of Object.keys(CODES)) process.removeAllListeners(name)
      listening = false
    },
    forgive() {
      forgiven = true
    },
    code: () => (forgiven ? undefined : code),
  }
}

/** Tells whether code ran since the last look that had never run before, by the block coverage of V8. */
import { Session } from 'node:inspector'

export interface Coverage {
  /** How many pieces of code ran for the first time. */
  news(): number
  close(): void
}

interface Taken {
  result: { url: string; functions: unknown[] }[]
}

/** Reports each block once: code stays optimised, which counting forbids. */
export const startCoverage = (): Coverage => {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: true })
  const news = (): number => {
    let found = 0
    session.post('Profiler.takePreciseCoverage', (error, taken?: Taken) => {
      if (error) throw error
      for (const { url, functions } of taken?.result ?? []) if (url.startsWith('file:')) found += functions.length
    })
    return found
  }
  return { news, close: () => session.disconnect() }
}

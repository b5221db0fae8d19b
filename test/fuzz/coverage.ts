/** Tells whether code ran since the last look that had never run before, by the block coverage of V8. */
import { Session } from 'node:inspector'

export interface Coverage {
  /** How many pieces of code ran for the first time. */
  news(): number
  close(): void
}

interface Taken {
  result: {
    scriptId: string
    url: string
    functions: { ranges: { startOffset: number; endOffset: number; count: number }[] }[]
  }[]
}

/** Counting keeps code from being optimised; without it, a block of a function that has run before is not told. */
export const startCoverage = (): Coverage => {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const seen = new Set<string>()
  const news = (): number => {
    const before = seen.size
    session.post('Profiler.takePreciseCoverage', (error, taken?: Taken) => {
      if (error) throw error
      for (const { scriptId, url, functions } of taken?.result ?? []) {
        if (!url.startsWith('file:')) continue
        for (const { ranges } of functions)
          for (const { startOffset, endOffset, count } of ranges)
            if (count > 0) seen.add(`${scriptId}:${startOffset}:${endOffset}`)
      }
    })
    return seen.size - before
  }
  return { news, close: () => session.disconnect() }
}

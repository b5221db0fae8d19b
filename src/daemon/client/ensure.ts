/** Makes sure of a daemon. The look at one that is there is quick; what it takes to have one started is loaded then. */
import { seek } from './seek.ts'
import type { Ensured, EnsureOptions } from './start-or-await.ts'

export const ensureDaemon = async (options: EnsureOptions): Promise<Ensured> => {
  const seen = await seek(options)
  if (seen.kind !== 'needed') return seen
  const { startOrAwait } = await import('./start-or-await.ts')
  return startOrAwait(options)
}

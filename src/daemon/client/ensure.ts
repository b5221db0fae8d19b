/** Makes sure of a daemon. The look at one that is there is quick; what it takes to have one started is loaded then. */
import { type Need, type SeekOptions, type Seen, seek } from './seek.ts'

export type Ensured = Exclude<Seen, { kind: 'needed' }>

export interface EnsureOptions extends SeekOptions {
  /** Starts or replaces the daemon, the lock being held already. Resolves to why there is none, if so. */
  start(need: Need): Promise<string | undefined>
}

export const ensureDaemon = async (options: EnsureOptions): Promise<Ensured> => {
  const seen = await seek(options)
  if (seen.kind !== 'needed') return seen
  const { startOrAwait } = await import('./start-or-await.ts')
  return startOrAwait(options)
}

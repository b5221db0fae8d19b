/** An execution is sent again only to a server that remembers the first sending. */
import type { Executor } from './execution.ts'

const LOOK_MS = 5_000

/**
 * A server on an address may be replaced by one with another journal, or with none, to which the execution would be new.
 * The daemon's door leads to processes of one home and one environment alone. `'unknown'` where no server answers now.
 */
export const remembersStill = async ({ door, ask, memory }: Executor): Promise<boolean | 'unknown'> => {
  if (memory === undefined) return false
  if (door.mayChooseIds) return true
  return ask('server.version', {}, { timeoutMs: LOOK_MS, isContinued: true }).then(
    ({ journal }) => journal === memory,
    () => 'unknown' as const,
  )
}

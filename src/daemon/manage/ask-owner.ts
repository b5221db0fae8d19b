/** A request about an execution, to the daemon that runs it: found by its pid, which the lease of the device names. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { LATE_ANSWER_MS } from '../../contracts/limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import { openLink } from '../client/link.ts'
import { deleteRequest } from '../client/requests.ts'
import { parseObject } from '../files.ts'
import { homeProblem } from '../home.ts'
import { liveOwner } from '../ownership.ts'
import { type DaemonPaths, daemonPaths } from '../paths.ts'

/** A cancellation takes no device; the daemon itself waits at most 5 s for its machine. */
const ANSWER_MS = 5_000 + LATE_ANSWER_MS

const METADATA = /^daemon-.+\.pid$/

/** Undefined when the process is no daemon of this home. */
export const daemonOf = (home: string, pid: number): DaemonPaths | undefined => {
  const { directory } = daemonPaths(home, undefined)
  if (homeProblem(daemonPaths(home, undefined)) !== undefined) return undefined
  try {
    for (const name of readdirSync(directory)) {
      const owner = METADATA.test(name) ? liveOwner(join(directory, name)) : undefined
      if (owner?.pid === pid) return daemonPaths(home, owner.rawDeviceId)
    }
  } catch {
    // There is no directory of daemons.
  }
  return undefined
}

/** What `DELETE /executions/:executionId` was answered; undefined when it was not. */
export const cancelThere = async (
  { socket }: DaemonPaths,
  executionId: string,
  { clock, signal }: { clock: Clock; signal?: AbortSignal },
): Promise<Readonly<Record<string, unknown>> | undefined> => {
  const link = openLink(socket, clock)
  const path = `/executions/${encodeURIComponent(executionId)}`
  const exchanged = await link.exchange(deleteRequest(path), { ms: ANSWER_MS, signal })
  link.close()
  return exchanged.kind === 'answered' ? parseObject(exchanged.answer.body.toString()) : undefined
}

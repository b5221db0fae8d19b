/** Finds the host of an execution that this host does not have. */
import type { Receipt } from '../../contracts/receipt.ts'
import { type ForwardOptions, forward } from './forward.ts'

export interface Located {
  host: string
  /** The receipt that the host mirrored to the fleet. */
  mirrored: Receipt | undefined
}

const LOOK_MS = 5_000

export const receiptRoute = (executionId: string): string => `/executions/${encodeURIComponent(executionId)}`

/** At the host that was sent it, or whose receipt was mirrored, else at whichever says that it has it. */
export const locate = async (executionId: string, options: ForwardOptions): Promise<Located | undefined> => {
  const { fleet } = options
  const asked = fleet.sentTo(executionId)
  if (asked !== undefined) return { host: asked, mirrored: undefined }
  const mirrored = await fleet.mirrored(executionId).catch(() => undefined)
  if (mirrored?.host !== undefined) return { host: mirrored.host, mirrored }
  const out = { method: 'GET', path: receiptRoute(executionId), withinMs: LOOK_MS }
  const answers = fleet.others().map(async host => {
    const outcome = await forward(host, out, options)
    if (outcome.kind !== 'answered' || outcome.response.status !== 200) throw new Error(`host ${host} does not have it`)
    return { host, mirrored }
  })
  return Promise.any(answers).catch(() => undefined)
}

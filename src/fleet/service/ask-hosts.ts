/** Asks the hosts of a fleet which of them has an execution. */
import type { Receipt } from '../../contracts/executions/receipt.ts'
import type { RequestOptions, Result, Service } from '../../service/service.ts'
import type { Fleet } from '../fleet.ts'

export interface Hosts {
  fleet: Fleet
  peer(host: string): Service
}

export const UNKNOWN = 'EXECUTION_NOT_FOUND'

/** True for the word of a host that it has no such execution; any other refusal proves nothing. */
export const isWithout = (result: Result<unknown>) => !result.ok && !result.unanswered && result.error.code === UNKNOWN

export interface Location {
  host: string
  /** The receipt that the host mirrored to the fleet. */
  mirrored: Receipt | undefined
}

/** Bounds the wait for the other hosts, which are asked whether they have an execution, or to cancel one that none has. */
export const LOOK_MS = 5_000

/** At the host that was sent it, or whose receipt was mirrored, else at whichever says that it has it; `without` gets those that say they do not. */
export const locate = async (
  executionId: string,
  { context }: RequestOptions,
  { fleet, peer }: Hosts,
  without: Set<string>,
): Promise<Location | undefined> => {
  const sentTo = fleet.sentTo(executionId)
  if (sentTo !== undefined) return { host: sentTo, mirrored: undefined }
  const mirrored = await fleet.mirrored(executionId).catch(() => undefined)
  if (mirrored?.host !== undefined) return { host: mirrored.host, mirrored }
  const call = { context: { caller: context.caller, answerWithinMs: LOOK_MS } }
  const answers = fleet.others().map(async host => {
    const found = await peer(host)['executions.get']({ executionId }, sentOn(call, fleet))
    if (isWithout(found)) without.add(host)
    if (!found.ok) throw new Error(`host ${host} does not have it`)
    return { host, mirrored }
  })
  return Promise.any(answers).catch(() => undefined)
}

/** Marked as sent by this host, so that the other one sends it no further. */
export const sentOn = (call: RequestOptions, { host: from }: Fleet): RequestOptions => ({
  ...call,
  context: { ...call.context, sent: { from } },
})

/** The other hosts that have not said that they are without it. */
export const unheard = (fleet: Fleet, without: ReadonlySet<string>): string[] =>
  [...fleet.others(), ...fleet.silent()].filter(host => !without.has(host)).sort()

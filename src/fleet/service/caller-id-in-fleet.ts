/** An execution id that its caller chose: repeated after its phone has moved, it may be known to the host that had the phone. */
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import { idTime } from '../../runtime/ids.ts'
import type { RequestOptions } from '../../service/service.ts'
import { mayHaveRun } from '../refusals.ts'
import { type Hosts, type Location, locate, unheard } from './ask-hosts.ts'

export interface ChosenIdDeps extends Hosts {
  clock: Clock
}

export type EarlierUse =
  | { kind: 'none' }
  | { kind: 'elsewhere'; location: Location }
  | { kind: 'unknown'; error: ErrorObject }

const NONE: EarlierUse = { kind: 'none' }
/** Clocks of the hosts of a fleet differ by less. */
const CLOCKS_APART_MS = 1_000

/** True for an id that was made after this host took the phone: every request under it came here. */
const isOnlyHere = (executionId: string, serial: string, { fleet, clock }: ChosenIdDeps): boolean => {
  const madeAt = idTime(executionId)
  if (madeAt === undefined) return false
  return madeAt > (fleet.heldSince(serial) ?? clock.now() - 2 * CLOCKS_APART_MS) + CLOCKS_APART_MS
}

/** A host that has just joined, or is heard again, answers after a while. */
const LOOKS = 8
const REST_MS = 400

const askedOthers = async (executionId: string, call: RequestOptions, deps: ChosenIdDeps): Promise<EarlierUse> => {
  const { fleet } = deps
  const without = new Set<string>()
  const location = await locate(executionId, call, deps, without)
  if (location && location.host !== fleet.host) return { kind: 'elsewhere', location }
  const silent = unheard(fleet, without)
  if (silent.length === 0 && fleet.isUp()) return NONE
  return { kind: 'unknown', error: mayHaveRun(executionId, silent) }
}

/** Asks the other hosts, unless this one had the phone all the time; for a few seconds those that do not answer. */
export const earlierUse = async (
  executionId: string,
  serial: string,
  call: RequestOptions,
  deps: ChosenIdDeps,
): Promise<EarlierUse> => {
  for (let look = 1; ; look++) {
    if (isOnlyHere(executionId, serial, deps)) return NONE
    const use = await askedOthers(executionId, call, deps)
    if (use.kind !== 'unknown' || look === LOOKS || call.signal?.aborted) return use
    await pause(deps.clock, REST_MS, call.signal)
  }
}

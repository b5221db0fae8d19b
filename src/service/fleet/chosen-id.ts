/** An execution id that its caller chose: repeated after its phone has moved, it may be known to the host that had the phone. */
import type { ErrorObject } from '../../contracts/error.ts'
import { mayHaveRun } from '../../fleet/refusals.ts'
import { idTime } from '../../runtime/ids.ts'
import type { Call } from '../service.ts'
import { type Hosts, type Location, locate, unheard } from './ask-hosts.ts'

export interface ChosenIdDeps extends Hosts {
  clock: { now(): number }
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

/** Asks the other hosts, unless this one had the phone all the time. */
export const earlierUse = async (
  executionId: string,
  serial: string,
  call: Call,
  deps: ChosenIdDeps,
): Promise<EarlierUse> => {
  const { fleet } = deps
  if (isOnlyHere(executionId, serial, deps)) return NONE
  const without = new Set<string>()
  const location = await locate(executionId, call, deps, without)
  if (location && location.host !== fleet.host) return { kind: 'elsewhere', location }
  const silent = unheard(fleet, without)
  if (silent.length === 0 && fleet.isUp()) return NONE
  return { kind: 'unknown', error: mayHaveRun(executionId, silent) }
}

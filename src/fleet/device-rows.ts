/** The devices of a fleet as lists show them. */

import type { Roster } from './membership/roster.ts'
import { distinct, type FleetRow, isAlive, rowOf } from './ownership/placement.ts'

/** Each phone of the hosts that are alive; then the other serials and hosts that lead to them, where these are wanted. */
export const devicesOf = (roster: Roster, everyWay = false): FleetRow[] => {
  const rows = new Set(distinct(roster, isAlive))
  if (everyWay) for (const host of roster.hosts().filter(isAlive)) for (const one of host.listed) rows.add(one)
  return Array.from(rows, rowOf)
}

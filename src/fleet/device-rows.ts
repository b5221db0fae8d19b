/** The devices of a fleet as lists show them. */
import { distinct, type FleetRow, isAlive, rowOf } from './placement.ts'
import type { Roster } from './roster.ts'

/** Each phone of the hosts that are alive; then the other serials and hosts that lead to them, where these are wanted. */
export const devicesOf = (roster: Roster, everyWay = false): FleetRow[] => {
  const rows = new Set(distinct(roster, isAlive))
  if (everyWay) for (const host of roster.hosts().filter(isAlive)) for (const one of host.listed) rows.add(one)
  return Array.from(rows, rowOf)
}

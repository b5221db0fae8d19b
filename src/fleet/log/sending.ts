/** To which devices this host is sending requests: what is about to run there is not known anywhere else yet. */
import { type FleetRow, idOf } from '../ownership/placement.ts'

export interface Sending {
  /** Sorts by requests on their way, fewest first; keeps the order of equals. */
  leastAsked(candidates: readonly FleetRow[]): FleetRow[]
  during<T>(row: FleetRow, work: () => Promise<T>): Promise<T>
}

export const createSending = (): Sending => {
  const counts = new Map<string, number>()
  const count = (row: FleetRow) => counts.get(idOf(row)) ?? 0
  return {
    leastAsked: candidates => [...candidates].sort((a, b) => count(a) - count(b)),
    async during(row, work) {
      const id = idOf(row)
      counts.set(id, count(row) + 1)
      try {
        return await work()
      } finally {
        if (count(row) > 1) counts.set(id, count(row) - 1)
        else counts.delete(id)
      }
    },
  }
}

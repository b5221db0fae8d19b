/** What being in a fleet costs: a click on a phone of another host, an event of another host, and how many hosts there are. */
import { routedRows } from './fleet-clicks.ts'
import { crowdRows } from './fleet-crowds.ts'
import type { BenchRow } from './row.ts'

export const fleetRows = async (): Promise<BenchRow[]> => [...(await routedRows()), ...(await crowdRows())]

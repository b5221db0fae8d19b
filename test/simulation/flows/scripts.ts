/** The scripts of flows in a simulated world, and the server that they order at: both take virtual time, and die with their process. */
import { flowScripts, type ScriptServer } from '../../support/flow-scripts.ts'
import type { Owner, Scheduler } from '../scheduler.ts'

/** How often each attempt has ordered something: the server has taken it, whoever still hears of that. */
export type Orders = Map<string, number>

const WAY_MS = { min: 1, max: 2_000 }

const serverFor = (scheduler: Scheduler, owner: Owner, orders: Orders, flowRunId: string): ScriptServer => ({
  push: url =>
    new Promise(resolve => {
      const later = (what: string, work: () => void) =>
        scheduler.post(owner, owner.random.int(WAY_MS.min, WAY_MS.max), what, () => {
          if (scheduler.cross(owner, what)) work()
        })
      later(`orders ${url}`, () => {
        const order = `${flowRunId} ${url}`
        orders.set(order, (orders.get(order) ?? 0) + 1)
        later(`hears of ${url}`, () => resolve(undefined))
      })
    }),
})

export const scriptsIn = (scheduler: Scheduler, orders: Orders) => (owner: Owner) => (flowRunId: string) =>
  flowScripts(flowRunId, serverFor(scheduler, owner, orders, flowRunId))

/** The scripts of flows in a simulated world, and the server that they order at: both take virtual time, and die with their process. */
import { flowScripts, type ScriptServer } from '../../support/flows/flow-scripts.ts'
import type { Owner, Scheduler } from '../scheduler.ts'
import { SECRET_URL } from './flow-text.ts'

/** How often each attempt has ordered something: the server has taken it, whoever still hears of that. */
export type Orders = Map<string, number>

const WAY_MS = { min: 1, max: 2_000 }

/** The response that holds the secret of a run under keys for which svc has words. */
const secretResponse = (secret: string) => ({
  ok: true,
  status: 200,
  headers: { id: secret, code: secret, state: secret, [secret]: 'as a key' },
  body: JSON.stringify({ id: secret, code: secret, state: `is ${secret}` }),
})

type SecretOf = (flowRunId: string) => string | undefined

const serverFor = (
  { scheduler, orders, secretOf }: { scheduler: Scheduler; orders: Orders; secretOf: SecretOf },
  owner: Owner,
  flowRunId: string,
): ScriptServer => ({
  push: url =>
    new Promise(resolve => {
      const later = (what: string, work: () => void) =>
        scheduler.post(owner, owner.random.int(WAY_MS.min, WAY_MS.max), what, () => {
          if (scheduler.cross(owner, what)) work()
        })
      later(`orders ${url}`, () => {
        const order = `${flowRunId} ${url}`
        orders.set(order, (orders.get(order) ?? 0) + 1)
        const secret = url === SECRET_URL ? secretOf(flowRunId) : undefined
        later(`hears of ${url}`, () => resolve(secret === undefined ? undefined : secretResponse(secret)))
      })
    }),
})

export const scriptsIn =
  (parts: { scheduler: Scheduler; orders: Orders; secretOf: SecretOf }) => (owner: Owner) => (flowRunId: string) =>
    flowScripts(flowRunId, serverFor(parts, owner, flowRunId))

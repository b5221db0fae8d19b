/** The service of this process: each request asks the actors and the journal here. */
import { failure } from '../../contracts/failures/failures.ts'
import { once } from '../../runtime/once.ts'
import { executionRequests } from '../executions.ts'
import type { Parts } from '../parts.ts'
import { failed, type RequestOptions, type Service, success } from '../service.ts'
import { localDevices } from './devices.ts'
import { GROUPS, type Group, type Requests } from './groups.ts'
import { localReceipts } from './receipts.ts'
import { createRun, type Run } from './run.ts'

const outside = () =>
  failed(
    failure('NOT_FOUND', 'This server is in no fleet.', { hint: 'Start it with svc serve --fleet <url of NATS>.' }),
  )

type Load<G extends Group> = () => Promise<{ requests(deps: Parts): Requests<G> }>

const LOADS: { readonly [G in Group]: Load<G> } = {
  files: () => import('./files.ts'),
  apps: () => import('./apps.ts'),
  settings: () => import('./settings.ts'),
  logs: () => import('./logs.ts'),
  forwards: () => import('./forwards.ts'),
  skills: () => import('./skills.ts'),
  emulators: () => import('./emulators.ts'),
  recordings: () => import('./recordings.ts'),
  leases: () => import('./leases.ts'),
  testRuns: () => import('./test-runs.ts'),
  actors: () => import('./actors.ts'),
}

type Late = (typeof GROUPS)[Group][number]
type Answer = (input: never, call: RequestOptions) => Promise<unknown>

const lateRequests = (deps: Parts): Pick<Service, Late> => {
  const entries = (Object.keys(GROUPS) as Group[]).flatMap(group => {
    const load = once(async () => (await LOADS[group]()).requests(deps) as unknown as Record<Late, Answer>)
    const ask =
      (id: Late): Answer =>
      async (input, call) =>
        (await load())[id](input, call)
    return GROUPS[group].map(id => [id, ask(id)] as const)
  })
  return Object.fromEntries(entries) as unknown as Pick<Service, Late>
}

/** Runs executions in this process, whichever service they come through. */
export interface Local {
  run: Run
  service: Service
}

export const createLocal = (deps: Parts): Local => {
  const run = createRun(deps)
  const { version, buildIdentity, journalName: name, troubles } = deps
  const service: Service = {
    'server.ping': async () => success({ ok: true }),
    'server.health': async () => success({ ok: true, troubles: troubles?.list() ?? [] }),
    'server.version': async () => success({ version, buildIdentity, ...(name === undefined ? {} : { journal: name }) }),
    ...localDevices(deps),
    ...lateRequests(deps),
    ...executionRequests(run, deps),
    ...localReceipts(deps, run),
    'fleet.status': async () => outside(),
    'fleet.drain': async () => outside(),
    'fleet.forget': async () => outside(),
    'parcels.put': async () => outside(),
    'parcels.get': async () => outside(),
  }
  return { run, service }
}

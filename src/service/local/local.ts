/** The service of this process: each request asks the actors and the journal here. */
import { failure } from '../../contracts/failures/failures.ts'
import { ROUTES } from '../../contracts/operations/routes.ts'
import { once } from '../../runtime/once.ts'
import { executionRequests } from '../executions.ts'
import type { Parts } from '../parts.ts'
import { failed, type RequestOptions, type Service, type ServiceId, success } from '../service.ts'
import type { localActors } from './actors.ts'
import { localDevices } from './devices.ts'
import { localReceipts } from './receipts.ts'
import { createRun, type Run } from './run.ts'

const outside = () =>
  failed(
    failure('NOT_FOUND', 'This server is in no fleet.', { hint: 'Start it with svc serve --fleet <url of NATS>.' }),
  )

const idsIn = <Id extends ServiceId>(is: (id: string) => boolean): readonly Id[] =>
  Object.keys(ROUTES).filter(is) as Id[]

const SKILLS = idsIn<'skills.list' | 'skills.get' | 'skills.run'>(id => id.startsWith('skills.'))
const EMULATORS = idsIn<Extract<ServiceId, `emulators.${string}`>>(id => id.startsWith('emulators.'))
const SETTINGS = ['settings.get'] as const
const LOGS = idsIn<'logs.read' | 'notifications.list'>(id => id === 'logs.read' || id.startsWith('notifications.'))
const APPS = idsIn<Extract<ServiceId, `apps.${string}`>>(id => id.startsWith('apps.'))
const RECORDINGS = idsIn<'recording.start' | 'recording.status' | 'recording.stop' | 'recordings.get'>(
  id => /^recordings?\./.test(id) && id !== ('recordings.video' as string),
)
const LEASES = idsIn<Extract<ServiceId, `leases.${string}`>>(id => id.startsWith('leases.'))
const TEST_RUNS = idsIn<Extract<ServiceId, `testRuns.${string}`>>(id => id.startsWith('testRuns.'))
type ForwardRequest = Extract<ServiceId, `forwards.${string}` | `reverses.${string}`>
const FORWARDS = idsIn<ForwardRequest>(id => /^(forwards|reverses)\./.test(id))
type ActorRequest = keyof ReturnType<typeof localActors>
const ACTORS = idsIn<ActorRequest>(
  id =>
    /^(actors|skillRuns)\.|^viewer\.(actors|executions|deviceScreen)$|^executions\.trace/.test(id) &&
    !id.endsWith('.follow'),
)

/** Loads a group of requests when one of them is first asked: most commands ask one request in all. */
const later = <Id extends ServiceId>(ids: readonly Id[], load: () => Promise<Pick<Service, Id>>): Pick<Service, Id> => {
  let loaded: Pick<Service, Id> | undefined
  const group = once(async () => {
    loaded = await load()
    return loaded
  })
  const ask = async (id: Id, input: never, call: RequestOptions) =>
    ((loaded ?? (await group()))[id] as (input: never, call: RequestOptions) => Promise<unknown>)(input, call)
  return Object.fromEntries(
    ids.map(id => [id, (input: never, call: RequestOptions) => ask(id, input, call)]),
  ) as unknown as Pick<Service, Id>
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
    ...later(['files.list'], async () => (await import('./files.ts')).localFiles(deps)),
    ...later(APPS, async () => (await import('./apps.ts')).localApps(deps)),
    ...later(SETTINGS, async () => (await import('./settings.ts')).localSettings(deps)),
    ...later(LOGS, async () => (await import('./logs.ts')).localLogs(deps)),
    ...later(FORWARDS, async () => (await import('./forwards.ts')).localForwards(deps)),
    ...executionRequests(run, deps),
    ...localReceipts(deps, run),
    ...later(SKILLS, async () => (await import('./skills.ts')).localSkills(deps)),
    ...later(EMULATORS, async () => (await import('./emulators.ts')).localEmulators(deps)),
    ...later(RECORDINGS, async () => (await import('./recordings.ts')).localRecordings(deps)),
    ...later(LEASES, async () => (await import('./leases.ts')).localLeases(deps)),
    ...later(TEST_RUNS, async () => (await import('./test-runs.ts')).localTestRuns(deps)),
    ...later(ACTORS, async () => (await import('./actors.ts')).localActors(deps)),
    'fleet.status': async () => outside(),
    'fleet.drain': async () => outside(),
    'fleet.forget': async () => outside(),
    'parcels.put': async () => outside(),
    'parcels.get': async () => outside(),
  }
  return { run, service }
}

/** The service of this process: each request asks the actors and the journal here. */
import { failure } from '../../contracts/failures.ts'
import { executionRequests } from '../executions.ts'
import { failed, type Service, success } from '../service.ts'
import { localActors } from './actors.ts'
import type { LocalDeps } from './deps.ts'
import { localDevices } from './devices.ts'
import { localEmulators } from './emulators.ts'
import { localReceipts } from './receipts.ts'
import { createRun, type Run } from './run.ts'
import { localSkills } from './skills.ts'

const outside = () =>
  failed(
    failure('NOT_FOUND', 'This server is in no fleet.', { hint: 'Start it with svc serve --fleet <url of NATS>.' }),
  )

/** Runs executions in this process, whichever service they come through. */
export interface Local {
  run: Run
  service: Service
}

export const createLocal = (deps: LocalDeps): Local => {
  const run = createRun(deps)
  const { version, buildIdentity, troubles } = deps
  const service: Service = {
    'server.ping': async () => success({ ok: true }),
    'server.health': async () => success({ ok: true, troubles: troubles?.list() ?? [] }),
    'server.version': async () => success({ version, buildIdentity }),
    ...localDevices(deps),
    ...executionRequests(run, deps),
    ...localReceipts(deps, run),
    ...localSkills(deps),
    ...localEmulators(deps),
    ...localActors(deps),
    'fleet.status': async () => outside(),
    'fleet.drain': async () => outside(),
    'fleet.forget': async () => outside(),
  }
  return { run, service }
}

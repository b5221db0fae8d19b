/** All requests of svc. A capability begins here: a route, an operation, and then one entry for each door that shows it. */
import { actors } from './actors.ts'
import { devices } from './devices.ts'
import { emulators } from './emulators.ts'
import { executions } from './executions.ts'
import { fleet } from './fleet.ts'
import { leases } from './leases.ts'
import type { Operation } from './operation.ts'
import { parcels } from './parcels.ts'
import { recordings } from './recordings.ts'
import type { RouteId } from './routes.ts'
import { server } from './server.ts'
import { skills } from './skills.ts'
import { testRuns } from './test-runs.ts'
import { viewer } from './viewer.ts'

export const OPERATIONS = {
  ...server,
  ...devices,
  ...recordings,
  ...leases,
  ...executions,
  ...skills,
  ...testRuns,
  ...emulators,
  ...actors,
  ...viewer,
  ...fleet,
  ...parcels,
} as const satisfies Readonly<Record<RouteId, Operation>>

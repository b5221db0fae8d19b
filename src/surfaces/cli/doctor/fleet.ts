/** `svc doctor` on a fleet: whether its NATS servers answer this host, and are safe to build on. Nothing is changed there. */

import { inspectServers } from '../../../fleet/ownership/safety.ts'
import type { SafetyCheck } from '../../../fleet/ownership/safety-checks.ts'
import { connectFleet, type FleetAddress } from '../../../fleet/servers/connection.ts'
import { FleetConfigurationError, readUrls } from '../../../fleet/servers/server-urls.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import { type Check, failed, fine, warning } from '../../../service/doctor/check.ts'

export interface FleetCheckOptions {
  address: FleetAddress
  monitors: readonly string[]
  clock: Clock
}

const LEVELS = { ok: fine, warn: warning, unsafe: failed }

const asCheck = ({ check, level, message, ...more }: SafetyCheck): Check =>
  LEVELS[level](`fleet ${check}`, message, more)

const unreachable = ({ urls }: FleetAddress, error: unknown): Check => {
  if (error instanceof FleetConfigurationError) return failed('fleet', error.message)
  // URLs may contain passwords; this leaves them out.
  const servers = readUrls(urls).servers.join(', ')
  return failed('fleet', `no connection to ${servers}: ${messageOf(error)}`, {
    hint: 'Check that at least one of these servers is running and reachable, and that --fleet-creds and --fleet-ca are right.',
  })
}

export const checkFleet = async ({ address, monitors, clock }: FleetCheckOptions): Promise<Check[]> => {
  const { names, self } = address
  try {
    const connection = await connectFleet(address, clock)
    try {
      const server = connection.nc.getServer()
      const connected = fine('fleet', `connected to ${server} as host ${self} of the fleet ${names.fleet}`)
      const checks = await inspectServers({ connection, names, self, clock, monitors })
      return [connected, ...checks.map(asCheck)]
    } finally {
      await connection.close()
    }
  } catch (error) {
    return [unreachable(address, error)]
  }
}

/** Lists hosts from what the servers keep, when no host is up to tell. */
import { Kvm } from '@nats-io/kv'
import type { FleetHostStatus } from '../../contracts/fleet.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { FleetClient } from '../servers/client.ts'
import { statusOf } from './host-status.ts'

/** All of them gone: when they were heard last is when their leases were written last. */
export const keptHosts = async (client: FleetClient, clock: Clock): Promise<FleetHostStatus[]> => {
  const { connection, names } = client
  const owners = await new Kvm(connection.js).open(names.owners)
  const rows: FleetHostStatus[] = []
  for (const { record } of client.hosts()) {
    const lease = await owners.get(names.lease(record.host))
    rows.push({
      ...statusOf(record, 'gone', 0),
      ready: 0,
      ...(lease ? { lastContactMs: Math.max(0, clock.now() - lease.created.getTime()) } : {}),
    })
  }
  return rows
}

/** The status of a host, from the record that it published. */
import type { FleetHostRecord, FleetHostState, FleetHostStatus } from '../../contracts/fleet.ts'

export const statusOf = (
  { host, version, protocol, pid, startedAt, labels, devices }: FleetHostRecord,
  state: FleetHostState,
  busy: number,
): FleetHostStatus => ({
  host,
  state,
  version,
  protocol,
  pid,
  startedAt,
  labels,
  devices: devices.length,
  ready: devices.filter(device => device.state === 'device').length,
  busy,
})

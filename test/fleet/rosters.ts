/** Rosters of hosts that say what a test has them say. */
import type { FleetHostRecord } from '../../src/contracts/fleet.ts'
import type { KnownHost } from '../../src/fleet/directory.ts'
import { createRoster, type Roster } from '../../src/fleet/membership/roster.ts'
import type { FleetRow } from '../../src/fleet/ownership/placement.ts'

export interface TestRow extends FleetRow {
  isBusy: boolean
  /** Of its host, as whether it drains is. */
  isAlive: boolean
}

const SELF = 'self'

export const recordOf = (host: string, more: Partial<FleetHostRecord> = {}): FleetHostRecord => ({
  protocol: 1,
  host,
  instance: `instance-of-${host}`,
  version: '1',
  pid: 1,
  startedAt: 0,
  draining: false,
  labels: {},
  devices: [],
  ...more,
})

const deviceOf = ({ serial, state, labels, phone, epoch }: TestRow) => ({
  serial,
  state,
  labels,
  ...(phone === undefined ? {} : { phone }),
  ...(epoch === undefined ? {} : { epoch }),
})

const knownOf = (host: string, rows: readonly TestRow[]): KnownHost => {
  const busy = rows.filter(({ isBusy }) => isBusy).map(({ serial }) => serial)
  const record = recordOf(host, { draining: rows.some(({ isDraining }) => isDraining), devices: rows.map(deviceOf) })
  return { record, revision: 1, beat: { instance: record.instance, revision: 1, head: 0, mirrored: 0, busy } }
}

/** As the host `self` sees it. */
export const rosterOf = (rows: readonly TestRow[], hosts: readonly string[]): Roster => {
  const of = (host: string) => rows.filter(row => row.host === host)
  const known = [...new Set([...rows.map(({ host }) => host), ...hosts])].map(host => knownOf(host, of(host)))
  return createRoster({
    host: SELF,
    record: () => knownOf(SELF, of(SELF)).record,
    busy: () => of(SELF).flatMap(({ isBusy, serial }) => (isBusy ? [serial] : [])),
    directory: () => ({ hosts: () => known, isAlive: host => of(host).every(({ isAlive }) => isAlive) }),
  })()
}

/** The devices of all hosts, as this host knows them: its own as they are now, those of the others as they told. */
import type { FleetHostRecord } from '../contracts/fleet.ts'
import type { Directory } from './directory.ts'
import type { FleetRow } from './placement.ts'

export interface RowsOptions {
  host: string
  record(): FleetHostRecord
  /** The serials of this host's own devices on which something runs. */
  busy(): string[]
  directory(): Pick<Directory, 'hosts' | 'isAlive'> | undefined
}

export const createRows =
  ({ host, record, busy, directory }: RowsOptions) =>
  (): FleetRow[] => {
    const others = (directory()?.hosts() ?? []).filter(known => known.record.host !== host)
    const all = [
      { record: record(), busy: busy(), isAlive: true },
      ...others.map(({ record: theirs, beat }) => ({
        record: theirs,
        busy: beat?.busy ?? [],
        isAlive: directory()?.isAlive(theirs.host) ?? false,
      })),
    ]
    return all.flatMap(({ record: { host: of, draining, devices }, busy: busyOf, isAlive }) =>
      devices.map(device => ({
        ...device,
        host: of,
        isBusy: busyOf.includes(device.serial),
        isAlive,
        isDraining: draining,
      })),
    )
  }

/** The devices of all hosts as this one knows them, found by serial and by phone without looking at every one. */
import type { FleetDevice, FleetHostRecord } from '../../contracts/fleet.ts'
import type { Directory } from '../directory.ts'

export interface RosterHost {
  readonly id: string
  readonly record: FleetHostRecord
  readonly isAlive: boolean
  /** The serials of its devices on which something runs. */
  readonly busy: ReadonlySet<string>
  readonly listed: readonly Listed[]
}

/** A device as one host lists it; another one may list the same phone. */
export interface Listed {
  readonly host: RosterHost
  readonly device: FleetDevice
}

export interface Roster {
  /** This one first. */
  hosts(): readonly RosterHost[]
  host(id: string): RosterHost | undefined
  withSerial(serial: string): readonly Listed[]
  withPhone(phone: string): readonly Listed[]
}

export interface RosterOptions {
  host: string
  record(): FleetHostRecord
  /** The serials of this host's own devices on which something runs. */
  busy(): readonly string[]
  directory(): Pick<Directory, 'hosts' | 'isAlive'> | undefined
}

class Host implements RosterHost {
  readonly id: string
  /** Its place among the hosts. */
  readonly order: number
  record: FleetHostRecord
  isAlive = true
  listed: readonly Listed[] = []
  #readBusy: () => readonly string[] = () => []
  #busy: ReadonlySet<string> | undefined

  constructor(record: FleetHostRecord, order: number) {
    this.id = record.host
    this.order = order
    this.record = record
  }

  /** Read when somebody asks: this host's own takes a look at the journal for each device. */
  get busy(): ReadonlySet<string> {
    this.#busy ??= new Set(this.#readBusy())
    return this.#busy
  }

  readsBusy(read: () => readonly string[]) {
    this.#readBusy = read
    this.#busy = undefined
  }
}

interface Place extends Listed {
  readonly host: Host
  device: FleetDevice
  /** Among the devices of its host. */
  readonly order: number
}

const NONE: readonly Place[] = []

/** Places under a key, in the order of hosts and of their devices. */
const createIndex = () => {
  const places = new Map<string, readonly Place[]>()
  return {
    of: (key: string): readonly Place[] => places.get(key) ?? NONE,
    add(key: string, place: Place) {
      const before = places.get(key)
      const inOrder = (a: Place, b: Place) => a.host.order - b.host.order || a.order - b.order
      places.set(key, before ? [...before, place].sort(inOrder) : [place])
    },
    remove(key: string, place: Place) {
      const left = (places.get(key) ?? NONE).filter(other => other !== place)
      if (left.length > 0) places.set(key, left)
      else places.delete(key)
    },
  }
}

/** Each call brings the one roster up to date: only hosts whose records changed are taken in anew. */
export const createRoster = ({ host: self, record, busy, directory }: RosterOptions): (() => Roster) => {
  const hosts = new Map<string, Host>()
  const serials = createIndex()
  const phones = createIndex()
  const placesOf = new Map<string, readonly Place[]>()
  let hostsMade = 0

  const takeOut = (id: string) => {
    for (const place of placesOf.get(id) ?? NONE) {
      serials.remove(place.device.serial, place)
      if (place.device.phone !== undefined) phones.remove(place.device.phone, place)
    }
    placesOf.delete(id)
  }

  /** True when these devices are the indexed ones; their other properties may have changed. */
  const areIndexed = (places: readonly Place[] | undefined, { devices }: FleetHostRecord): places is readonly Place[] =>
    places?.length === devices.length &&
    places.every(({ device: { serial, phone } }, at) => devices[at]?.serial === serial && devices[at]?.phone === phone)

  const takeIn = (found: FleetHostRecord): Host => {
    const before = hosts.get(found.host)
    if (before?.record === found) return before
    const host = before ?? new Host(found, hostsMade++)
    host.record = found
    const indexed = placesOf.get(host.id)
    if (areIndexed(indexed, found)) {
      for (const place of indexed) place.device = found.devices[place.order] ?? place.device
      return host
    }
    takeOut(host.id)
    const places = found.devices.map((device, order): Place => ({ host, device, order }))
    for (const place of places) {
      serials.add(place.device.serial, place)
      if (place.device.phone !== undefined) phones.add(place.device.phone, place)
    }
    host.listed = places
    placesOf.set(host.id, places)
    hosts.set(host.id, host)
    return host
  }

  const roster: Roster = {
    hosts: () => [...hosts.values()],
    host: id => hosts.get(id),
    withSerial: serials.of,
    withPhone: phones.of,
  }

  return () => {
    takeIn(record()).readsBusy(busy)
    const known = directory()
    const others = known?.hosts() ?? []
    for (const { record: theirs, beat } of others) {
      if (theirs.host === self) continue
      const host = takeIn(theirs)
      host.isAlive = known?.isAlive(host.id) ?? false
      host.readsBusy(() => beat?.busy ?? [])
    }
    if (hosts.size > others.length) {
      const ids = new Set([self, ...others.map(({ record: { host } }) => host)])
      for (const id of hosts.keys()) {
        if (ids.has(id)) continue
        takeOut(id)
        hosts.delete(id)
      }
    }
    return roster
  }
}

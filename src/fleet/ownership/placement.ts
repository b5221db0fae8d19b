/** Chooses the device and host for a request: by device id, by labels, or because there is only one. */
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure } from '../../contracts/failures/failures.ts'
import { FLEET_PROTOCOL, type Labels } from '../../contracts/fleet.ts'
import { fitting, isPlacement, readTerms } from '../membership/labels.ts'
import type { Listed, Roster, RosterHost } from '../membership/roster.ts'

/** A device as the whole fleet sees it. */
export interface FleetRow {
  host: string
  serial: string
  state: string
  labels: Labels
  phone?: string | undefined
  /** Under which its host owns it; absent for a host that does not. */
  epoch?: number | undefined
  isDraining: boolean
}

export type PlacementResult = { ok: true; candidates: [FleetRow, ...FleetRow[]] } | { ok: false; error: ErrorObject }

const READY = 'device'
const LIST_HINT = 'Name a device that `GET /devices` lists; the hosts are listed by `GET /fleet`.'
const CANDIDATES_MAX = 10
const LISTED_MAX = 100

export const idOf = ({ serial, host }: Pick<FleetRow, 'serial' | 'host'>): string => `${serial}@${host}`

/** Field by field: a spread takes ten times as long, and there are thousands. */
export const rowOf = ({ host: { id, record }, device: { serial, state, labels, phone, epoch } }: Listed): FleetRow => ({
  host: id,
  serial,
  state,
  labels,
  phone,
  epoch,
  isDraining: record.draining,
})

const nameOf = ({ host, device }: Listed): string => idOf({ serial: device.serial, host: host.id })

/** Hosts that answer rank above those that do not; among them, the owner ranks highest. */
const rank = ({ host, device: { state, epoch } }: Listed): number =>
  (host.isAlive ? 2 ** 50 : 0) + (state === READY ? 2 ** 49 : 0) + (epoch ?? (host.record.draining ? -1 : 0))

/** The listing of the phone's owner, if that host is alive; else the best of all that list it. */
const holderOf = (listed: Listed, roster: Roster): Listed => {
  const { phone } = listed.device
  if (phone === undefined) return listed
  let best: Listed | undefined
  for (const other of roster.withPhone(phone)) if (!best || rank(other) > rank(best)) best = other
  return best ?? listed
}

/** Each phone once, however many hosts list it. */
export function* distinct(roster: Roster, of: (host: RosterHost) => boolean = () => true): Generator<Listed> {
  for (const host of roster.hosts()) {
    if (!of(host)) continue
    for (const listed of host.listed) if (holderOf(listed, roster) === listed) yield listed
  }
}

export const isAlive = (host: RosterHost) => host.isAlive

const connectedIn = (roster: Roster): string[] => {
  const connected: string[] = []
  for (const listed of distinct(roster, isAlive)) {
    if (listed.device.state !== READY) continue
    if (connected.push(nameOf(listed)) === LISTED_MAX) break
  }
  return connected
}

interface ConnectedRow {
  deviceId: string
  model?: string
  state: 'idle' | 'running'
}

/** The state that the hosts told last. */
const connectedRow = (listed: Listed): ConnectedRow => {
  const { host, device } = listed
  const { model } = device.labels
  return {
    deviceId: nameOf(listed),
    ...(model === undefined ? {} : { model }),
    state: host.busy.has(device.serial) ? 'running' : 'idle',
  }
}

const connectedRows = (roster: Roster): ConnectedRow[] => {
  const rows: ConnectedRow[] = []
  for (const listed of distinct(roster, isAlive)) {
    if (listed.device.state !== READY) continue
    if (rows.push(connectedRow(listed)) === LISTED_MAX) break
  }
  return rows
}

const refuse = (...words: Parameters<typeof failure>): PlacementResult => ({ ok: false, error: failure(...words) })

const gone = (listed: Listed): PlacementResult =>
  refuse(
    'FLEET_HOST_GONE',
    `Host ${listed.host.id}, to which device ${listed.device.serial} is connected, does not answer.`,
    {
      details: { host: listed.host.id, deviceId: nameOf(listed), dispatched: false },
      hint: 'See `GET /fleet` for when it was heard last.',
    },
  )

const unready = (row: FleetRow, roster: Roster): PlacementResult => {
  const details = { state: row.state, host: row.host, connected: connectedIn(roster) }
  if (row.state === 'unauthorized' || row.state === 'authorizing') {
    return refuse('DEVICE_UNAUTHORIZED', `Device ${idOf(row)} has not allowed its host to debug it.`, {
      details,
      hint: 'Unlock the device and accept the question about USB debugging.',
    })
  }
  if (row.state === 'offline' || row.state === 'connecting') {
    return refuse('DEVICE_OFFLINE', `Device ${idOf(row)} is listed as ${row.state}.`, { details })
  }
  return refuse('DEVICE_NOT_FOUND', `Device ${idOf(row)} is in state ${row.state}, not ready for use.`, { details })
}

const taken = (listed: Listed, roster: Roster): PlacementResult => {
  if (!listed.host.isAlive) return gone(listed)
  const row = rowOf(listed)
  return row.state === READY ? { ok: true, candidates: [row] } : unready(row, roster)
}

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

interface Candidate extends Listed {
  isBusy: boolean
  /** How many devices of its host are busy. */
  busyThere: number
}

/** Idle before busy, hosts with less to do first, then by serial and host: the same view gives the same choice. */
const inOrder = (a: Candidate, b: Candidate): number =>
  Number(a.isBusy) - Number(b.isBusy) ||
  a.busyThere - b.busyThere ||
  byText(a.device.serial, b.device.serial) ||
  byText(a.host.id, b.host.id)

const isAmongFirst = (kept: readonly Candidate[], one: Candidate): boolean => {
  const last = kept[CANDIDATES_MAX - 1]
  return last === undefined || inOrder(one, last) < 0
}

/** Keeps the first few of many in order, without putting all of them in order. */
const keep = (kept: Candidate[], one: Candidate): void => {
  const at = kept.findIndex(other => inOrder(one, other) < 0)
  kept.splice(at < 0 ? kept.length : at, 0, one)
  kept.length = Math.min(kept.length, CANDIDATES_MAX)
}

const byLabels = (roster: Roster, deviceId: string): PlacementResult => {
  const read = readTerms(deviceId)
  if (!read.ok) {
    const hint = 'Give `deviceId` as any, or any:<label><comparison><value>,... with =, !=, <, <=, > or >=.'
    return refuse('INVALID_DEVICE_ID', `The device id ${JSON.stringify(deviceId)} cannot be read: ${read.message}.`, {
      hint,
    })
  }
  const fits = fitting(read.terms)
  const kept: Candidate[] = []
  for (const host of roster.hosts()) {
    if (!host.isAlive || host.record.draining || host.record.protocol !== FLEET_PROTOCOL) continue
    const { busy, listed, id } = host
    const busyThere = busy.size === 0 ? 0 : listed.filter(({ device }) => busy.has(device.serial)).length
    for (const one of listed) {
      const { device } = one
      if (device.state !== READY || !fits(device.labels, { host: id, serial: device.serial })) continue
      const candidate = { host, device, isBusy: busy.has(device.serial), busyThere }
      if (isAmongFirst(kept, candidate) && holderOf(one, roster) === one) keep(kept, candidate)
    }
  }
  const [first, ...others] = kept.map(rowOf)
  if (first) return { ok: true, candidates: [first, ...others] }
  return refuse('NO_DEVICES', `No ready device of a host that takes requests fits ${deviceId}.`, {
    details: { connected: connectedIn(roster) },
    hint: 'See `GET /devices` for the labels of each device, and `GET /fleet` for the hosts that drain, or speak another protocol.',
  })
}

const byId = (roster: Roster, wanted: string): PlacementResult => {
  const at = wanted.lastIndexOf('@')
  const host = at < 0 ? undefined : roster.host(wanted.slice(at + 1))
  const named = host
    ? roster.withSerial(wanted.slice(0, at)).filter(listed => listed.host === host)
    : roster.withSerial(wanted)
  // Its owner may be another host that sees the same phone, under another serial.
  const found = [...new Set(named.map(listed => holderOf(listed, roster)))]
  const alive = found.filter(listed => listed.host.isAlive)
  const [first, second] = alive.length > 0 ? alive : found
  if (!first) {
    const details = { connected: connectedIn(roster) }
    return refuse('DEVICE_NOT_FOUND', `Device ${wanted} is not connected to any host of the fleet.`, {
      details,
      hint: LIST_HINT,
    })
  }
  if (!second) return taken(first, roster)
  return refuse(
    'MULTIPLE_DEVICES_DEVICE_ID_REQUIRED',
    `Several hosts have a device ${wanted}; name one with its host.`,
    {
      details: { connected: found.map(nameOf), devices: found.map(connectedRow) },
    },
  )
}

const onlyOne = (roster: Roster): PlacementResult => {
  let first: Listed | undefined
  for (const listed of distinct(roster, isAlive)) {
    if (listed.device.state !== READY) continue
    if (!first) {
      first = listed
      continue
    }
    const connected = connectedIn(roster)
    return refuse('MULTIPLE_DEVICES_DEVICE_ID_REQUIRED', `${connected.length} devices are connected; name one.`, {
      details: { connected, devices: connectedRows(roster) },
      hint: 'Name one with `deviceId` as <serial>@<host>, or any of them as any.',
    })
  }
  if (first) return { ok: true, candidates: [rowOf(first)] }
  const notReady = Array.from(distinct(roster, isAlive), rowOf)
    .slice(0, LISTED_MAX)
    .map(row => `${idOf(row)} is ${row.state}`)
  return refuse('NO_DEVICES', 'No device is connected and ready.', {
    details: { connected: [] },
    hint:
      notReady.length === 0
        ? 'Connect a phone to a host of the fleet; the hosts are listed by `GET /fleet`.'
        : `Listed, but not ready: ${notReady.join(', ')}.`,
  })
}

/** A blank id counts as not given. */
export const place = (roster: Roster, deviceId: string | undefined): PlacementResult => {
  const wanted = deviceId?.trim() ?? ''
  if (wanted === '') return onlyOne(roster)
  return isPlacement(wanted) ? byLabels(roster, wanted) : byId(roster, wanted)
}

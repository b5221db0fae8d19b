/** Which device of which host a request is for: by its id, by labels, or because there is only one. */
import type { ErrorObject } from '../contracts/error.ts'
import { failure } from '../contracts/failures.ts'
import type { Labels } from '../contracts/fleet.ts'
import { isPlacement, readTerms, satisfies } from './labels.ts'

/** A device as the whole fleet sees it: one row for each host that lists it. */
export interface FleetRow {
  host: string
  serial: string
  state: string
  labels: Labels
  phone?: string | undefined
  /** Under which its host owns it; absent for a host that does not. */
  epoch?: number | undefined
  isBusy: boolean
  /** Whether its host was heard lately. */
  isAlive: boolean
  isDraining: boolean
}

export type Placed = { ok: true; candidates: [FleetRow, ...FleetRow[]] } | { ok: false; error: ErrorObject }

const READY = 'device'
const CANDIDATES_MAX = 10
const LISTED_MAX = 100

export const idOf = ({ serial, host }: Pick<FleetRow, 'serial' | 'host'>): string => `${serial}@${host}`

/** One row for a phone that several hosts see: that of its owner. */
export const distinct = (rows: readonly FleetRow[]): FleetRow[] => {
  const best = new Map<string, FleetRow>()
  for (const row of rows) {
    const key = row.phone ?? idOf(row)
    const before = best.get(key)
    if (!before || rank(row) > rank(before)) best.set(key, row)
  }
  return rows.filter(row => best.get(row.phone ?? idOf(row)) === row)
}

/** Who answers comes before who does not, the owner before all others that answer. */
const rank = ({ isAlive, epoch, state, isDraining }: FleetRow): number =>
  (isAlive ? 2 ** 50 : 0) + (state === READY ? 2 ** 49 : 0) + (epoch ?? (isDraining ? -1 : 0))

const connectedIn = (rows: readonly FleetRow[]) =>
  rows
    .filter(({ state, isAlive }) => state === READY && isAlive)
    .map(idOf)
    .slice(0, LISTED_MAX)

const refuse = (...words: Parameters<typeof failure>): Placed => ({ ok: false, error: failure(...words) })

const gone = (row: FleetRow): Placed =>
  refuse('FLEET_HOST_GONE', `Host ${row.host}, to which device ${row.serial} is connected, does not answer.`, {
    details: { host: row.host, deviceId: idOf(row), dispatched: false },
    hint: 'svc fleet status shows when it was heard last.',
  })

const unready = (row: FleetRow, connected: string[]): Placed => {
  const details = { state: row.state, host: row.host, connected }
  if (row.state === 'unauthorized' || row.state === 'authorizing') {
    return refuse('DEVICE_UNAUTHORIZED', `device ${idOf(row)} has not allowed its host to debug it`, {
      details,
      hint: 'unlock the device and accept the question about USB debugging',
    })
  }
  if (row.state === 'offline' || row.state === 'connecting') {
    return refuse('DEVICE_OFFLINE', `device ${idOf(row)} is listed as ${row.state}`, { details })
  }
  return refuse('DEVICE_NOT_FOUND', `device ${idOf(row)} is in state ${row.state}, not ready for use`, { details })
}

const taken = (row: FleetRow, connected: string[]): Placed => {
  if (!row.isAlive) return gone(row)
  return row.state === READY ? { ok: true, candidates: [row] } : unready(row, connected)
}

const busyOn = (rows: readonly FleetRow[], host: string) => rows.filter(row => row.host === host && row.isBusy).length

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Idle before busy, hosts with less to do first, then by serial and host: the same view gives the same choice. */
const byLabels = (rows: readonly FleetRow[], deviceId: string): Placed => {
  const read = readTerms(deviceId)
  if (!read.ok) {
    const hint = 'Write --device any, or any:<label><comparison><value>,... with =, !=, <, <=, > or >=.'
    return refuse('INVALID_DEVICE_ID', `The device id ${JSON.stringify(deviceId)} cannot be read: ${read.message}.`, {
      hint,
    })
  }
  const { terms } = read
  const fits = (row: FleetRow) =>
    terms.every(term => satisfies({ ...row.labels, host: row.host, serial: row.serial }, term))
  const usable = distinct(rows).filter(row => row.isAlive && !row.isDraining && row.state === READY && fits(row))
  const sorted = usable.sort(
    (a, b) =>
      Number(a.isBusy) - Number(b.isBusy) ||
      busyOn(rows, a.host) - busyOn(rows, b.host) ||
      byText(a.serial, b.serial) ||
      byText(a.host, b.host),
  )
  const [first, ...others] = sorted.slice(0, CANDIDATES_MAX)
  if (first) return { ok: true, candidates: [first, ...others] }
  return refuse('NO_DEVICES', `no ready device of the fleet fits ${deviceId}`, {
    details: { connected: connectedIn(distinct(rows)) },
    hint: 'GET /devices and svc devices show the labels of each device.',
  })
}

const byId = (rows: readonly FleetRow[], wanted: string, hosts: ReadonlySet<string>): Placed => {
  const all = distinct(rows)
  const connected = connectedIn(all)
  const at = wanted.lastIndexOf('@')
  const host = at < 0 ? undefined : wanted.slice(at + 1)
  const isHosted = host !== undefined && hosts.has(host)
  const named = rows.filter(row =>
    isHosted ? row.host === host && row.serial === wanted.slice(0, at) : row.serial === wanted,
  )
  // Its owner may be another host that sees the same phone, under another serial.
  const owners = new Set(named.map(row => all.find(({ phone }) => phone !== undefined && phone === row.phone) ?? row))
  const alive = [...owners].filter(({ isAlive }) => isAlive)
  const [first, second] = alive.length > 0 ? alive : owners
  if (!first) return refuse('DEVICE_NOT_FOUND', `device ${wanted} is not connected`, { details: { connected } })
  if (!second) return taken(first, connected)
  return refuse(
    'MULTIPLE_DEVICES_DEVICE_ID_REQUIRED',
    `several hosts have a device ${wanted}; name one with its host`,
    {
      details: { connected: [...owners].map(idOf) },
    },
  )
}

const onlyOne = (rows: readonly FleetRow[]): Placed => {
  const all = distinct(rows).filter(({ isAlive }) => isAlive)
  const connected = connectedIn(all)
  const [first, second] = all.filter(({ state }) => state === READY)
  if (first && !second) return { ok: true, candidates: [first] }
  if (first) {
    return refuse('MULTIPLE_DEVICES_DEVICE_ID_REQUIRED', `${connected.length} devices are connected; name one`, {
      details: { connected },
    })
  }
  const notReady = all.slice(0, LISTED_MAX).map(row => `${idOf(row)} is ${row.state}`)
  return refuse('NO_DEVICES', 'no device is connected and ready', {
    details: { connected },
    ...(notReady.length === 0 ? {} : { hint: notReady.join(', ') }),
  })
}

/** A blank id counts as not given. */
export const place = (rows: readonly FleetRow[], deviceId: string | undefined, hosts: ReadonlySet<string>): Placed => {
  const wanted = deviceId?.trim() ?? ''
  if (wanted === '') return onlyOne(rows)
  return isPlacement(wanted) ? byLabels(rows, wanted) : byId(rows, wanted, hosts)
}

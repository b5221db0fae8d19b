/** The fleet as one of its hosts sees it: where a device is, how another host is asked, what there is to tell. */

import type { Receipt } from '../contracts/executions/receipt.ts'
import { FLEET_PROTOCOL, type FleetHostState, type FleetHostStatus, type FleetStatus } from '../contracts/fleet.ts'
import type { Outcome } from '../contracts/outcome.ts'
import { ageMs, type Clock } from '../runtime/clock.ts'
import type { Ids } from '../runtime/ids.ts'
import type { FleetMember } from './deps.ts'
import { devicesOf } from './device-rows.ts'
import type { KnownHost } from './directory.ts'
import type { Exchange } from './exchange/exchange.ts'
import type { Exchanged, Progress } from './exchange/request.ts'
import { createSending } from './log/sending.ts'
import { statusOf } from './membership/host-status.ts'
import { createKeyHolds, KeyRecord } from './ownership/key-holds.ts'
import { type FleetRow, type PlacementResult, place } from './ownership/placement.ts'
import { cellOf } from './servers/compare-and-set.ts'
import type { Names } from './servers/names.ts'

export { type FleetRow, idOf } from './ownership/placement.ts'

export interface ForwardRequest {
  method: string
  /** With its query. */
  path: string
  headers: Readonly<Record<string, string>>
  body: Uint8Array
  withinMs: number
  /** The id of the execution that the request may start. */
  executionId?: string | undefined
  /** Cancels the request, and with it the execution that it makes. */
  signal?: AbortSignal | undefined
  onProgress?(progress: Progress): void
}

/** `unreachable`: this host has no server to send it through. */
export type Forwarded =
  | Exchanged
  | Outcome<never, { reason: 'unreachable' } | { reason: 'other protocol'; version: string; protocol: number }, never>

/** The device with which an Idempotency-Key was used first. */
export interface KeyHolder {
  host: string
  serial: string
  /** The execution that the first request was sent as, if the asked host chose its id. */
  executionId?: string
}

export interface HeldKey extends KeyHolder {
  /** Nobody had used it before. */
  isNew: boolean
  /** For a request whose execution was refused: frees the key unless it is in use by another request. */
  free(): Promise<void>
}

/** The parts of the membership that are asked here. */
export type FleetParts = Pick<
  FleetMember,
  | 'host'
  | 'connection'
  | 'stores'
  | 'directory'
  | 'state'
  | 'isServing'
  | 'heldSince'
  | 'knowsDevices'
  | 'roster'
  | 'record'
  | 'drain'
  | 'ended'
>

export interface FleetOptions {
  member: FleetParts
  names: Names
  clock: Clock
  ids: Ids
  exchange(): Exchange | undefined
  mirrored(executionId: string): Promise<Receipt | undefined>
  lag(): { head: number; mirrored: number }
}

/** Translates the state of the membership chart into the word that other hosts use. */
const ownState = (state: string): FleetHostState => {
  if (state === 'serving' || state === 'draining' || state === 'drained') return state
  return state === 'claiming' ? 'cut' : 'joining'
}

export const createFleet = (options: FleetOptions) => {
  const { member, names, clock, ids, exchange, mirrored, lag } = options
  const { host } = member
  const isConnected = () => member.connection()?.isUp() === true
  /** True when a NATS server is reachable and this host knows its own devices and those of the others. */
  const isUp = () => isConnected() && member.knowsDevices()
  /** Heard lately. */
  const isAlive = (other: string) => other === host || member.directory()?.isAlive(other) === true
  const known = (): KnownHost[] => (member.directory()?.hosts() ?? []).filter(({ record }) => record.host !== host)

  const keyCell = (key: string) => {
    const stores = member.stores()
    if (!stores) throw new Error('the buckets of the fleet are not open')
    return cellOf(stores.keys, names.idempotency(key), KeyRecord)
  }

  const ask = async (to: string, request: ForwardRequest, retries = 1): Promise<Forwarded> => {
    const through = exchange()
    const record = member.directory()?.host(to)?.record
    if (!through || record === undefined || !isConnected()) return { kind: 'not sent', reason: 'unreachable' }
    const { instance, protocol, version } = record
    if (protocol !== FLEET_PROTOCOL) return { kind: 'not sent', reason: 'other protocol', version, protocol }
    const { onProgress, signal, headers, executionId: _, ...rest } = request
    const exchanged = await through.ask(
      to,
      { ...rest, headers: { ...headers }, id: ids.instance(), instance },
      { isAlive: () => isAlive(to), signal, ...(onProgress ? { onProgress } : {}) },
    )
    // The host was started anew, and took nothing of this.
    if (exchanged.kind === 'not sent' && exchanged.reason === 'other instance' && retries > 0) {
      await member.directory()?.refresh(to)
      return ask(to, request, retries - 1)
    }
    return exchanged
  }

  /** The hosts of executions whose answers are waited for. */
  const sent = new Map<string, string>()

  const forward = async (to: string, request: ForwardRequest): Promise<Forwarded> => {
    const { executionId } = request
    if (executionId === undefined) return ask(to, request)
    sent.set(executionId, to)
    try {
      return await ask(to, request)
    } finally {
      sent.delete(executionId)
    }
  }

  const statusOfOther = ({ record, beat, heard }: KnownHost): FleetHostStatus => {
    const { draining, drained } = record
    const state = !isAlive(record.host) ? 'gone' : drained ? 'drained' : draining ? 'draining' : 'serving'
    return {
      ...statusOf(record, state, beat?.busy.length ?? 0),
      ...(beat ? { lag: Math.max(0, beat.head - beat.mirrored) } : {}),
      ...(heard ? { lastContactMs: Math.round(ageMs(clock, heard)) } : {}),
    }
  }

  const ownStatus = (): FleetHostStatus => {
    const { head, mirrored: done } = lag()
    const busy = member.roster().host(host)?.busy.size ?? 0
    const lagging = Math.max(0, head - done)
    return { ...statusOf(member.record(), ownState(member.state()), busy), lag: lagging, lastContactMs: 0 }
  }

  return {
    host,
    isUp,
    /** True while requests of other hosts are accepted. */
    isServing: member.isServing,
    /** Each phone once, of the hosts that are alive; then the other ways to them, where these are wanted. */
    devices: ({ everyWay = false } = {}): FleetRow[] => devicesOf(member.roster(), everyWay),
    place: (deviceId: string | undefined): PlacementResult => place(member.roster(), deviceId),
    /** True while something runs on a device of this host. */
    isBusy: (serial: string) => member.roster().host(host)?.busy.has(serial) === true,
    /** Since when nobody else acts on this host's device for the fleet. */
    heldSince(serial: string): number | undefined {
      const listed = member
        .roster()
        .withSerial(serial)
        .find(one => one.host.id === host)
      return listed?.device.phone === undefined ? undefined : member.heldSince(listed.device.phone)
    },
    sending: createSending(),
    knows: (id: string) => id === host || member.directory()?.host(id) !== undefined,
    isAlive,
    /** The ids of the other hosts that are alive. */
    others: (): string[] => known().flatMap(({ record }) => (isAlive(record.host) ? [record.host] : [])),
    /** The ids of the other hosts that are listed and were not heard lately. */
    silent: (): string[] => known().flatMap(({ record }) => (isAlive(record.host) ? [] : [record.host])),
    forward,
    /** The host that was sent this execution and has not answered yet. */
    sentTo: (executionId: string): string | undefined => sent.get(executionId),
    /** The newest receipt that was mirrored, for when its host cannot be asked. */
    mirrored,
    /** Whoever was first has the key for 24 hours. Rejects while the servers do not decide. */
    holdKey: createKeyHolds({
      clock,
      cellOf: keyCell,
      async remove(key, revision) {
        await member.stores()?.keys.delete(names.idempotency(key), { previousSeq: revision })
      },
    }),
    /** Reads which device holds the key; undefined proves nothing. */
    keyUse: async (key: string): Promise<KeyHolder | undefined> => (await keyCell(key).read()).value,
    newExecutionId: () => ids.at(clock.now()),
    status(): FleetStatus {
      const connection = member.connection()
      return {
        fleet: names.fleet,
        host,
        connected: isConnected(),
        ...(connection?.isUp() ? { server: connection.serverVersion() } : {}),
        hosts: [ownStatus(), ...known().map(statusOfOther)].sort((a, b) => (a.host < b.host ? -1 : 1)),
      }
    },
    statusOf(id: string): FleetHostStatus | undefined {
      if (id === host) return ownStatus()
      const found = member.directory()?.host(id)
      return found && statusOfOther(found)
    },
    drain: () => member.drain(),
    ended: member.ended,
    /** Reads what another host says of itself anew. */
    refresh: async (id: string) => member.directory()?.refresh(id),
    /** Removes what is kept of a host that is gone. */
    async forget(id: string) {
      await member.directory()?.forget(id)
    },
  }
}

export type Fleet = ReturnType<typeof createFleet>

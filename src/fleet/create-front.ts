/** The fleet as the routes of this host see it: where a device is, how another host is asked, what there is to tell. */
import type { FleetHostState, FleetHostStatus } from '../contracts/fleet.ts'
import type { Receipt } from '../contracts/receipt.ts'
import { ageMs, type Clock } from '../runtime/clock.ts'
import type { Ids } from '../runtime/ids.ts'
import { cellOf } from './compare-and-set.ts'
import type { FleetMember } from './deps.ts'
import type { KnownHost } from './directory.ts'
import type { Exchange } from './exchange/exchange.ts'
import type { FleetFront, Forwarded, ForwardRequest } from './front.ts'
import { statusOf } from './host-status.ts'
import { createKeyHolds, KeyRecord } from './key-holds.ts'
import type { Names } from './names.ts'
import { devicesOf, place } from './placement.ts'
import { createSending } from './sending.ts'

/** The parts of a member that the front uses. */
export type FrontMember = Pick<
  FleetMember,
  | 'host'
  | 'connection'
  | 'stores'
  | 'directory'
  | 'state'
  | 'isServing'
  | 'knowsDevices'
  | 'roster'
  | 'record'
  | 'drain'
>

export interface FrontOptions {
  member: FrontMember
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

export const createFront = (options: FrontOptions): FleetFront => {
  const { member, names, clock, ids, exchange, mirrored, lag } = options
  const { host } = member
  const isConnected = () => member.connection()?.isUp() === true
  const isUp = () => isConnected() && member.knowsDevices()
  const isAlive = (other: string) => other === host || member.directory()?.isAlive(other) === true
  const known = (): KnownHost[] => (member.directory()?.hosts() ?? []).filter(({ record }) => record.host !== host)

  const keyCell = (key: string) => {
    const stores = member.stores()
    if (!stores) throw new Error('the buckets of the fleet are not open')
    return cellOf(stores.keys, names.idempotency(key), KeyRecord)
  }

  const ask = async (to: string, request: ForwardRequest, retries = 1): Promise<Forwarded> => {
    const through = exchange()
    const instance = member.directory()?.host(to)?.record.instance
    if (!through || instance === undefined || !isConnected()) return { kind: 'unreachable' }
    const { onProgress, signal, headers, executionId: _, ...rest } = request
    const asked = await through.ask(
      to,
      { ...rest, headers: { ...headers }, id: ids.instance(), instance },
      { isAlive: () => isAlive(to), signal, ...(onProgress ? { onProgress } : {}) },
    )
    // It was started anew, and took nothing of this.
    if (asked.kind === 'other-instance' && retries > 0) {
      await member.directory()?.refresh(to)
      return ask(to, request, retries - 1)
    }
    return asked
  }

  /** The hosts of executions whose answers are waited for. */
  const sent = new Map<string, string>()

  const forward: FleetFront['forward'] = async (to, request) => {
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

  const own = (): FleetHostStatus => {
    const { head, mirrored: done } = lag()
    const busy = member.roster().host(host)?.busy.size ?? 0
    const lagging = Math.max(0, head - done)
    return { ...statusOf(member.record(), ownState(member.state()), busy), lag: lagging, lastContactMs: 0 }
  }

  return {
    host,
    isUp,
    isServing: member.isServing,
    devices: () => devicesOf(member.roster()),
    place: deviceId => place(member.roster(), deviceId),
    isBusy: serial => member.roster().host(host)?.busy.has(serial) === true,
    sending: createSending(),
    knows: id => id === host || member.directory()?.host(id) !== undefined,
    isAlive,
    others: () => known().flatMap(({ record }) => (isAlive(record.host) ? [record.host] : [])),
    silent: () => known().flatMap(({ record }) => (isAlive(record.host) ? [] : [record.host])),
    forward,
    sentTo: executionId => sent.get(executionId),
    mirrored,
    holdKey: createKeyHolds({
      clock,
      cellOf: keyCell,
      async remove(key, revision) {
        await member.stores()?.keys.delete(names.idempotency(key), { previousSeq: revision })
      },
    }),
    keyUse: async key => (await keyCell(key).read()).value,
    newExecutionId: () => ids.at(clock.now()),
    status() {
      const connection = member.connection()
      return {
        fleet: names.fleet,
        host,
        connected: isConnected(),
        ...(connection?.isUp() ? { server: connection.serverVersion() } : {}),
        hosts: [own(), ...known().map(statusOfOther)].sort((a, b) => (a.host < b.host ? -1 : 1)),
      }
    },
    statusOf(id) {
      if (id === host) return own()
      const found = member.directory()?.host(id)
      return found && statusOfOther(found)
    },
    drain: () => member.drain(),
    async forget(id) {
      await member.directory()?.forget(id)
    },
  }
}

/** Lists over all hosts of a fleet: what is known is answered, and the hosts that did not answer are named. */

import type { Receipt } from '../../contracts/executions/receipt.ts'
import { type Unanswered, unansweredField } from '../../contracts/fleet.ts'
import { LIST_LIMIT } from '../../contracts/limits/limits.ts'
import type { Reservation } from '../../contracts/reservation.ts'
import { messageOf } from '../../runtime/message-of.ts'
import { LIST_MS } from '../../service/deadline.ts'
import { withLeases } from '../../service/leased-devices.ts'
import { type InputOf, type OutputOf, type RequestOptions, type Service, success } from '../../service/service.ts'
import { type Fleet, idOf } from '../fleet.ts'
import { sentOn } from './ask-hosts.ts'
import type { FleetDeps } from './run.ts'

const HOSTS_AT_ONCE = 8
const DRAINING = { draining: true } as const

/** Hosts that need not be asked, since nobody hears them, or this one is cut off; by name. */
export const silentHosts = (fleet: Fleet): Unanswered[] =>
  (fleet.isUp()
    ? fleet.silent().map(host => ({ host, code: 'FLEET_HOST_GONE' }))
    : [...fleet.others(), ...fleet.silent()].map(host => ({ host, code: 'FLEET_UNREACHABLE' }))
  ).sort(byHost)

const byHost = (a: Unanswered, b: Unanswered): number => (a.host < b.host ? -1 : 1)

/** The host and the serial to ask for the receipts of `S@H`. */
const targetOf = (fleet: Fleet, deviceId: string | undefined): { only?: string; serial?: string } => {
  const at = deviceId?.lastIndexOf('@') ?? -1
  const only = at < 0 ? undefined : deviceId?.slice(at + 1)
  if (deviceId === undefined || only === undefined || !fleet.knows(only)) return {}
  return { only, serial: deviceId.slice(0, at) }
}

const newestFirst = (a: Receipt, b: Receipt) => b.acceptedAt - a.acceptedAt || (a.executionId < b.executionId ? 1 : -1)

const first = (receipts: Iterable<Receipt>, limit: number): Receipt[] => {
  const taken: Receipt[] = []
  for (const receipt of receipts) {
    if (taken.length === limit) break
    taken.push(receipt)
  }
  return taken
}

/** The devices of a host that does not answer are listed without their reservations. */
const leasesOf = async (
  { context: { sent: _, ...context }, ...call }: RequestOptions,
  { note }: FleetDeps,
  listLeases: Service['leases.list'],
): Promise<readonly Reservation[]> => {
  try {
    // A command of the fleet has sent the request to this host, which answers for all.
    const listed = await listLeases({}, { ...call, context })
    return listed.ok ? listed.value.leases : []
  } catch (error) {
    note(`The reservations of the devices of the fleet cannot be read: ${messageOf(error)}`)
    return []
  }
}

export const fleetLists = (
  ownService: Service,
  deps: FleetDeps,
  listLeases: Service['leases.list'],
): Pick<Service, 'devices.list' | 'executions.list'> => {
  const { fleet, peer, clock } = deps
  return {
    /**
     * A phone that several hosts see is listed by its owner; a host that is gone lists none, and is named. With `phones` the
     * other ways to a phone follow.
     */
    async 'devices.list'(input, call) {
      const unanswered = unansweredField(silentHosts(fleet))
      if (fleet.isUp()) {
        const isWithPhones = input.phones !== undefined
        const devices = fleet.devices({ everyWay: isWithPhones }).map(row => {
          const { serial, state, host, labels, phone, isDraining } = row
          const named = isWithPhones && phone !== undefined ? { phone } : {}
          return { serial, deviceId: idOf(row), state, ...named, host, labels, ...(isDraining ? DRAINING : {}) }
        })
        return success({
          ok: true,
          devices: withLeases(devices, await leasesOf(call, deps, listLeases)),
          ...unanswered,
        })
      }
      const listed = await ownService['devices.list'](input, call)
      if (!listed.ok) return listed
      const { host } = fleet
      const isDraining = ['draining', 'drained'].includes(fleet.statusOf(host)?.state ?? '')
      const devices = listed.value.devices.map(device => ({
        ...device,
        deviceId: idOf({ ...device, host }),
        host,
        ...(isDraining ? DRAINING : {}),
      }))
      return success({ ok: true, devices, ...unanswered })
    },

    async 'executions.list'(input, call) {
      if (call.context.sent) return ownService['executions.list'](input, call)
      const { only, serial } = targetOf(fleet, input.deviceId)
      const { limit = LIST_LIMIT.default } = input
      const query: InputOf<'executions.list'> = {
        ...input,
        limit,
        ...(serial === undefined ? {} : { deviceId: serial }),
      }
      const until = clock.elapsed() + LIST_MS
      const isMeant = (host: string) => only === undefined || only === host
      const unanswered = silentHosts(fleet).filter(({ host }) => isMeant(host))
      let executions: Receipt[] = []
      let hasOlder = false
      // A host of an earlier build does not know these filters.
      const isMeantReceipt = ({ taskId, outcome }: Receipt) =>
        (input.taskId === undefined || taskId === input.taskId) &&
        (input.outcome === undefined || outcome === input.outcome)
      const add = (listed: OutputOf<'executions.list'>) => {
        const more = first(listed.executions, limit)
        executions = [...executions, ...more.filter(isMeantReceipt)].sort(newestFirst).slice(0, limit)
        // Known once it has been read.
        hasOlder ||= listed.older?.() === true
      }
      const ask = async (host: string): Promise<void> => {
        const answerWithinMs = Math.floor(until - clock.elapsed())
        if (answerWithinMs <= 0) return void unanswered.push({ host, code: 'FLEET_HOST_GONE' })
        const sent = sentOn(call, fleet)
        const listed = await peer(host)['executions.list'](query, {
          ...sent,
          context: { ...sent.context, answerWithinMs },
        })
        if (listed.ok) add(listed.value)
        else unanswered.push({ host, code: listed.error.code })
      }
      const queue = fleet.isUp() ? fleet.others().filter(isMeant) : []
      const worker = async () => {
        for (let host = queue.shift(); host !== undefined; host = queue.shift()) await ask(host)
      }
      const asking = Promise.all(Array.from({ length: HOSTS_AT_ONCE }, worker))
      if (isMeant(fleet.host)) {
        const listed = await ownService['executions.list'](query, call)
        if (listed.ok) add(listed.value)
      }
      await asking
      return success({ executions, unanswered: unanswered.sort(byHost), older: () => hasOlder })
    },
  }
}

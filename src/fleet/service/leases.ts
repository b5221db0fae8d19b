/** Reservations in a fleet: kept by the host of the phone, and found there by their ids. */

import { unansweredField } from '../../contracts/fleet.ts'
import type { Reservation } from '../../contracts/reservation.ts'
import { LIST_MS } from '../../service/deadline.ts'
import { failed, type RequestOptions, type Result, type Service, success } from '../../service/service.ts'
import { LOOK_MS, sentOn } from './ask-hosts.ts'
import { silentHosts } from './lists.ts'
import type { FleetDeps } from './run.ts'

type Requests = 'leases.create' | 'leases.list' | 'leases.extend' | 'leases.end'
type Answered = Awaited<ReturnType<Service['leases.create']>>

/** Asks the device that the name leads to, here or at its host. */
export type Placed = <T>(
  deviceId: string,
  call: RequestOptions,
  ask: (service: Service, serial: string, call: RequestOptions) => Promise<Result<T>>,
) => Promise<Result<T>>

const CONFLICT = 'EXECUTION_CONFLICT_IN_FLIGHT'
const UNKNOWN = 'LEASE_NOT_FOUND'
/** Requests without a device ask where their reservation is; so many answers are remembered. */
const KNOWN_MAX = 1_000

/** The name under which every host of the fleet knows the device. */
const located = (lease: Reservation, host: string): Reservation => ({
  ...lease,
  host,
  deviceId: lease.host === undefined ? `${lease.deviceId}@${host}` : lease.deviceId,
})

export const fleetLeases = (ownService: Service, deps: FleetDeps, placed: Placed) => {
  const { fleet, peer, clock } = deps
  const known = new Map<string, string>()

  const remember = ({ leaseId, deviceId }: Reservation): void => {
    const [oldest] = known.keys()
    if (known.size >= KNOWN_MAX && oldest !== undefined) known.delete(oldest)
    known.set(leaseId, deviceId)
  }

  const withHost = (result: Answered, { context }: RequestOptions): Answered => {
    if (!result.ok || context.sent) return result
    const lease = located(result.value.lease, result.host ?? fleet.host)
    remember(lease)
    return { ...result, value: { ok: true, lease } }
  }

  /** Only the host that keeps a reservation does anything: the others say that they are without it. */
  const atItsHost = async (
    leaseId: string,
    call: RequestOptions,
    ask: (service: Service, call: RequestOptions) => Promise<Answered>,
  ): Promise<Answered> => {
    const here = withHost(await ask(ownService, call), call)
    const isElsewhere = !here.ok && here.error.code === UNKNOWN && here.error.details?.ended === undefined
    if (call.context.sent || !isElsewhere) return here
    const answers = await Promise.all(fleet.others().map(host => ask(peer(host), sentOn(call, fleet))))
    const decisive =
      answers.find(({ ok }) => ok) ??
      answers.find(one => !one.ok && one.error.code === UNKNOWN && one.error.details?.ended !== undefined) ??
      answers.find(one => !one.ok && !one.unanswered && one.error.code !== UNKNOWN)
    if (decisive) return withHost(decisive, call)
    const unheard = answers.flatMap((one, index) => (!one.ok && one.unanswered ? [fleet.others()[index] ?? ''] : []))
    const gone = [...new Set([...unheard, ...fleet.silent()])].sort()
    if (gone.length === 0 && fleet.isUp()) return here
    const hint = `Hosts that do not answer may have it: ${gone.join(', ')}. Ask again when \`GET /fleet\` shows them.`
    const details = { ...here.error.details, leaseId, gone }
    return failed({ ...here.error, details, hint })
  }

  const list: Service['leases.list'] = async (input, call) => {
    if (call.context.sent) return ownService['leases.list'](input, call)
    const unanswered = silentHosts(fleet)
    const { context, ...rest } = sentOn(call, fleet)
    const bounded = { ...rest, context: { ...context, answerWithinMs: Math.min(LIST_MS, LOOK_MS) } }
    const others = (fleet.isUp() ? fleet.others() : []).map(async host => {
      const listed = await peer(host)['leases.list'](input, bounded)
      if (listed.ok) return listed.value.leases.map(lease => located(lease, host))
      unanswered.push({ host, code: listed.error.code })
      return []
    })
    const [here, ...elsewhere] = await Promise.all([ownService['leases.list'](input, call), ...others])
    if (!here.ok) return here
    const leases = [...here.value.leases.map(lease => located(lease, fleet.host)), ...elsewhere.flat()].sort(
      (a, b) => a.since - b.since,
    )
    return success({ ok: true as const, leases, count: leases.length, ...unansweredField(unanswered) })
  }

  /** The device of a reservation, for a request that names none; undefined where nobody has said that it has it. */
  const deviceOf = async (leaseId: string, call: RequestOptions): Promise<string | undefined> => {
    const remembered = known.get(leaseId)
    if (remembered !== undefined) return remembered
    const listed = await list({}, { context: { caller: call.context.caller } })
    const found = listed.ok ? listed.value.leases.find(lease => lease.leaseId === leaseId) : undefined
    if (found) remember(found)
    return found?.deviceId
  }

  const requests: Pick<Service, Requests> = {
    async 'leases.create'(input, call) {
      const { waitMs = 0 } = input
      const until = clock.elapsed() + waitMs
      const ask = (isWaiting: boolean) =>
        placed(input.device, call, async (service, serial, options) => {
          const leftMs = isWaiting ? Math.max(0, Math.floor(until - clock.elapsed())) : 0
          return service['leases.create']({ ...input, device: serial, waitMs: leftMs }, options)
        })
      if (call.context.sent) return ownService['leases.create'](input, call)
      // One that is free is taken before any is waited for.
      const first = await ask(false)
      const mayWait = waitMs > 0 && !first.ok && first.error.code === CONFLICT
      return withHost(mayWait ? await ask(true) : first, call)
    },
    'leases.list': list,
    'leases.extend': (input, call) =>
      atItsHost(input.leaseId, call, (service, options) => service['leases.extend'](input, options)),
    'leases.end': (input, call) =>
      atItsHost(input.leaseId, call, (service, options) => service['leases.end'](input, options)),
  }
  return { requests, deviceOf }
}

export type LeaseDevice = ReturnType<typeof fleetLeases>['deviceOf']

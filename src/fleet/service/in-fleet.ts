/** The service of a host in a fleet: the only place that knows which host a request is for. */
import { failure } from '../../contracts/failures/failures.ts'
import { SKILL_TIMEOUT_MS } from '../../contracts/limits/limits.ts'
import { executionRequests, namedDevice } from '../../service/executions.ts'
import type { Local } from '../../service/local/local.ts'
import { localParcels } from '../../service/local/parcels.ts'
import { deadlineProblem } from '../../service/local/run.ts'
import { createParcelStore } from '../../service/parcels/store.ts'
import {
  failed,
  type InputOf,
  type OutputOf,
  type RequestOptions,
  type Result,
  type Service,
  type ServiceId,
  success,
} from '../../service/service.ts'
import { draining } from '../refusals.ts'
import { sentOn } from './ask-hosts.ts'
import { withBroughtFiles } from './brought-files.ts'
import { fleetLeases } from './leases.ts'
import { fleetLists } from './lists.ts'
import { fleetExecutions } from './locate.ts'
import { onFirstFree, placeDevice } from './place.ts'
import { createFleetRun, type FleetDeps, refusalHere } from './run.ts'

const unknownHost = (host: string) =>
  failed(
    failure('NOT_FOUND', `The fleet knows no host ${JSON.stringify(host)}.`, {
      hint: 'See `GET /fleet` for the hosts.',
    }),
  )

const CONFLICT = 409

const aliveHost = (host: string) =>
  failed(
    failure('FLEET_HOST_TAKEN', `Host ${host} is alive.`, {
      details: { host },
      hint: `Stop its svc serve first; \`POST /fleet/hosts/${host}/drain\` lets it finish what runs.`,
    }),
    { status: CONFLICT },
  )

type DeviceRequest = Extract<
  ServiceId,
  | `apps.${string}`
  | `forwards.${string}`
  | `reverses.${string}`
  | 'files.list'
  | 'settings.get'
  | 'logs.read'
  | 'notifications.list'
  | 'recording.status'
>

export const createInFleet = ({ run: ownRun, service }: Local, deps: FleetDeps): Service => {
  const { fleet, peer, clock } = deps
  const parcels = createParcelStore({ folder: deps.parcelsFolder, clock })
  const ownService: Service = { ...service, ...localParcels(deps, parcels) }

  /** For requests other than executions: with the serial of the device at the host that has it. */
  const placed = async <T>(
    deviceId: string,
    call: RequestOptions,
    ask: (service: Service, serial: string, call: RequestOptions) => Promise<Result<T>>,
    { isLook = false } = {},
  ): Promise<Result<T>> => {
    const here = (serial: string) => {
      const refusal = isLook ? undefined : refusalHere(deps, call)
      return refusal ? Promise.resolve(failed(refusal)) : ask(ownService, serial, call)
    }
    if (call.context.sent) return here(deviceId)
    const placement = await placeDevice(deviceId, deps)
    if (placement.kind === 'refused') return failed(placement.error)
    if (placement.kind === 'here') return here(placement.serial ?? deviceId)
    return onFirstFree(placement.candidates, fleet, async ({ host, serial, epoch, isDraining }) => {
      if (host === fleet.host) return here(serial)
      if (isDraining && !isLook) return failed(draining(host))
      const sent = { from: fleet.host, ...(epoch === undefined ? {} : { epoch }) }
      return ask(peer(host), serial, { ...call, context: { ...call.context, sent } })
    })
  }

  /** Asked at the host of the device; ports lead to it from that host, and take nothing from who owns the device. */
  const lookedAt =
    <Id extends DeviceRequest>(id: Id) =>
    (input: InputOf<Id>, call: RequestOptions): Promise<Result<OutputOf<Id>>> =>
      placed(
        (input as { deviceId: string }).deviceId,
        call,
        (service, serial, options) =>
          (service[id] as (input: object, call: RequestOptions) => Promise<Result<OutputOf<Id>>>)(
            { ...input, deviceId: serial },
            options,
          ),
        { isLook: true },
      )

  /** A run is on record at the host that did it. */
  const anywhere =
    <Id extends 'skillRuns.trace' | 'skillRuns.traceFile'>(id: Id) =>
    async (input: InputOf<Id>, call: RequestOptions): Promise<Result<OutputOf<Id>>> => {
      const ask = (service: Service, options: RequestOptions) =>
        (service[id] as (input: InputOf<Id>, call: RequestOptions) => Promise<Result<OutputOf<Id>>>)(input, options)
      const found = await ask(ownService, call)
      if (found.ok || call.context.sent) return found
      const others = fleet.others().map(async host => {
        const there = await ask(peer(host), sentOn(call, fleet))
        if (!there.ok) throw new Error(`host ${host} does not have it`)
        return there
      })
      return Promise.any(others).catch(() => found)
    }

  const leases = fleetLeases(ownService, deps, placed)

  return {
    ...ownService,
    ...leases.requests,
    ...executionRequests(withBroughtFiles(createFleetRun(ownRun, deps, leases.deviceOf), parcels), deps),
    ...fleetExecutions(ownService, deps),
    ...fleetLists(ownService, deps, leases.requests['leases.list']),
    'devices.get': (input, call) =>
      placed(
        input.deviceId,
        call,
        async (service, serial, options) => {
          const result = await service['devices.get']({ deviceId: serial }, options)
          if (!result.ok || call.context.sent) return result
          const { host = fleet.host, value } = result
          const device = { ...value.device, host, deviceId: `${value.device.serial}@${host}` }
          return { ...result, value: { ...value, device } }
        },
        { isLook: true },
      ),
    'apps.list': lookedAt('apps.list'),
    'apps.get': lookedAt('apps.get'),
    'apps.frames': lookedAt('apps.frames'),
    'apps.memory': lookedAt('apps.memory'),
    'files.list': lookedAt('files.list'),
    'settings.get': lookedAt('settings.get'),
    'logs.read': lookedAt('logs.read'),
    'notifications.list': lookedAt('notifications.list'),
    'forwards.list': lookedAt('forwards.list'),
    'forwards.add': lookedAt('forwards.add'),
    'forwards.remove': lookedAt('forwards.remove'),
    'reverses.list': lookedAt('reverses.list'),
    'reverses.add': lookedAt('reverses.add'),
    'reverses.remove': lookedAt('reverses.remove'),
    'recording.status': lookedAt('recording.status'),
    'recording.start': (input, call) =>
      placed(input.deviceId, call, (service, serial, options) =>
        service['recording.start']({ ...input, deviceId: serial }, options),
      ),
    'recording.stop': (input, call) =>
      placed(input.deviceId, call, (service, serial, options) =>
        service['recording.stop']({ deviceId: serial }, options),
      ),
    /** A run goes to another host only when a device is named; that host runs its own skill of this id. */
    async 'skills.run'(input, call) {
      const { leaseId, sent } = call.context
      const deviceId =
        namedDevice(input.deviceId) ??
        (leaseId === undefined || sent ? undefined : await leases.deviceOf(leaseId, call))
      const unfit = deadlineProblem(input.timeoutMs ?? SKILL_TIMEOUT_MS, call.context)
      if (unfit) return failed(unfit)
      if (deviceId !== undefined)
        return placed(deviceId, call, (service, serial, options) =>
          service['skills.run']({ ...input, deviceId: serial }, options),
        )
      const refusal = refusalHere(deps, call)
      return refusal ? failed(refusal) : ownService['skills.run'](input, call)
    },
    'skillRuns.trace': anywhere('skillRuns.trace'),
    'skillRuns.traceFile': anywhere('skillRuns.traceFile'),
    'fleet.status': async () => success({ ok: true, ...fleet.status() }),
    async 'fleet.drain'({ host }, call) {
      if (!fleet.knows(host)) return unknownHost(host)
      if (host !== fleet.host) {
        const drained = await peer(host)['fleet.drain']({ host }, sentOn(call, fleet))
        if (drained.ok) await fleet.refresh(host)
        return drained
      }
      await fleet.drain()
      return success({ ok: true, host, state: fleet.statusOf(host)?.state ?? 'draining' })
    },
    async 'fleet.forget'({ host }) {
      if (!fleet.knows(host)) return unknownHost(host)
      if (fleet.isAlive(host)) return aliveHost(host)
      if (!fleet.isUp()) return failed(failure('FLEET_UNREACHABLE', 'No NATS server answers: nothing was forgotten.'))
      await fleet.forget(host)
      return success({ ok: true, host, state: 'forgotten' })
    },
  }
}

/** A command's time as a client of its fleet: which commands go there, and how the service of the fleet is asked. */
import { join } from 'node:path'
import { FLEET_HOST } from '../../../contracts/limits/fleet-limits.ts'
import { ROUTES } from '../../../contracts/operations/routes.ts'
import type { Outcome } from '../../../contracts/outcome.ts'
import type { TellProgress } from '../../../contracts/records/actor.ts'
import { skillRunIn } from '../../../contracts/records/ids.ts'
import { isPlacement } from '../../../fleet/membership/labels.ts'
import { withFiles } from '../../../fleet/parcels/with-files.ts'
import { type FleetClient, FleetUnreachableError, openFleetClient } from '../../../fleet/servers/client.ts'
import { FleetConfigurationError } from '../../../fleet/servers/server-urls.ts'
import { clientTransport, fleetUnreachable, interruptedEarly, nobodyAnswers } from '../../../fleet/transport.ts'
import { homeOf } from '../../../runtime/home.ts'
import { systemIds } from '../../../runtime/ids.ts'
import { namedDevice } from '../../../service/executions.ts'
import { withPictures } from '../../../service/pictures.ts'
import { remote } from '../../../service/remote.ts'
import { failed, type Result, type Service, type ServiceId } from '../../../service/service.ts'
import { type CommandContext, usage } from '../command.ts'
import { isFleetDevice, isInFleet } from '../executions/execution-command.ts'
import { createTeller } from '../executions/step-progress.ts'
import { fleetAddressOf, usageOf } from './fleet-address.ts'

/** True when this machine lists the device; false when it cannot list devices. */
export const isConnectedHere = async ({ services, signal }: CommandContext, device: string): Promise<boolean> => {
  try {
    const devices = await (await services()).listDevices(signal)
    return devices.some(({ serial }) => serial === device.trim())
  } catch {
    return false
  }
}

/** A run is where its device is, and what it asks for without naming another host is for that device. */
export const goesToFleet = ({ env }: CommandContext, device: string | undefined): boolean =>
  isInFleet(env) && (skillRunIn(env) === undefined || isFleetDevice(device))

export { fleetUnreachable } from '../../../fleet/transport.ts'

type InFleet<T> = Outcome<{ value: T }, { reason: 'interrupted' } | { reason: 'unreachable'; why: string }, never>

const INTERRUPTED = Symbol('interrupted')

/** The servers may take long to say that they are not there. */
const unlessInterrupted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T | typeof INTERRUPTED> => {
  let leave = () => {}
  const left = new Promise<typeof INTERRUPTED>(resolve => {
    leave = () => resolve(INTERRUPTED)
  })
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  try {
    return await Promise.race([work, left])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

/** `work` is given the client, which is closed afterwards. */
export const inFleet = async <T>(
  call: CommandContext,
  work: (client: FleetClient) => Promise<T>,
): Promise<InFleet<T>> => {
  const { env, clock, signal } = call
  const address = fleetAddressOf(call, env)
  if (!address) {
    const hint = 'Set SVC_FLEET to the NATS servers of the fleet, such as nats://nats1:4222,nats://nats2:4222.'
    throw usage('No fleet is named.', { hint })
  }
  const opening = openFleetClient({ address, clock, ids: systemIds() })
  let client: FleetClient | typeof INTERRUPTED
  try {
    client = await unlessInterrupted(opening, signal)
  } catch (error) {
    if (error instanceof FleetUnreachableError) return { kind: 'not sent', reason: 'unreachable', why: error.message }
    if (error instanceof FleetConfigurationError) throw usageOf(error)
    throw error
  }
  if (client === INTERRUPTED) {
    // The client is closed when it is there after all; the process does not wait for that.
    opening.then(late => late.close()).catch(() => {})
    return { kind: 'not sent', reason: 'interrupted' }
  }
  try {
    return { kind: 'done', value: await work(client) }
  } finally {
    await client.close()
  }
}

export const serviceOfFleet = (
  client: FleetClient,
  { cwd, env, clock }: CommandContext,
  told?: TellProgress,
): Service => {
  const withoutFiles = withPictures(remote(clientTransport(client)), {
    relativeTo: cwd,
    folder: join(homeOf(env), 'screenshots'),
    ownerOnlyIn: homeOf(env),
    newExecutionId: () => systemIds().at(clock.now()),
  })
  return withFiles(withoutFiles, { relativeTo: cwd, told })
}

/** Requests that reach only this machine are asked here, and so is a skill without a device; the others go through the fleet. */
export const serviceWithFleet = (ownService: Service, client: FleetClient, call: CommandContext): Service => {
  const fleet = serviceOfFleet(client, call)
  const ids = Object.keys(ownService) as ServiceId[]
  const chosen = ids.map(id => [id, (ROUTES[id][3] === 'this host' ? ownService : fleet)[id]])
  return {
    ...(Object.fromEntries(chosen) as unknown as Service),
    'skills.run': (input, options) =>
      (namedDevice(input.deviceId) === undefined ? ownService : fleet)['skills.run'](input, options),
  }
}

/** The host that an id names, whether or not there is one. */
const hostNamedBy = (device = ''): string | undefined => {
  const id = device.trim()
  const at = id.lastIndexOf('@')
  const host = id.slice(at + 1)
  return at > 0 && !isPlacement(id) && FLEET_HOST.test(host) ? host : undefined
}

/** Undefined where the fleet cannot be reached and the device is connected to this machine: it is used without the fleet, too. */
export const askFleet = async <T>(
  call: CommandContext,
  device: string | undefined,
  ask: (service: Service, client: FleetClient) => Promise<Result<T>>,
): Promise<Result<T> | undefined> => {
  const teller = createTeller(call)
  let nobody = ''
  const done = await inFleet(call, async client => {
    const result = await ask(serviceOfFleet(client, call, teller.tell), client)
    nobody = nobodyAnswers(client)
    return result
  }).finally(teller.end)
  if (done.kind === 'not sent' && done.reason === 'interrupted') return failed(interruptedEarly())
  if (done.kind === 'done' && (done.value.ok || done.value.unanswered !== 'not sent' || call.signal.aborted))
    return done.value
  const why = done.kind === 'done' ? nobody : done.why
  if (device?.trim() && (await isConnectedHere(call, device))) {
    call.log.warn(
      `The fleet cannot be reached: ${why}. Device ${device} is connected to this machine and is used without it.`,
    )
    return undefined
  }
  const unreachable = failed(fleetUnreachable(why, hostNamedBy(device)))
  return done.kind === 'done' ? { ...unreachable, unanswered: 'not sent' } : unreachable
}

/** A command's time as a client of its fleet, and what it prints when nobody there can be reached. */
import type { ErrorObject } from '../../contracts/error.ts'
import { failure } from '../../contracts/failures.ts'
import { type FleetClient, FleetUnreachableError, openFleetClient } from '../../fleet/client.ts'
import { FleetConfigurationError } from '../../fleet/server-urls.ts'
import { systemIds } from '../../runtime/ids.ts'
import { type Call, usage } from '../command.ts'
import { fleetAddressOf, usageOf } from '../fleet-address.ts'

export type InFleet<T> = { kind: 'done'; value: T } | { kind: 'unreachable'; why: string } | { kind: 'interrupted' }

export const NOBODY_ANSWERS = 'no host of the fleet answers'

const HINT = 'Set SVC_FLEET to the NATS servers of the fleet, such as nats://nats1:4222,nats://nats2:4222.'

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
export const inFleet = async <T>(call: Call, work: (client: FleetClient) => Promise<T>): Promise<InFleet<T>> => {
  const { env, clock, signal } = call
  const address = fleetAddressOf(call, env)
  if (!address) throw usage('No fleet is named.', { hint: HINT })
  const opening = openFleetClient({ address, clock, ids: systemIds() })
  let client: FleetClient | typeof INTERRUPTED
  try {
    client = await unlessInterrupted(opening, signal)
  } catch (error) {
    if (error instanceof FleetUnreachableError) return { kind: 'unreachable', why: error.message }
    if (error instanceof FleetConfigurationError) throw usageOf(error)
    throw error
  }
  if (client === INTERRUPTED) {
    // It is closed when it is there after all; the process does not wait for that.
    opening.then(late => late.close()).catch(() => {})
    return { kind: 'interrupted' }
  }
  try {
    return { kind: 'done', value: await work(client) }
  } finally {
    await client.close()
  }
}

export const unreachableError = (why: string): ErrorObject =>
  failure('FLEET_UNREACHABLE', `The fleet cannot be reached: ${why}. Nothing was sent.`, {
    details: { dispatched: false },
    hint: 'svc doctor checks the servers; without SVC_FLEET a command is for the devices of this machine.',
  })

export const interruptedEarly = (): ErrorObject =>
  failure('EXECUTION_CANCELLED', 'Interrupted before anything was sent.', { details: { dispatched: false } })

/** Interrupts a request that a host may have taken. */
export const interruptedLate = (
  host: string,
  dispatched: boolean | 'unknown',
  executionId?: string | undefined,
): ErrorObject => {
  if (dispatched === false) {
    const { message, details, ...rest } = interruptedEarly()
    return { message, ...rest, details: { host, ...(executionId === undefined ? {} : { executionId }), ...details } }
  }
  return failure('EXECUTION_CANCELLED', `Interrupted while host ${host} was asked; the request may go on there.`, {
    details: { host, ...(executionId === undefined ? {} : { executionId }), dispatched },
    ...(executionId === undefined
      ? {}
      : { hint: `svc executions show ${executionId} says what became of it; svc executions cancel ends it.` }),
  })
}

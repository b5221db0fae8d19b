/** Words the errors for requests that another host did not answer: what is known, and how to find out more. */

import type { Receipt } from '../contracts/executions/receipt.ts'
import type { ErrorObject } from '../contracts/failures/error.ts'
import { failure } from '../contracts/failures/failures.ts'
import { FLEET_PROTOCOL } from '../contracts/fleet.ts'
import type { Forwarded } from './fleet.ts'

export interface AskedHost {
  host: string
  executionId: string | undefined
  /** True when the host reported that the request went to the device. */
  isDispatched: boolean
  /** Reads the receipt that the fleet keeps. */
  mirrored(executionId: string): Promise<Receipt | undefined>
}

/** The host may have told the servers what it could not tell the caller. */
const isMirroredAsDispatched = async ({ executionId, mirrored }: AskedHost): Promise<boolean> => {
  if (executionId === undefined) return false
  try {
    return (await mirrored(executionId))?.dispatchedAt !== undefined
  } catch {
    return false
  }
}

const lookUp = (executionId: string) => `See \`GET /executions/${executionId}\` at any host for what became of it.`

/** For a host that does not answer, and an execution that it has. */
export const executionUnanswered = (
  host: string,
  { executionId, dispatchedAt }: Pick<Receipt, 'executionId' | 'dispatchedAt'>,
): ErrorObject => {
  const effect =
    dispatchedAt === undefined ? 'whether it was sent to the device is unknown' : 'it was sent to the device'
  return failure('FLEET_HOST_GONE', `Host ${host}, which has execution ${executionId}, does not answer; ${effect}.`, {
    details: { host, executionId, dispatched: dispatchedAt === undefined ? 'unknown' : true },
    hint: lookUp(executionId),
  })
}

/** For a request that is repeated under its id at another host than the first one. */
export const mayHaveRun = (executionId: string, hosts: readonly string[]): ErrorObject => {
  const who = hosts.length === 0 ? 'Other hosts cannot be asked' : `These hosts do not answer: ${hosts.join(', ')}`
  return failure('FLEET_HOST_GONE', `${who}; one of them may have run execution ${executionId} already.`, {
    details: { executionId, ...(hosts.length === 0 ? {} : { gone: hosts }), dispatched: 'unknown' },
    hint: `${lookUp(executionId)} Ask again when \`GET /fleet\` shows them.`,
  })
}

export const draining = (host: string): ErrorObject =>
  failure('FLEET_HOST_GONE', `Host ${host} is draining and takes nothing new; nothing was sent to a device.`, {
    details: { host, dispatched: false },
    hint: `Name a device of another host, or restart svc serve on host ${host}: only a restart ends a drain.`,
  })

export const takesNothing = (host: string): ErrorObject =>
  failure('FLEET_HOST_GONE', `Host ${host} does not take requests; nothing was sent to a device.`, {
    details: { host, dispatched: false },
    hint: `Name a device of another host, or repeat the request when \`GET /fleet\` shows host ${host} as serving.`,
  })

const tooLate = (host: string): ErrorObject =>
  failure(
    'FLEET_HOST_GONE',
    `Host ${host} refused the request as too late, so its clock is ahead of the one here; nothing was sent to a device.`,
    { details: { host, dispatched: false }, hint: 'Let all hosts of the fleet follow one time server.' },
  )

const otherProtocol = (host: string, { version, protocol }: { version: string; protocol: number }): ErrorObject =>
  failure(
    'FLEET_HOST_GONE',
    `Host ${host} (svc ${version}) speaks protocol ${protocol} of fleets and this host protocol ${FLEET_PROTOCOL}; nothing was sent.`,
    {
      details: { host, protocol, dispatched: false },
      hint: `Bring all hosts of the fleet to one version of svc, the older ones first; \`GET /fleet\` lists the protocol of each.`,
    },
  )

const whom = (host: string | undefined) => (host === undefined ? 'the other hosts' : `host ${host}`)

/** Leave out `host` when any host could take the request. */
export const unreachable = (host?: string): ErrorObject =>
  failure('FLEET_UNREACHABLE', `No NATS server answers, so ${whom(host)} cannot be asked; nothing was sent.`, {
    details: { ...(host === undefined ? {} : { host }), dispatched: false },
    hint: 'Devices of this host work on: name one of them.',
  })

/** Refusals that concern the one device or host that was asked. */
const OF_THE_ASKED: ReadonlySet<string> = new Set([
  'EXECUTION_CONFLICT_IN_FLIGHT',
  'DEVICE_NOT_FOUND',
  'DEVICE_OFFLINE',
  'DEVICE_UNAUTHORIZED',
  'FLEET_HOST_GONE',
  'FLEET_UNREACHABLE',
])

/** True when a request for any of several devices may go to another one: nothing was accepted, and nothing done. */
export const mayGoElsewhere = ({ code, details }: ErrorObject, executionId: string | undefined): boolean =>
  OF_THE_ASKED.has(code) &&
  (details?.dispatched === false || (details?.dispatched === undefined && executionId === undefined))

export const refusalOf = async (
  forwarded: Exclude<Forwarded, { kind: 'done' }>,
  askedHost: AskedHost,
): Promise<ErrorObject> => {
  const { host, executionId } = askedHost
  if (forwarded.kind === 'not sent') {
    switch (forwarded.reason) {
      case 'unreachable':
        return unreachable(host)
      case 'other protocol':
        return otherProtocol(host, forwarded)
      case 'late':
        return tooLate(host)
      default:
        return takesNothing(host)
    }
  }
  const named = executionId === undefined ? {} : { executionId }
  const heard = askedHost.isDispatched || forwarded.progress?.dispatched === true
  const dispatched = heard || (await isMirroredAsDispatched(askedHost)) ? true : 'unknown'
  const effect =
    dispatched === true ? 'the request was sent to the device' : 'whether anything was sent to the device is unknown'
  const hint = executionId === undefined ? 'Look at the device before you repeat the request.' : lookUp(executionId)
  return failure('FLEET_HOST_GONE', `No answer came from host ${host}; ${effect}.`, {
    details: { host, ...named, dispatched },
    hint,
  })
}

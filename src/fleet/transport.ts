/** The way to another process over the exchange of a fleet: from a host to a host, and from a command to whichever host takes it. */
import type { ErrorObject } from '../contracts/failures/error.ts'
import { failure } from '../contracts/failures/failures.ts'
import { FLEET_PROTOCOL } from '../contracts/fleet.ts'
import { ROUTES, type RouteId } from '../contracts/operations/routes.ts'
import type { Dispatched } from '../contracts/outcome.ts'
import { clientTimeout, requestTimeout } from '../service/deadline.ts'
import { requestOf, resultOf } from '../service/http-transport.ts'
import type { Transport } from '../service/remote.ts'
import type { RequestOptions } from '../service/service.ts'
import { WITHIN_MS_MAX } from './exchange/limits.ts'
import type { Progress as ExchangeProgress } from './exchange/request.ts'
import type { Fleet } from './fleet.ts'
import { refusalOf } from './refusals.ts'
import type { FleetClient } from './servers/client.ts'

const tellProgress =
  ({ onProgress, context: { executionId } }: RequestOptions, host: string) =>
  (state: 'asked' | 'waiting' | 'accepted' | 'dispatched') =>
    onProgress?.({ kind: 'elsewhere', host, state, executionId })

const stateOf = ({ dispatched, waiting }: ExchangeProgress) =>
  waiting ? 'waiting' : dispatched ? 'dispatched' : 'accepted'

const actsOnDevice = (id: RouteId): boolean => ROUTES[id][2] === 'acts' && ROUTES[id][3] !== 'named host'

/** For a request that changes nothing on a device. */
const unheard = (host: string): ErrorObject =>
  failure('FLEET_HOST_GONE', `No answer came from host ${host}.`, {
    details: { host, dispatched: false },
    hint: 'Ask again when `GET /fleet` shows the host.',
  })

export const hostTransport = (fleet: Fleet, host: string): Transport => ({
  async send(id, input, call) {
    const { signal, context } = call
    const fields: object = input as object
    const { answerWithinMs = Number.POSITIVE_INFINITY, executionId, sent } = context
    const tell = tellProgress(call, host)
    let isDispatched = false
    let isAccepted = false
    tell('asked')
    // A request that still waits there for its device leaves the queue with the connection of its caller.
    const left = new AbortController()
    const onLeave = () => isAccepted || left.abort()
    call.leave?.addEventListener('abort', onLeave, { once: true })
    if (call.leave?.aborted) onLeave()
    const forwarded = await fleet.forward(host, {
      ...requestOf(id, fields, {
        ...context,
        // The exchange tells how long is left, and this host fetches the pictures.
        answerWithinMs: undefined,
        fetchesPictures: undefined,
        sent: { from: fleet.host, epoch: sent?.epoch },
      }),
      withinMs: Math.min(answerWithinMs, requestTimeout(id, fields)),
      executionId,
      signal: call.leave ? AbortSignal.any([left.signal, ...(signal ? [signal] : [])]) : signal,
      onProgress(progress) {
        isAccepted = progress.waiting !== true
        isDispatched ||= progress.dispatched
        tell(stateOf(progress))
      },
    })
    call.leave?.removeEventListener('abort', onLeave)
    if (forwarded.kind === 'done') return { kind: 'done', result: resultOf(id, input, forwarded.answer, host) }
    const error = await refusalOf(forwarded, { host, executionId, isDispatched, mirrored: fleet.mirrored })
    const { kind } = forwarded
    return { kind, error: kind === 'not sent' || actsOnDevice(id) ? error : unheard(host) }
  },
})

/** Hosts of another protocol are not asked. */
export const nobodyAnswers = (client: Pick<FleetClient, 'hosts'>): string => {
  const others = client
    .hosts()
    .filter(({ record }) => record.protocol !== FLEET_PROTOCOL)
    .map(({ record: { host, version, protocol } }) => `${host} (svc ${version}, protocol ${protocol})`)
  const sentence = 'no host of the fleet answers'
  if (others.length === 0) return sentence
  return `${sentence} that speaks protocol ${FLEET_PROTOCOL} as this command does; another one is spoken by ${others.join(', ')}`
}

/** Leave out `host` when any host could take the request. */
export const fleetUnreachable = (why: string, host?: string): ErrorObject =>
  failure('FLEET_UNREACHABLE', `The fleet cannot be reached: ${why}. Nothing was sent.`, {
    details: { ...(host === undefined ? {} : { host }), dispatched: false },
    hint: 'Check the servers with svc doctor; without SVC_FLEET a command is for the devices of this machine.',
  })

export const interruptedEarly = (): ErrorObject =>
  failure('EXECUTION_CANCELLED', 'Interrupted before anything was sent.', { details: { dispatched: false } })

/** For a request that a host may have taken. */
const interruptedLate = (host: string, dispatched: Dispatched, executionId: string | undefined): ErrorObject => {
  const named = { host, ...(executionId === undefined ? {} : { executionId }) }
  if (dispatched === false) {
    const early = interruptedEarly()
    return { ...early, details: { ...named, ...early.details } }
  }
  return failure('EXECUTION_CANCELLED', `Interrupted while host ${host} was asked; the request may go on there.`, {
    details: { ...named, dispatched },
    ...(executionId === undefined
      ? {}
      : {
          hint: `See \`GET /executions/${executionId}\` for what became of it; \`DELETE /executions/${executionId}\` ends it.`,
        }),
  })
}

/** The host that an id ends with, if the fleet knows it: `<serial>@<host>`. */
const hostIn = (client: FleetClient, deviceId: unknown): string | undefined => {
  const text = typeof deviceId === 'string' ? deviceId.trim() : ''
  const at = text.lastIndexOf('@')
  const host = text.slice(at + 1)
  return at > 0 && client.knows(host) ? host : undefined
}

/** Asks the named host first, then the host of this machine, then the others. */
export const clientTransport = (client: FleetClient): Transport => ({
  async send(id, input, call) {
    const { signal, context } = call
    const { executionId } = context
    const fields: object = input as object
    const { host: named, deviceId } = input as { host?: string; deviceId?: unknown }
    const { method, ...request } = requestOf(id, fields, { ...context, answerWithinMs: requestTimeout(id, fields) })
    const outcome = await client.ask(
      {
        method: method as 'GET',
        ...request,
        withinMs: Math.min(clientTimeout(id, fields), WITHIN_MS_MAX),
        ...(signal === undefined ? {} : { signal }),
        ...(executionId === undefined ? {} : { executionId }),
        onAsked: host => tellProgress(call, host)('asked'),
        onProgress: (host, progress) => tellProgress(call, host)(stateOf(progress)),
      },
      id === 'fleet.drain' ? named : hostIn(client, deviceId),
    )
    const { kind } = outcome
    if (kind === 'done') return { kind, result: resultOf(id, input, outcome.answer, outcome.host) }
    if (outcome.reason === 'absent') return { kind, error: fleetUnreachable(nobodyAnswers(client)) }
    if (outcome.reason === 'lost') return { kind, error: outcome.error }
    const isHarmless = outcome.kind === 'not sent' || (ROUTES[id][2] === 'looks' && method === 'GET')
    const dispatched = isHarmless ? false : outcome.isDispatched || 'unknown'
    return { kind, error: interruptedLate(outcome.host, dispatched, executionId) }
  },
})

/** A request that another host of the fleet answers: sent there, and what its answer, or the lack of one, means here. */
import type { IncomingMessage } from 'node:http'
import {
  ANSWER_WITHIN_HEADER,
  CALLER_HEADER,
  CHOSEN_ID_HEADER,
  CONFIRMED_HEADER,
  FREE_OPERATOR_HEADER,
} from '../../contracts/daemon-headers.ts'
import type { ErrorObject } from '../../contracts/error.ts'
import { FLEET_EPOCH_HEADER, FLEET_FROM_HEADER, FLEET_HOST_HEADER } from '../../contracts/fleet-headers.ts'
import { EXECUTION_ID_HEADER } from '../../contracts/literals.ts'
import { IDEMPOTENCY_KEY_HEADER } from '../../contracts/operations/operation.ts'
import { SKILL_RUN_HEADER } from '../../contracts/skill-run-id.ts'
import type { Progress } from '../../fleet/exchange/request.ts'
import type { FleetFront } from '../../fleet/front.ts'
import { refusalOf } from '../../fleet/refusals.ts'
import { refuse } from '../answer.ts'

export interface Outgoing {
  method: string
  path: string
  body?: unknown
  withinMs: number
  /** Of the execution that it may make, chosen here so that its receipt can be asked for whatever becomes of the answer. */
  executionId?: string | undefined
  epoch?: number | undefined
  /** Cancels the request, and with it the execution that it makes. */
  signal?: AbortSignal | undefined
  /** Hears what the host tells of it before it answers. */
  onProgress?: ((progress: Progress) => void) | undefined
}

const PASSED_ON = [IDEMPOTENCY_KEY_HEADER, SKILL_RUN_HEADER, FREE_OPERATOR_HEADER].map(name => name.toLowerCase())
/** Believed from callers of this user only. */
const PASSED_ON_PRIVATELY = [CALLER_HEADER, CONFIRMED_HEADER]

const picked = ({ headers }: Asking, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap(name => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )

/** What the caller waits, if that is less. */
const waitOf = ({ headers }: Asking, { withinMs }: Outgoing): number => {
  const said = Number(headers[ANSWER_WITHIN_HEADER] ?? withinMs)
  return Number.isSafeInteger(said) && said > 0 ? Math.min(said, withinMs) : withinMs
}

/** What is passed on of the request that causes this one. */
export type Asking = Pick<IncomingMessage, 'headers'>

export interface ForwardOptions {
  fleet: FleetFront
  incoming: Asking
  isPrivate: boolean
}

export type Outcome =
  | { kind: 'answered'; response: Response; body: Uint8Array }
  | { kind: 'refused'; error: ErrorObject }

const TEXT = new TextEncoder()

export const forward = async (host: string, out: Outgoing, options: ForwardOptions): Promise<Outcome> => {
  const { fleet, incoming, isPrivate } = options
  const { executionId, epoch } = out
  let isDispatched = false
  const forwarded = await fleet.forward(host, {
    method: out.method,
    path: out.path,
    headers: {
      ...(out.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...picked(incoming, PASSED_ON),
      ...(isPrivate ? picked(incoming, PASSED_ON_PRIVATELY) : {}),
      [FLEET_FROM_HEADER]: fleet.host,
      ...(executionId === undefined ? {} : { [CHOSEN_ID_HEADER]: executionId }),
      ...(epoch === undefined ? {} : { [FLEET_EPOCH_HEADER]: String(epoch) }),
    },
    body: out.body === undefined ? new Uint8Array() : TEXT.encode(JSON.stringify(out.body)),
    withinMs: waitOf(incoming, out),
    executionId,
    signal: out.signal,
    onProgress: progress => {
      isDispatched ||= progress.dispatched
      out.onProgress?.(progress)
    },
  })
  if (forwarded.kind === 'answered') {
    const { status, headers, body } = forwarded.answer
    const response = new Response(body as Uint8Array<ArrayBuffer>, {
      status,
      headers: { ...headers, [FLEET_HOST_HEADER]: host },
    })
    return { kind: 'answered', response, body }
  }
  const { mirrored } = fleet
  return { kind: 'refused', error: await refusalOf(forwarded, { host, executionId, isDispatched, mirrored }) }
}

/** With the id under which the receipt is found, if there may be one. */
export const refuseForwarded = (error: ErrorObject): Response => {
  const id = error.details?.executionId
  return refuse(error, typeof id === 'string' ? { headers: { [EXECUTION_ID_HEADER]: id } } : {})
}

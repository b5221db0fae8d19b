/** A request that another host of the fleet answers: sent there, and what its answer, or the lack of one, means here. */
import type { ErrorObject } from '../../contracts/error.ts'
import { EXECUTION_ID_HEADER, FLEET_HOST_HEADER } from '../../contracts/headers.ts'
import { type RequestContext, writeContext } from '../../contracts/request-context.ts'
import type { Progress } from '../../fleet/exchange/request.ts'
import type { FleetFront } from '../../fleet/front.ts'
import { refusalOf } from '../../fleet/refusals.ts'
import { refuse } from '../answer.ts'

export interface Outgoing {
  method: string
  path: string
  body?: unknown
  withinMs: number
  /** Chosen here, so that the receipt of the execution can be read even when the answer is lost. */
  executionId?: string | undefined
  epoch?: number | undefined
  /** Cancels the request, and with it the execution that it makes. */
  signal?: AbortSignal | undefined
  /** Hears what the host tells of it before it answers. */
  onProgress?: ((progress: Progress) => void) | undefined
}

/** Any wait that the caller named, if it is shorter. */
const waitOf = ({ answerWithinMs }: RequestContext, { withinMs }: Outgoing): number =>
  answerWithinMs === undefined ? withinMs : Math.min(answerWithinMs, withinMs)

export interface ForwardOptions {
  fleet: FleetFront
  /** Sent to the other host, which believes this one. */
  context: RequestContext
}

export type Outcome =
  | { kind: 'answered'; response: Response; body: Uint8Array }
  | { kind: 'refused'; error: ErrorObject }

const TEXT = new TextEncoder()

export const forward = async (host: string, out: Outgoing, options: ForwardOptions): Promise<Outcome> => {
  const { fleet, context } = options
  const { executionId, epoch } = out
  let isDispatched = false
  const forwarded = await fleet.forward(host, {
    method: out.method,
    path: out.path,
    headers: {
      ...(out.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...writeContext({
        ...context,
        // The exchange tells how long is left.
        answerWithinMs: undefined,
        fetchesPictures: undefined,
        executionId,
        sent: { from: fleet.host, epoch },
      }),
    },
    body: out.body === undefined ? new Uint8Array() : TEXT.encode(JSON.stringify(out.body)),
    withinMs: waitOf(context, out),
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

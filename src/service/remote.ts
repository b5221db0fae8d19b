/** The service of another process, over a transport. */
import type { ErrorObject } from '../contracts/failures/error.ts'
import { ROUTES } from '../contracts/operations/routes.ts'
import type { Outcome } from '../contracts/outcome.ts'
import {
  failed,
  type InputOf,
  type OutputOf,
  type RequestOptions,
  type Result,
  type ResultFacts,
  type Service,
  type ServiceId,
} from './service.ts'

/** A way to another process. Nothing that acts and whose outcome is unknown is sent again. */
export interface Transport {
  send<Id extends ServiceId>(
    id: Id,
    input: InputOf<Id>,
    call: RequestOptions,
  ): Promise<Outcome<{ result: Result<OutputOf<Id>> }, { error: ErrorObject }>>
}

/** The receipt of a request whose answer was lost. */
export const namedIn = ({ details }: ErrorObject): ResultFacts =>
  typeof details?.executionId === 'string' ? { executionId: details.executionId } : {}

export const remote = (transport: Transport): Service => {
  const ask = async <Id extends ServiceId>(
    id: Id,
    input: InputOf<Id>,
    call: RequestOptions,
  ): Promise<Result<OutputOf<Id>>> => {
    const sent = await transport.send(id, input, call)
    if (sent.kind === 'done') return sent.result
    const facts = sent.kind === 'unknown' ? namedIn(sent.error) : {}
    return { ...failed(sent.error, facts), unanswered: sent.kind }
  }
  const ids = Object.keys(ROUTES) as ServiceId[]
  return Object.fromEntries(
    ids.map(id => [id, (input: never, call: RequestOptions) => ask(id, input, call)]),
  ) as unknown as Service
}

/** The service of another process, over a transport. */
import type { ErrorObject } from '../contracts/failures/error.ts'
import { ROUTES } from '../contracts/operations/routes.ts'
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

export type Sent<T> =
  | { readonly kind: 'answered'; readonly result: Result<T> }
  /** Provably nothing was done. */
  | { readonly kind: 'untaken'; readonly why: ErrorObject }
  /** The request may have happened: nothing that acts is sent again. */
  | { readonly kind: 'lost'; readonly error: ErrorObject }

export interface Transport {
  send<Id extends ServiceId>(id: Id, input: InputOf<Id>, call: RequestOptions): Promise<Sent<OutputOf<Id>>>
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
    switch (sent.kind) {
      case 'answered':
        return sent.result
      case 'untaken':
        return { ...failed(sent.why), unanswered: 'untaken' }
      case 'lost':
        return { ...failed(sent.error, namedIn(sent.error)), unanswered: 'lost' }
    }
  }
  const ids = Object.keys(ROUTES) as ServiceId[]
  return Object.fromEntries(
    ids.map(id => [id, (input: never, call: RequestOptions) => ask(id, input, call)]),
  ) as unknown as Service
}

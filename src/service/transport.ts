/** Carries a request to another process. What it says of the outcome decides if the request may be asked elsewhere. */
import type { ErrorObject } from '../contracts/error.ts'
import type { Call, InputOf, OutputOf, Result, ServiceId } from './service.ts'

export type Sent<T> =
  | { readonly kind: 'answered'; readonly result: Result<T> }
  /** Provably nothing was done. */
  | { readonly kind: 'untaken'; readonly why: ErrorObject }
  /** It may have happened: nothing that acts is sent again. */
  | { readonly kind: 'lost'; readonly error: ErrorObject }

export interface Transport {
  send<Id extends ServiceId>(id: Id, input: InputOf<Id>, call: Call): Promise<Sent<OutputOf<Id>>>
}

/** The one way in: a function for each declared request. This process, another host or a whole fleet implements it. */
import type * as v from 'valibot'
import type { RequestContext } from '../contracts/doors/request-context.ts'
import type { ExecutionSummary } from '../contracts/doors/viewer.ts'
import type { Receipt } from '../contracts/executions/receipt.ts'
import type { ErrorObject } from '../contracts/failures/error.ts'
import type { Unanswered } from '../contracts/fleet.ts'
import type { OPERATIONS } from '../contracts/operations/all.ts'
import type { ROUTES, RouteId } from '../contracts/operations/routes.ts'
import type { Outcome } from '../contracts/outcome.ts'
import type { StandaloneHtml } from '../runtime/files/standalone-html.ts'
import type { FinishedRun } from './skills/run/finished-run.ts'
import type { Searched } from './traces/summary.ts'

type Operations = typeof OPERATIONS
type Schema = v.GenericSchema

/** Answers that are not read as one object of the declared shape: they are lazy, or not JSON. */
interface OtherAnswers {
  /** `older` knows it once the executions were read to their end. */
  'executions.list': {
    executions: Iterable<Receipt>
    unanswered: readonly Unanswered[]
    older?: (() => boolean) | undefined
  }
  'executions.picture': Uint8Array
  'executions.traceFile': StandaloneHtml
  'skillRuns.traceFile': StandaloneHtml
  'skills.run': FinishedRun
  'viewer.executions': Generator<ExecutionSummary, Searched>
}

type Answered = { [Id in RouteId]: Operations[Id]['answers'] extends Schema ? Id : never }[RouteId]
/** Requests that have one answer. Streams of events, pages and protocols inside HTTP are no part of the service. */
export type ServiceId = Answered | keyof OtherAnswers

type Parameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string> & Parameters<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Record<Name, string>
    : unknown
type Body<Op> = Op extends { reads: infer S extends Schema }
  ? v.InferOutput<S>
  : Op extends { body: infer S extends Schema }
    ? v.InferOutput<S>
    : unknown
type Query<Op> = Op extends { query: infer S extends Schema } ? v.InferOutput<S> : unknown

/** The fields of the path, the query and the body together. */
export type InputOf<Id extends ServiceId> = Parameters<(typeof ROUTES)[Id][1]> &
  Query<Operations[Id]> &
  Body<Operations[Id]>

export type OutputOf<Id extends ServiceId> = Id extends keyof OtherAnswers
  ? OtherAnswers[Id]
  : Operations[Id] extends { answers: infer S extends Schema }
    ? v.InferOutput<S>
    : never

/** Facts about an answer beside its body; they travel as headers. */
export interface ResultFacts {
  /** Present once an execution was accepted, or may have been. */
  readonly executionId?: string | undefined
  /** Present once the device is known. */
  readonly deviceId?: string | undefined
  /** The other host of the fleet that gave the answer. */
  readonly host?: string | undefined
  /** The number of steps that a resumption has. */
  readonly steps?: number | undefined
  /** Another HTTP status than the table of failures has. */
  readonly status?: number | undefined
}

export type Failed = ResultFacts & {
  readonly ok: false
  readonly error: ErrorObject
  /** Set where no answer came: provably nobody took the request, or it may have happened. */
  readonly unanswered?: Exclude<Outcome<unknown, unknown>['kind'], 'done'> | undefined
}
export type Result<T> = (ResultFacts & { readonly ok: true; readonly value: T }) | Failed

/** Tells how far a request is: which actor of this process does it, or how far it is at another host. */
export type Progress =
  | { readonly kind: 'begun'; readonly actor: string; readonly executionId?: string }
  /** Its place in the queue of a busy device; 1 is next. */
  | { readonly kind: 'waiting'; readonly deviceId: string; readonly executionId: string; readonly place: number }
  | {
      readonly kind: 'elsewhere'
      readonly host: string
      readonly state: 'asked' | 'waiting' | 'accepted' | 'dispatched'
      readonly executionId?: string | undefined
    }

export interface RequestOptions {
  readonly context: RequestContext
  /** Aborted by a caller that cancels; a caller that only leaves has none. */
  readonly signal?: AbortSignal | undefined
  /** Aborted when nobody hears the answer any more: takes a request out of the queue for its device, and cancels nothing else. */
  readonly leave?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

export type Service = {
  readonly [Id in ServiceId]: (input: InputOf<Id>, call: RequestOptions) => Promise<Result<OutputOf<Id>>>
}

export const success = <T>(value: T, facts: ResultFacts = {}): Result<T> => ({ ...facts, ok: true, value })
export const failed = (error: ErrorObject, facts: ResultFacts = {}): Failed => ({ ...facts, ok: false, error })

/** One request as data: its input, its answer, and its failures. Doors are derived from it. */
import type * as v from 'valibot'
import {
  ANSWER_WITHIN_HEADER,
  EXECUTION_ID_HEADER,
  FLEET_HOST_HEADER,
  LEASE_HEADER,
  SKILL_RUN_HEADER,
} from '../doors/headers.ts'
import { FAILURES, type FailureCode } from '../failures/failures.ts'
import type { RouteId } from './routes.ts'

type Schema = v.GenericSchema
type Headers = Readonly<Record<string, string>>

/** One shape, any object, a stream of named events, bytes of a media type, or the messages of a WebSocket. */
export type Answers =
  | Schema
  | 'any'
  | { readonly events: Readonly<Record<string, Schema>> }
  | { readonly type: string; readonly events?: never }
  | { readonly socket: string; readonly events?: never }

/** Headings of the API document. */
export type Tag =
  | 'Server'
  | 'Documents'
  | 'Devices'
  | 'Recordings'
  | 'Reservations'
  | 'Executions'
  | 'Events'
  | 'Actors'
  | 'Skills'
  | 'Flows'
  | 'Emulators'
  | 'Fleet'
  | 'Viewer'
  | 'MCP'

export interface Operation {
  readonly tag: Tag
  readonly summary: string
  readonly body?: Schema
  /** Reads the body where that is looser than its description: an execution is judged later. */
  readonly reads?: Schema
  /** The protocol that the route carries judges the body. */
  readonly isBodyOfProtocol?: true
  /** A missing body counts as `{}`. */
  readonly isBodyOptional?: true
  readonly query?: Schema
  /** Parameters mean nothing to it: people and programs add theirs to the address of a page or of a protocol. */
  readonly takesAnyQuery?: true
  /** Request headers that are part of the input, with what each is for. */
  readonly headers?: Headers
  readonly answers: Answers
  readonly answerHeaders?: Headers
  /** Beside those that every request can have. */
  readonly failures: readonly FailureCode[]
  /** Statuses of a protocol that the route carries, with what each means; their bodies are of that protocol. */
  readonly protocol?: Readonly<Record<number, string>>
  /** Failures keep their code and are answered with this status, whatever the table of failures says. */
  readonly failureStatus?: number
  /** 200 unless told. */
  readonly status?: number
}

export type OperationGroup = Readonly<Partial<Record<RouteId, Operation>>>

export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key'
export const LAST_EVENT_ID_HEADER = 'Last-Event-ID'

/** Failures that any execution can have, whichever request makes it. */
export const EXECUTION_FAILURES: readonly FailureCode[] = (Object.keys(FAILURES) as FailureCode[]).filter(code =>
  ['execution', 'fleet', 'journal'].includes(FAILURES[code].layer),
)

/** Conditions under which anybody may ask for an execution; other headers are believed from this user only. */
export const CONDITION_HEADERS: Headers = {
  [LEASE_HEADER]:
    'The reservation that the request belongs to, by its leaseId. Without a device, the request is for the reserved one.',
  [SKILL_RUN_HEADER]: 'The skill run that causes the execution: its receipt is listed under that id.',
  [ANSWER_WITHIN_HEADER]:
    'How many ms the caller waits, at least the timeoutMs of the execution: nothing is sent that cannot be answered by then.',
}

export const EXECUTION_ANSWER_HEADERS: Headers = {
  [EXECUTION_ID_HEADER]: 'Names the receipt, once the execution was accepted; also on failures.',
  [FLEET_HOST_HEADER]: 'In a fleet: the other host that gave the answer.',
}

/** The operator protocol, version 1: the request of a segment, its envelope, the chunks of a long result, its progress, the socket frames. */
import * as v from 'valibot'
import { CARDS } from '../actions/cards.ts'
import { needsHost } from '../actions/needs-host.ts'
import type { Action } from '../executions/action.ts'
import { Execution } from '../executions/execution.ts'
import { EnvelopeError, ResultEnvelope, StepResult } from '../executions/execution-result.ts'
import { hasRef } from '../executions/matcher.ts'
import { anyObject, closedObject, openObject } from '../json/objects.ts'
import { count, integer } from '../json/scalars.ts'
import {
  ACTIONS_MAX,
  CHUNK_BYTES,
  ENVELOPE_BYTES_MAX,
  NONCE_HEX_CHARS,
  OPERATOR_PROTOCOL,
  SHA256_HEX_CHARS,
} from '../limits/limits.ts'

/** Needs no app: the host performs every step itself. */
export const SHELL_OPERATOR_PACKAGE = 'svc.shell'
/** The same with a helper on the device, which `svc operator install` puts there. */
export const UIAUTOMATOR_OPERATOR_PACKAGE = 'svc.uiautomator'
/** The host performs the steps of these itself: they speak no protocol, and end with its process. */
const BUILT_IN_OPERATORS = [SHELL_OPERATOR_PACKAGE, UIAUTOMATOR_OPERATOR_PACKAGE] as const
export type BuiltInOperator = (typeof BUILT_IN_OPERATORS)[number]

export const isBuiltInOperator = (operatorPackage: string | undefined): operatorPackage is BuiltInOperator =>
  BUILT_IN_OPERATORS.some(builtIn => builtIn === operatorPackage)

export const BROADCAST_ACTION = 'com.svc.operator.ACTION_AGENT_COMMAND'
export const LOG_TAG = 'SvcOperator'
export const RESULT_PREFIX = '[Svc-Result] '
export const CHUNK_PREFIX = '[Svc-Result-Chunk] '
export const PROGRESS_PREFIX = '[Svc-Progress] '

/** `progress`: the app tells each step that has ended. `results`: it keeps its last results, and answers a question about one. */
export const OPERATOR_CAPABILITIES = ['progress', 'results'] as const
export type OperatorCapability = (typeof OPERATOR_CAPABILITIES)[number]

/** `<executionId>.<segment>`, unique for ever. */
export const WireId = v.pipe(v.string(), v.regex(/^[^.\s]+\.\d+$/, 'must be <executionId>.<segment>'))

export const Nonce = v.pipe(
  v.string(),
  v.regex(new RegExp(`^[0-9a-f]{${NONCE_HEX_CHARS}}$`), `must be ${NONCE_HEX_CHARS} hex digits`),
)

/** Some of its params have the host perform it over the link. */
const isOpenedByHost = ({ type, params }: Action): boolean => {
  const { by } = CARDS[type]
  return typeof by === 'function' && by(params as never) === 'link'
}

export const OperatorRequest = closedObject({
  ...Execution.entries,
  /** Refs and the newer keys of a matcher mean something to the host alone. */
  actions: v.pipe(
    Execution.entries.actions,
    v.check(actions => !actions.some(hasRef), 'a matcher holds a ref, which no operator knows'),
    v.check(
      actions => !actions.some(needsHost),
      'a matcher holds a key, or a wait a state, that operators do not know',
    ),
    v.check(actions => !actions.some(isOpenedByHost), 'an open_app holds a param that operators do not know'),
  ),
  commandId: WireId,
  nonce: Nonce,
  protocol: v.literal(OPERATOR_PROTOCOL),
})
export type OperatorRequest = v.InferOutput<typeof OperatorRequest>

const asString = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** An operator may put other JSON values where the contract has strings. */
export const WireStepResult = openObject({
  ...StepResult.entries,
  data: v.exactOptional(
    v.pipe(
      anyObject,
      v.transform(data => Object.fromEntries(Object.entries(data).map(([key, value]) => [key, asString(value)]))),
    ),
    {},
  ),
})

/** `commandId` is the wire id of one segment. An error that is a plain string is understood; the host wraps it. */
export const WireEnvelope = openObject({
  ...ResultEnvelope.entries,
  nonce: v.string(),
  stepResults: v.array(WireStepResult),
  error: v.exactOptional(v.nullable(v.union([v.string(), EnvelopeError])), null),
  errorCode: v.exactOptional(v.nullable(v.string())),
})
export type WireEnvelope = v.InferOutput<typeof WireEnvelope>

const BASE64_CHARS_MAX = Math.ceil(CHUNK_BYTES / 3) * 4

/** `byteLength` and `sha256` are those of the whole envelope. */
export const ResultChunk = openObject({
  commandId: v.string(),
  nonce: v.string(),
  index: count,
  count: integer({ min: 1, max: ENVELOPE_BYTES_MAX }),
  byteLength: integer({ min: 1, max: ENVELOPE_BYTES_MAX }),
  sha256: v.pipe(v.string(), v.regex(new RegExp(`^[0-9a-f]{${SHA256_HEX_CHARS}}$`), 'must be a SHA-256 digest in hex')),
  data: v.pipe(v.string(), v.maxLength(BASE64_CHARS_MAX), v.regex(/^[A-Za-z0-9+/]+={0,2}$/, 'must be base64')),
})
export type ResultChunk = v.InferOutput<typeof ResultChunk>

/** An index in the list of a request. */
const StepIndex = integer({ min: 0, max: ACTIONS_MAX - 1 })

/** A step of a request has ended. */
export const WireProgress = openObject({
  commandId: v.string(),
  nonce: v.string(),
  step: StepIndex,
  success: v.boolean(),
})
export type WireProgress = v.InferOutput<typeof WireProgress>

const HelloFrame = openObject({
  type: v.literal('hello'),
  protocol: count,
  package: v.string(),
  version: v.string(),
  /** Also those of later versions. */
  capabilities: v.exactOptional(v.array(v.string())),
})
const ResultFrame = openObject({ type: v.literal('result'), envelope: WireEnvelope })
const ProgressFrame = openObject({ type: v.literal('progress'), ...WireProgress.entries })
/** `step` is under way, or the first one of a request that waits for its turn. */
const RunningFrame = openObject({ type: v.literal('running'), commandId: v.string(), step: StepIndex })
const UnknownFrame = openObject({ type: v.literal('unknown'), commandId: v.string() })

export const OperatorFrame = v.variant('type', [HelloFrame, ResultFrame, ProgressFrame, RunningFrame, UnknownFrame])

const ExecuteFrame = openObject({ type: v.literal('execute'), payload: OperatorRequest })
/** Asks what became of a request; asking performs nothing. */
export const ResultQuestionFrame = openObject({ type: v.literal('result?'), commandId: v.string(), nonce: v.string() })

export const HostFrame = v.variant('type', [ExecuteFrame, ResultQuestionFrame])

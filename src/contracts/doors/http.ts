/** Request bodies and queries of the HTTP routes. Names that none of these has are refused where they are read. */
import * as v from 'valibot'
import { Id } from '../actions/shape.ts'
import { SNAPSHOT_FORMATS } from '../device/screen.ts'
import { ReceiptOutcome } from '../executions/evidence.ts'
import { Execution } from '../executions/execution.ts'
import type { FailureCode } from '../failures/failures.ts'
import { openObject } from '../json/objects.ts'
import { count, filePath, integer, nonBlank, positive, text, unboundedText } from '../json/scalars.ts'
import {
  EXECUTION_TIMEOUT_MS,
  HISTORY_LIMIT,
  ID_CHARS_MAX,
  LIST_LIMIT,
  OUTCOME_WAIT_MS,
  WAIT_FOR_PHONE_MS,
} from '../limits/limits.ts'
import { WATCHED_NAMES } from '../records/machines.ts'

/** A blank deviceId counts as not given. */
const target = { deviceId: v.exactOptional(unboundedText), operatorPackage: v.exactOptional(nonBlank) }

const present = v.custom<NonNullable<unknown>>(value => value !== undefined && value !== null, 'execution is required')

/** An execution by its id, as `Svc-Execution-Id` gave it. */
const executionId = text(1, ID_CHARS_MAX)

/** How snapshots of the execution are answered: as the contract's XML unless told otherwise. */
const view = {
  format: v.exactOptional(v.picklist(SNAPSHOT_FORMATS)),
  since: v.exactOptional(executionId),
}
const observe = v.exactOptional(v.boolean())

const WAIT_MESSAGE = `must be an integer from ${WAIT_FOR_PHONE_MS.min} to ${WAIT_FOR_PHONE_MS.max}: how many milliseconds to wait for a device that is busy`

/** Waits so long for a device that is busy; without it a busy device refuses at once. */
const waiting = {
  waitMs: v.exactOptional(
    v.pipe(
      v.number(WAIT_MESSAGE),
      v.integer(WAIT_MESSAGE),
      v.minValue(WAIT_FOR_PHONE_MS.min, WAIT_MESSAGE),
      v.maxValue(WAIT_FOR_PHONE_MS.max, WAIT_MESSAGE),
    ),
  ),
}

/** The execution itself is judged later, once its aliases are resolved. */
export const ExecuteBody = openObject({ execution: present, ...target, ...view, observe, ...waiting })

/** The same body as the contract describes it. */
export const ExecuteRequest = openObject({ execution: Execution, ...target, ...view, observe, ...waiting })
export type ExecuteRequest = v.InferOutput<typeof ExecuteRequest>

/** For requests that declare no body. */
export const EmptyBody = openObject({})

export const SnapshotBody = openObject({ ...target, ...view, ...waiting })

export const ScreenshotBody = openObject({ ...target, path: v.exactOptional(filePath), ...waiting })

export const LookBody = openObject(target)

/**
 * `fromStep` is a step that the caller knows not to have run, while those before it have; `timeoutMs` is the time of the
 * new execution, that of the old one without it.
 */
export const ResumeBody = openObject({
  ...target,
  fromStep: v.exactOptional(Id),
  timeoutMs: v.exactOptional(integer(EXECUTION_TIMEOUT_MS)),
  ...waiting,
})

/** Each is turned into a string; what the operating system cannot take as an argument is refused here. */
const argument = v.pipe(
  v.unknown(),
  v.check(arg => typeof arg !== 'string' || !arg.includes('\0'), 'an argument cannot hold NUL'),
  v.metadata({ not: { type: 'string', pattern: '\\0' } }),
)

export const SkillRunBody = openObject({
  deviceId: v.exactOptional(unboundedText),
  args: v.exactOptional(v.array(argument)),
  timeoutMs: v.exactOptional(positive),
  expectContains: v.exactOptional(v.string()),
})

/** The code for each invalid field of a body. */
export const FIELD_CODES = {
  execution: 'MISSING_EXECUTION',
  deviceId: 'INVALID_DEVICE_ID',
  operatorPackage: 'INVALID_OPERATOR_PACKAGE',
  path: 'INVALID_PATH',
  args: 'INVALID_ARGS',
  timeoutMs: 'INVALID_TIMEOUT_MS',
  expectContains: 'INVALID_EXPECT_CONTAINS',
  format: 'INVALID_BODY',
  since: 'INVALID_BODY',
  observe: 'INVALID_BODY',
  waitMs: 'INVALID_BODY',
} as const satisfies Record<string, FailureCode>

const digits = (message: string) => v.pipe(v.string(), v.regex(/^[0-9]{1,15}$/, message), v.transform(Number))

/** One message for everything that can be wrong with it. */
const limit = ({ min, max, default: absent }: { min: number; max: number; default: number }) => {
  const message = `must be an integer from ${min} to ${max}`
  const bounded = v.pipe(digits(message), v.minValue(min, message), v.maxValue(max, message))
  return v.exactOptional(bounded, `${absent}`)
}

export const SkillsQuery = openObject({
  app: v.exactOptional(v.string()),
  intent: v.exactOptional(v.string()),
  keyword: v.exactOptional(v.string()),
})

export const ExecutionsQuery = openObject({
  deviceId: v.exactOptional(v.string()),
  commandId: v.exactOptional(v.string()),
  taskId: v.exactOptional(v.string()),
  skillRunId: v.exactOptional(v.string()),
  outcome: v.exactOptional(
    v.picklist(ReceiptOutcome.options, `must be one of ${ReceiptOutcome.options.join(', ')}: the outcome of a receipt`),
  ),
  limit: limit(LIST_LIMIT),
})
export type ExecutionsQuery = v.InferOutput<typeof ExecutionsQuery>

const OUTCOME_WAIT_MESSAGE = `must be an integer from ${OUTCOME_WAIT_MS.min} to ${OUTCOME_WAIT_MS.max}: how many milliseconds to wait for the outcome`

/** Answers when the outcome is no longer `unknown`, or after this time. */
export const ExecutionQuery = openObject({
  waitMs: v.exactOptional(
    v.pipe(
      digits(OUTCOME_WAIT_MESSAGE),
      v.minValue(OUTCOME_WAIT_MS.min, OUTCOME_WAIT_MESSAGE),
      v.maxValue(OUTCOME_WAIT_MS.max, OUTCOME_WAIT_MESSAGE),
    ),
  ),
})

/** Counts the steps of the execution from 0; the id of the step in the path then says no more than the position. */
export const PictureQuery = openObject({
  position: v.exactOptional(v.pipe(digits('must be the position of a step, from 0'), count)),
})

/** Where a piece of a file begins. */
export const BroughtQuery = openObject({ offset: v.pipe(digits('must be a position, from 0'), count) })

export const HistoryQuery = openObject({
  after: v.exactOptional(v.pipe(digits('must be an integer of at most 15 digits'), count)),
  limit: limit(HISTORY_LIMIT),
})

/** An event stream covers this host or all of its fleet; a host in a fleet defaults to the fleet. */
const scope = v.exactOptional(v.picklist(['host', 'fleet'], 'must be host or fleet'))

export const EventsQuery = openObject({ scope })

export const TransitionsQuery = openObject({
  /** In a fleet also `<actor>@<host>`. */
  actor: v.exactOptional(v.string()),
  machine: v.exactOptional(v.picklist(WATCHED_NAMES, `must be one of ${WATCHED_NAMES.join(', ')}`)),
  scope,
})

export const PingResponse = openObject({ ok: v.literal(true) })

/** Lists failures that no request shows: a listener that throws, damage in the journal, a journal it may not write. */
export const HealthResponse = openObject({
  ok: v.literal(true),
  /** Empty for a server that is well; the newest last. */
  troubles: v.array(openObject({ what: v.string(), message: v.string(), times: count, firstAt: count, lastAt: count })),
})

/** One HTTP request to another host and its answer, as both sides check them. */
import * as v from 'valibot'
import { FAILURES, type FailureCode, failure } from '../../contracts/failures/failures.ts'
import { openObject } from '../../contracts/json/objects.ts'
import { count } from '../../contracts/json/scalars.ts'
import type { Outcome } from '../../contracts/outcome.ts'
import type { HttpAnswer } from '../../service/http-transport.ts'
import { ANSWER_BYTES_MAX, HEADERS_CHARS_MAX, HEADERS_MAX, PATH_CHARS_MAX, WITHIN_MS_MAX } from './limits.ts'

/** The asker chooses the id of a request; a process handles each id once. */
export const RequestId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9._:-]{1,128}$/))
export const InstanceId = RequestId

const HEADER_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]{1,128}$/
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Lower-case names; nothing that could end a line of HTTP. */
const Headers = v.pipe(
  v.record(v.string(), v.string()),
  v.check(headers => {
    const entries = Object.entries(headers)
    const chars = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
    return (
      entries.length <= HEADERS_MAX &&
      chars <= HEADERS_CHARS_MAX &&
      entries.every(([name, value]) => HEADER_NAME.test(name) && HEADER_VALUE.test(value))
    )
  }, 'headers must be few, short and without control characters'),
)

/** A request without its body. */
export const RequestHead = openObject({
  id: RequestId,
  /** The process of the host that is meant. */
  instance: InstanceId,
  method: v.picklist(['GET', 'POST', 'PUT', 'DELETE']),
  path: v.pipe(v.string(), v.maxLength(PATH_CHARS_MAX), v.regex(/^\/[\x21-\x7e]*$/)),
  headers: Headers,
  withinMs: v.pipe(count, v.maxValue(WITHIN_MS_MAX)),
})
export type RequestHead = v.InferOutput<typeof RequestHead>

export const AnswerHead = openObject({
  status: v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)),
  headers: Headers,
})

export interface FleetRequest {
  id: string
  instance: string
  method: string
  path: string
  headers: Record<string, string>
  body: Uint8Array
  withinMs: number
}

/** Why it cannot be sent. */
export const answerProblem = ({ status, headers, body }: HttpAnswer): string | undefined => {
  if (body.length > ANSWER_BYTES_MAX) return `The answer has ${body.length} bytes, the maximum is ${ANSWER_BYTES_MAX}.`
  const checked = v.safeParse(AnswerHead, { status, headers })
  return checked.success ? undefined : `The answer cannot be sent to another host: ${checked.issues[0].message}`
}

/** Tells about an execution before its answer. */
export const Progress = openObject({
  executionId: v.exactOptional(RequestId),
  dispatched: v.boolean(),
  /** True while it waits for its device, and is not accepted. */
  waiting: v.exactOptional(v.boolean()),
})
export type Progress = v.InferOutput<typeof Progress>

/** The outcome of a request to another host. */
export type Exchanged = Outcome<
  { answer: HttpAnswer },
  /**
   * Provably nobody took it. `late`: by the clock of the host, the time for it was over. `other instance`: the host runs as
   * another process now, which took nothing from this request.
   */
  { reason: 'absent' | 'late' } | { reason: 'other instance'; instance: string },
  /** All that was heard of the request. */
  { accepted: boolean; progress?: Progress }
>

/** An answer in the place of the one of the host's app. */
export const failureAnswer = (code: FailureCode, message: string, status: number | null = FAILURES[code].http) => ({
  status: status ?? 500,
  headers: { 'content-type': 'application/json' },
  body: new TextEncoder().encode(JSON.stringify({ ok: false, error: failure(code, message) })),
})

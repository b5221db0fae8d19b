/**
 * Mounts the requests of a service as they are declared: reads the input, asks, and writes the
 * answer; the facts beside a result travel as headers.
 */
import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import {
  EXECUTION_ID_HEADER,
  FLEET_HOST_HEADER,
  SKILL_RUN_HEADER,
  STEPS_HEADER,
} from '../../contracts/doors/headers.ts'
import { type ContextRead, type RequestContext, readContext } from '../../contracts/doors/request-context.ts'
import type { ExecutionSuccess } from '../../contracts/executions/execution-result.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { OPERATIONS } from '../../contracts/operations/all.ts'
import type { Operation } from '../../contracts/operations/operation.ts'
import { ROUTES } from '../../contracts/operations/routes.ts'
import type { StandaloneHtml } from '../../runtime/files/standalone-html.ts'
import { messageOf } from '../../runtime/message-of.ts'
import { namedDevice } from '../../service/executions.ts'
import type { RefusedExecution } from '../../service/parts.ts'
import type {
  InputOf,
  OutputOf,
  RequestOptions,
  Result,
  ResultFacts,
  Service,
  ServiceId,
} from '../../service/service.ts'
import { runAnswer } from '../../service/skills/run/run-answer.ts'
import { type AnswerHeaders, answerText, refuse, resultText } from './answer.ts'
import { answerHeard, leaving, readWhatCame } from './caller-left.ts'
import { inputReader } from './declared-input.ts'
import { isLoopbackAddress } from './guard.ts'
import type { AnswerHeader } from './headers.ts'
import type { App, AppParts, HttpEnv } from './module.ts'
import { answerPieces, listPieces, summaryPieces, testRunPieces } from './stream-json.ts'

const headersOf = ({ executionId, host, steps }: ResultFacts): AnswerHeaders => {
  const headers: Partial<Record<AnswerHeader, string>> = {}
  if (executionId !== undefined) headers[EXECUTION_ID_HEADER] = executionId
  if (host !== undefined) headers[FLEET_HOST_HEADER] = host
  if (steps !== undefined) headers[STEPS_HEADER] = String(steps)
  return headers
}

/** Sandboxed: what a trace holds came from devices and skills. */
const traceFile = ({ html, policy }: StandaloneHtml, headers: AnswerHeaders): Response =>
  new Response(html, {
    headers: {
      ...headers,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `${policy}; frame-ancestors 'none'; sandbox allow-scripts allow-downloads`,
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    },
  })

const picture = (png: Uint8Array, headers: AnswerHeaders): Response =>
  new Response(new Uint8Array(png), {
    headers: {
      ...headers,
      'Content-Type': 'image/png',
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cache-Control': 'no-cache',
    },
  })

/** The text of a value that many callers get, made once. */
const cachedText = () => {
  const texts = new WeakMap<object, string>()
  return (value: object): string => {
    const text = texts.get(value) ?? JSON.stringify(value)
    texts.set(value, text)
    return text
  }
}

type Writer<Id extends ServiceId> = (value: OutputOf<Id>, headers: AnswerHeaders) => Response
type Writers = { readonly [Id in ServiceId]?: Writer<Id> }

const writersFor = ({ clock }: AppParts): Writers => {
  const skillsText = cachedText()
  const execution = (value: ExecutionSuccess, headers: AnswerHeaders) =>
    answerText(resultText(value).json, 200, headers)
  return {
    execute: execution,
    snapshot: execution,
    screenshot: execution,
    'viewer.look': execution,
    'executions.resume': execution,
    'executions.list': ({ executions, unanswered, older }) =>
      answerPieces(
        listPieces(executions, () => {
          const cutOff = older?.() ? ',"older":true' : ''
          return unanswered.length === 0 ? cutOff : `${cutOff},"unanswered":${JSON.stringify(unanswered)}`
        }),
        clock,
      ),
    'executions.picture': picture,
    'executions.traceFile': traceFile,
    'skillRuns.traceFile': traceFile,
    'skills.list': (value, headers) => answerText(skillsText(value), 200, headers),
    'skills.run'(run, headers) {
      const { status, body } = runAnswer(run)
      return answerText(JSON.stringify(body), status, { ...headers, [SKILL_RUN_HEADER]: run.runId })
    },
    'testRuns.get': ({ testRun }) => answerPieces(testRunPieces(testRun), clock),
    'viewer.executions': found => answerPieces(summaryPieces(found), clock),
  }
}

/** How the results of one request are written. */
const writeAnswer = <Id extends ServiceId>(id: Id, { failureStatus, status = 200 }: Operation, parts: AppParts) => {
  const write: Writer<Id> =
    writersFor(parts)[id] ?? ((value, headers) => answerText(JSON.stringify(value), status, headers))
  return (result: Result<OutputOf<Id>>): Response => {
    const headers = headersOf(result)
    return result.ok
      ? write(result.value, headers)
      : refuse(result.error, { status: result.status ?? failureStatus, headers })
  }
}

const ANYBODY: RequestContext = { caller: 'http' }

/** These are of this host alone, and name files of it. */
const NAMING_FILES: readonly ServiceId[] = ['testRuns.start']

/** Requests to this host alone are answered alike, whoever asks. */
const contextReader = (id: ServiceId) => {
  const isForAnybody = ROUTES[id][3] === 'this host' && !NAMING_FILES.includes(id)
  return ({ headers, socket }: IncomingMessage, parts: AppParts): ContextRead => {
    if (isForAnybody) return { ok: true, context: ANYBODY }
    const read = readContext(headers, parts)
    // A request inside of this process has no socket.
    const isElsewhere = !parts.isPrivate && socket !== undefined && !isLoopbackAddress(socket.remoteAddress ?? '')
    return read.ok && isElsewhere ? { ok: true, context: { ...read.context, fileRoots: parts.fileRoots ?? [] } } : read
  }
}

/** A caller who leaves cancels nothing; only these looks are given up with it. */
const isGivenUp = (id: ServiceId): boolean => id.startsWith('devices.') || id === 'logs.read' || id === 'executions.get'

/**
 * A request that waits for its device leaves the queue with its connection; a reservation and the id of a run are for
 * whoever hears of them.
 */
const leavesWithCaller = (id: ServiceId, input: object): boolean =>
  id === 'leases.create' || id === 'testRuns.start' || Boolean((input as { waitMs?: number }).waitMs)

const leftBy = (c: Context<HttpEnv>, id: ServiceId, input: object): Pick<RequestOptions, 'signal' | 'leave'> => {
  if (isGivenUp(id)) return { signal: leaving(c.env) }
  return leavesWithCaller(id, input) ? { leave: leaving(c.env) } : {}
}

/** Whoever left before the answer holds no phone, although the reservation was made. */
const endUnheard = async (made: Result<unknown>, isHeard: Promise<boolean>, service: Service) => {
  if (!made.ok || (await isHeard)) return
  const { leaseId } = (made.value as OutputOf<'leases.create'>).lease
  await service['leases.end']({ leaseId }, { context: ANYBODY })
}

/** Each of their outcomes is told on /events, also where no execution was made of the request. */
const EXECUTES: readonly ServiceId[] = ['execute', 'snapshot', 'screenshot']

/** `body` is undefined where it was not read. */
const unmade = (error: ErrorObject, body?: unknown): RefusedExecution => {
  const { deviceId, execution } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  const named = typeof deviceId === 'string' ? namedDevice(deviceId) : undefined
  return { deviceId: named ?? '', input: execution ?? body ?? null, result: { ok: false, error } }
}

export const mountService = (app: App, parts: AppParts, ids = Object.keys(ROUTES) as ServiceId[]): void => {
  const { service, outcomes, clock, note } = parts
  const mount = <Id extends ServiceId>(id: Id) => {
    const [method, path] = ROUTES[id]
    const readInput = inputReader(id)
    const contextOf = contextReader(id)
    const ask = service[id] as unknown as (input: InputOf<Id>, call: RequestOptions) => Promise<Result<OutputOf<Id>>>
    const answer = writeAnswer(id, OPERATIONS[id], parts)
    const refuseUnmade = (error: ErrorObject, body?: unknown) => {
      if (EXECUTES.includes(id)) outcomes.refuse(unmade(error, body))
      return refuse(error)
    }
    app.on(method, path, async c => {
      const read = await readInput(c, clock)
      if (!read.ok) return refuseUnmade(read.error, read.body)
      const contextRead = contextOf(c.env.incoming, parts)
      if (!contextRead.ok) return refuseUnmade(contextRead.error, read.input)
      const { context } = contextRead
      const left = leftBy(c, id, read.input)
      const isHeard = id === 'leases.create' && left.leave ? answerHeard(c.env, left.leave, clock) : undefined
      const result = await ask(read.input as InputOf<Id>, { context, ...left })
      if (isHeard !== undefined) {
        await readWhatCame()
        void endUnheard(result, isHeard, service).catch(error => note(messageOf(error)))
      }
      return answer(result)
    })
  }
  for (const id of ids) if (id in service) mount(id)
}

/**
 * A request of the service as an HTTP message, and the answer read from one: between the hosts of a fleet, and over the
 * Unix socket of a server of this user.
 */

import {
  EXECUTION_ID_HEADER,
  EXPECT_INSTANCE_HEADER,
  FLEET_HOST_HEADER,
  SKILL_RUN_HEADER,
  STEPS_HEADER,
} from '../contracts/doors/headers.ts'
import { type RequestContext, writeContext } from '../contracts/doors/request-context.ts'
import type { ErrorObject } from '../contracts/failures/error.ts'
import { failure } from '../contracts/failures/failures.ts'
import { isObject, type JsonObject } from '../contracts/json/json.ts'
import { ROUTES, type RouteId } from '../contracts/operations/routes.ts'
import type { SkillRunResponse } from '../contracts/skills/skill-run.ts'
import type { Clock } from '../runtime/clock.ts'
import { exchange } from '../runtime/http-exchange.ts'
import { requestTimeout } from './deadline.ts'
import type { Transport } from './remote.ts'
import { failed, type InputOf, type OutputOf, type Result, type ServiceId, success } from './service.ts'
import { runOfAnswer } from './skills/run/run-answer.ts'

interface SocketOptions {
  path: string
  /** The process that must be the one that answers. */
  instanceId: string
  clock: Clock
}

/** The way to a server of this user over its Unix socket. */
export const socketTransport = ({ path: socketPath, instanceId, clock }: SocketOptions): Transport => ({
  async send(id, input, { context, signal }) {
    const place = { socketPath, headers: { [EXPECT_INSTANCE_HEADER]: instanceId } }
    const ms = requestTimeout(id, input as object)
    const exchanged = await exchange(place, requestOf(id, input as object, context), { clock, ms, leave: signal })
    if (exchanged.kind === 'done') {
      return { kind: 'done', result: resultOf(id, input, exchanged.answer, 'this machine') }
    }
    const { kind, reason } = exchanged
    const message = `The daemon gave no answer: ${reason}.`
    const hint =
      kind === 'not sent'
        ? 'Nothing was done; run the command again.'
        : 'List what there is before you run the command again.'
    return { kind, error: failure('DAEMON_PROXY_ERROR', message, { hint }) }
  },
})

export interface HttpRequest {
  method: string
  /** With its query. */
  path: string
  headers: Record<string, string>
  body: Uint8Array
}

export interface HttpAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  body: Uint8Array
}

type Fields = Readonly<Record<string, unknown>>

const NO_BYTES = new Uint8Array()

/** Fields of the path go there, the others into the query of a GET or the body of a POST or PUT. */
export const requestOf = (id: RouteId, input: object, context: RequestContext): HttpRequest => {
  const [method, pattern] = ROUTES[id]
  const rest: Record<string, unknown> = { ...input }
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return encodeURIComponent(value)
  })
  const headers = writeContext(context)
  if (method === 'POST' || method === 'PUT') {
    const body = Buffer.from(JSON.stringify(rest))
    return { method, path, headers: { ...headers, 'content-type': 'application/json' }, body }
  }
  const fields = Object.entries(rest).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(fields.map(([key, value]) => [key, String(value)]))
  return { method, path: fields.length === 0 ? path : `${path}?${query}`, headers, body: NO_BYTES }
}

const parsed = (body: Uint8Array): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString())
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const OK = 200

/** Answers that are not simply the JSON object that was sent. */
const READERS: { readonly [Id in ServiceId]?: (answer: HttpAnswer, json: JsonObject, input: Fields) => unknown } = {
  'executions.list': (_, { executions, unanswered = [], older }) => ({
    executions,
    unanswered,
    older: () => older === true,
  }),
  'skills.run': ({ headers }, json, { skillId }) =>
    runOfAnswer(json as unknown as SkillRunResponse, {
      runId: headers[SKILL_RUN_HEADER.toLowerCase()] ?? '',
      skillId: String(skillId),
    }),
}

const ROUTES_OF_EXECUTIONS: readonly ServiceId[] = ['execute', 'executions.resume']

const isRun = ({ headers }: HttpAnswer): boolean => headers[SKILL_RUN_HEADER.toLowerCase()] !== undefined

/** The policy of the file itself; the door adds what it says of all such files. */
const policyIn = (headers: HttpAnswer['headers']): string =>
  (headers['content-security-policy'] ?? "default-src 'none'").split('; frame-ancestors')[0] ?? ''

export const resultOf = <Id extends ServiceId>(
  id: Id,
  input: InputOf<Id>,
  answer: HttpAnswer,
  host: string,
): Result<OutputOf<Id>> => {
  const { status, headers, body } = answer
  const facts = {
    executionId: headers[EXECUTION_ID_HEADER.toLowerCase()],
    host: headers[FLEET_HOST_HEADER.toLowerCase()] ?? host,
    ...(Number(headers[STEPS_HEADER.toLowerCase()]) > 0 ? { steps: Number(headers[STEPS_HEADER.toLowerCase()]) } : {}),
  }
  const type = headers['content-type'] ?? ''
  if (status === OK && type.startsWith('image/png')) return success(body as OutputOf<Id>, facts)
  if (status === OK && type.startsWith('text/html')) {
    const file = { html: Buffer.from(body).toString(), policy: policyIn(headers) }
    return success(file as OutputOf<Id>, facts)
  }
  const json = parsed(body)
  if (json === undefined) {
    const message = `Host ${facts.host} sent a response with status ${status} that is not JSON.`
    return failed(failure('INTERNAL_ERROR', message, { details: { host: facts.host } }), facts)
  }
  const read = READERS[id]
  const isFailed = json.ok === false && isObject(json.error)
  if (json.ok === false && !isFailed) {
    const message = `Host ${facts.host} sent a failure without an error: what was asked for may have been done.`
    return failed(failure('INTERNAL_ERROR', message, { details: { host: facts.host } }), facts)
  }
  if (isFailed && !(id === 'skills.run' && isRun(answer))) return failed(json.error as unknown as ErrorObject, facts)
  if (ROUTES_OF_EXECUTIONS.includes(id) && !isObject(json.envelope)) {
    const message = `Host ${facts.host} sent a response that is not a result: the action may have executed.`
    const details = { host: facts.host, ...(facts.executionId === undefined ? {} : { executionId: facts.executionId }) }
    return failed(failure('INTERNAL_ERROR', message, { details }), facts)
  }
  return success((read ? read(answer, json, input as Fields) : json) as OutputOf<Id>, facts)
}

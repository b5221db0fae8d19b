/**
 * GET /openapi.json: the declared operations as an OpenAPI 3.1 document. Middleware that describes routes would cost
 * each request: with more than one handler Hono composes them every time.
 */
import type * as v from 'valibot'
import { HttpFailure } from '../../contracts/failures/error.ts'
import { FAILURES, type FailureCode, httpStatusOf } from '../../contracts/failures/failures.ts'
import { componentSchemas, nameOf } from '../../contracts/json/json-schema.ts'
import { OPERATIONS } from '../../contracts/operations/all.ts'
import type { Operation } from '../../contracts/operations/operation.ts'
import { ROUTES, type RouteId } from '../../contracts/operations/routes.ts'
import { answerText } from './answer.ts'
import { mountDeclared } from './declared-input.ts'
import type { RouteModule } from './module.ts'

type Json = Readonly<Record<string, unknown>>

const REF = '#/components/schemas/'
const ref = (schema: v.GenericSchema): Json => ({ $ref: REF + nameOf(schema) })
const content = (schema: Json, type = 'application/json'): Json => ({ [type]: { schema } })

/** Any route can be answered so. */
const ANYWHERE: readonly FailureCode[] = [
  'INVALID_QUERY',
  'UNAUTHORIZED',
  'FORBIDDEN_HOST',
  'FORBIDDEN_ORIGIN',
  'INTERNAL_SERVER_ERROR',
]

/** Any request with a body that svc reads. */
const WITH_BODY: readonly FailureCode[] = ['INVALID_BODY', 'INVALID_JSON', 'PAYLOAD_TOO_LARGE']

const failuresOf = ({ failures, failureStatus, isBodyOfProtocol }: Operation, method: string): Json => {
  const byStatus = new Map<number, FailureCode[]>()
  const add = (status: number, code: FailureCode) => {
    const codes = byStatus.get(status) ?? []
    if (!codes.includes(code)) byStatus.set(status, [...codes, code])
  }
  for (const code of failures) add(failureStatus ?? httpStatusOf(code), code)
  if (method !== 'GET' && !isBodyOfProtocol) for (const code of WITH_BODY) add(httpStatusOf(code), code)
  for (const code of ANYWHERE) add(httpStatusOf(code), code)
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      `${status}`,
      {
        description: codes.map(code => `${code}: ${FAILURES[code].meaning}.`).join('\n'),
        content: content(ref(HttpFailure)),
      },
    ]),
  )
}

/** The body may also be a failure of ours, if one has the same status. */
const protocolOf = ({ protocol = {} }: Operation, failures: Json): Json =>
  Object.fromEntries(
    Object.entries(protocol).map(([status, meaning]) => {
      const { description } = (failures[status] ?? {}) as { description?: string }
      const descriptionText = description === undefined ? `${meaning}.` : `${description}\n${meaning}.`
      return [status, { description: descriptionText, content: content({ type: 'object' }) }]
    }),
  )

const answerOf = ({ answers, answerHeaders }: Operation): Json => {
  const named = Object.entries(answerHeaders ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ])
  const headers = named.length === 0 ? {} : { headers: Object.fromEntries(named) }
  if (answers === 'any') return { description: 'Done.', content: content({ type: 'object' }) }
  if ('kind' in answers) return { description: 'Done.', ...headers, content: content(ref(answers)) }
  if ('socket' in answers) return { description: answers.socket }
  if ('type' in answers) return { description: 'Done.', content: content({ type: 'string' }, answers.type) }
  const events = Object.entries(answers.events).map(([name, data]) => [name, ref(data)])
  return {
    description: 'A stream of events; the data of each is one line of JSON of the schema listed by its event name.',
    content: { 'text/event-stream': { schema: { type: 'string' }, 'x-events': Object.fromEntries(events) } },
  }
}

interface QuerySchema {
  properties?: Readonly<Record<string, Json>>
}

const statusOf = ({ answers, status = 200 }: Operation) =>
  typeof answers === 'object' && 'socket' in answers ? '101' : String(status)

const parametersOf = (path: string, { query, headers }: Operation, schemas: Json): Json[] => {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const { properties = {} } = query === undefined ? {} : (schemas[nameOf(query)] as QuerySchema)
  const inQuery = Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', schema }))
  const inHeader = Object.entries(headers ?? {}).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  }))
  return [...inPath, ...inQuery, ...inHeader]
}

const describe = (id: RouteId, schemas: Json): Json => {
  const operation: Operation = OPERATIONS[id]
  const [method, path] = ROUTES[id]
  const { tag, summary, body, isBodyOptional = false } = operation
  const parameters = parametersOf(path, operation, schemas)
  const failures = failuresOf(operation, method)
  return {
    tags: [tag],
    summary,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: !isBodyOptional, content: content(ref(body)) } }),
    responses: { [statusOf(operation)]: answerOf(operation), ...failures, ...protocolOf(operation, failures) },
  }
}

/** The names that a piece of the document refers to. */
const referredIn = (piece: unknown): string[] =>
  [...JSON.stringify(piece).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name ?? '')

/** The document is about HTTP: of all the shapes it takes those that a route leads to. */
const reachable = (paths: Json, schemas: Json): Json => {
  const found = new Set<string>()
  const open = referredIn(paths)
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue
    found.add(name)
    open.push(...referredIn(schemas[name]))
  }
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => found.has(name)))
}

const openApiDocument = (version: string): Json => {
  const schemas: Json = componentSchemas()
  const paths: Record<string, Record<string, Json>> = {}
  for (const [id, [method, path]] of Object.entries(ROUTES)) {
    const pathTemplate = path.replace(/:(\w+)/g, '{$1}')
    paths[pathTemplate] = { ...paths[pathTemplate], [method.toLowerCase()]: describe(id as RouteId, schemas) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'svc', version, description: 'Drives Android devices for agents, scripts and CI.' },
    paths,
    components: { schemas: reachable(paths, schemas) },
  }
}

/** Made when it is first asked for. */
export const openApiRoutes = (version: string): RouteModule => {
  let json: string | undefined
  return {
    mount(app, { clock }) {
      mountDeclared(app, clock, 'server.openapi', () => {
        json ??= JSON.stringify(openApiDocument(version))
        return answerText(json)
      })
    },
  }
}

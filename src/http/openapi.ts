/**
 * GET /openapi.json: the routes as an OpenAPI 3.1 document, built from the operations of the route modules. Middleware
 * that describes routes would cost each request: with more than one handler Hono composes them every time.
 */
import { FAILURES, type FailureCode, httpStatusOf } from '../contracts/failures.ts'
import { componentSchemas, type SchemaName } from '../contracts/json-schema.ts'
import { answerText } from './answer.ts'
import type { Operation, RouteModule } from './module.ts'

type Json = Readonly<Record<string, unknown>>

const REF = '#/components/schemas/'
const ref = (name: SchemaName): Json => ({ $ref: REF + name })
const content = (schema: Json, type = 'application/json'): Json => ({ [type]: { schema } })

/** Any route can be answered so. */
const ANYWHERE: readonly FailureCode[] = [
  'INVALID_QUERY',
  'UNAUTHORIZED',
  'FORBIDDEN_HOST',
  'FORBIDDEN_ORIGIN',
  'INTERNAL_SERVER_ERROR',
]

const failuresOf = ({ failures, failureStatus }: Operation): Json => {
  const byStatus = new Map<number, FailureCode[]>()
  const add = (status: number, code: FailureCode) => {
    const codes = byStatus.get(status) ?? []
    if (!codes.includes(code)) byStatus.set(status, [...codes, code])
  }
  for (const code of failures) add(failureStatus ?? httpStatusOf(code), code)
  for (const code of ANYWHERE) add(httpStatusOf(code), code)
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      `${status}`,
      {
        description: codes.map(code => `${code}: ${FAILURES[code].meaning}.`).join('\n'),
        content: content(ref('HttpFailure')),
      },
    ]),
  )
}

/** Where a failure of ours has the status as well, the body is either. */
const protocolOf = ({ protocol = {} }: Operation, failures: Json): Json =>
  Object.fromEntries(
    Object.entries(protocol).map(([status, meaning]) => {
      const { description } = (failures[status] ?? {}) as { description?: string }
      const told = description === undefined ? `${meaning}.` : `${description}\n${meaning}.`
      return [status, { description: told, content: content({ type: 'object' }) }]
    }),
  )

const answerOf = ({ answers, answerHeaders }: Operation): Json => {
  const named = Object.entries(answerHeaders ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ])
  const headers = named.length === 0 ? {} : { headers: Object.fromEntries(named) }
  if (answers === 'any') return { description: 'Done.', content: content({ type: 'object' }) }
  if (typeof answers === 'string') return { description: 'Done.', ...headers, content: content(ref(answers)) }
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

const statusOf = ({ answers }: Operation) => (typeof answers === 'object' && 'socket' in answers ? '101' : '200')

const parametersOf = ({ path, query, headers }: Operation, schemas: Json): Json[] => {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const { properties = {} } = query === undefined ? {} : (schemas[query] as QuerySchema)
  const inQuery = Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', schema }))
  const inHeader = Object.entries(headers ?? {}).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  }))
  return [...inPath, ...inQuery, ...inHeader]
}

type Tagged = Operation & Pick<RouteModule, 'tag'>

const taggedOf = ({ tag, operations }: RouteModule): Tagged[] => operations.map(operation => ({ ...operation, tag }))

const operationOf = ({ tag, ...operation }: Tagged, schemas: Json): Json => {
  const { summary, body } = operation
  const parameters = parametersOf(operation, schemas)
  const failures = failuresOf(operation)
  return {
    tags: [tag],
    summary,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: content(ref(body)) } }),
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

const openApiDocument = (operations: readonly Tagged[], version: string): Json => {
  const schemas: Json = componentSchemas()
  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [operation.method]: operationOf(operation, schemas) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'svc', version, description: 'Drives Android devices for agents, scripts and CI.' },
    paths,
    components: { schemas: reachable(paths, schemas) },
  }
}

const OWN: Operation = {
  method: 'get',
  path: '/openapi.json',
  summary: 'This document.',
  answers: 'any',
  failures: [],
}

/** The document of these modules and of itself; made when it is first asked for. */
export const openApiRoutes = (modules: readonly RouteModule[], version: string): RouteModule => {
  let json: string | undefined
  const routes: RouteModule = {
    tag: 'Server',
    operations: [OWN],
    mount(app) {
      app.get(OWN.path, () => {
        json ??= JSON.stringify(openApiDocument([...modules, routes].flatMap(taggedOf), version))
        return answerText(json)
      })
    },
  }
  return routes
}

/** Every declared request refuses a parameter or a field that its declaration does not have, before anything is asked. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OPERATIONS } from '../../../src/contracts/operations/all.ts'
import type { Operation } from '../../../src/contracts/operations/operation.ts'
import { ROUTES, type RouteId } from '../../../src/contracts/operations/routes.ts'
import { call } from '../../support/http/http-client.ts'
import { type FakeServer, startFake } from '../../support/http/http-server.ts'

let fake: FakeServer
beforeAll(async () => {
  fake = await startFake()
})
afterAll(() => fake.server.close({ graceMs: 1_000 }))

const operationOf = (id: RouteId): Operation => OPERATIONS[id]
const IDS = Object.keys(ROUTES) as RouteId[]
const WITH_BODY = IDS.filter(id => ROUTES[id][0] !== 'GET' && !operationOf(id).isBodyOfProtocol)

const ask = (id: RouteId, query: string, body?: object) => {
  const [method, path] = ROUTES[id]
  return call(`${fake.url}${path.replace(/:\w+/g, 'x')}${query}`, {
    method,
    headers: { accept: 'application/json, text/event-stream' },
    ...(body ? { body } : {}),
  })
}

const refusal = (code: string, details: object) => ({
  status: 400,
  json: { ok: false, error: { code, details, hint: expect.stringMatching(/\.$/) } },
})

const namesOf = (schema: unknown) => Object.keys((schema as { entries?: object } | undefined)?.entries ?? {})

const OPEN = IDS.filter(id => operationOf(id).takesAnyQuery)

test.each(IDS.filter(id => !OPEN.includes(id)))('%s has no parameter that it does not declare', async id => {
  const { query } = operationOf(id)
  const answer = await ask(id, '?surplus=1', WITH_BODY.includes(id) ? {} : undefined)
  expect(answer).toMatchObject(refusal('INVALID_QUERY', { parameter: 'surplus', allowed: namesOf(query) }))
})

test.each(WITH_BODY)('%s has no field that it does not declare', async id => {
  const { body, reads = body } = operationOf(id)
  const answer = await ask(id, '', { surplus: 1 })
  expect(answer).toMatchObject(refusal('INVALID_BODY', { field: 'surplus', allowed: namesOf(reads) }))
  expect(fake.executions.requests).toEqual([])
})

test('an execution without the field around it is told where it belongs', async () => {
  const answer = await ask('execute', '', { commandId: 'c1', actions: [] })
  expect(answer).toMatchObject(refusal('INVALID_BODY', { field: 'commandId' }))
  const hint = expect.stringMatching(/^Put the payload into the field execution: .* It takes: execution,/)
  expect(answer.json).toMatchObject({ error: { hint } })
})

test('only pages and MCP take parameters that others have put into the address', async () => {
  const pages = ['server.api', 'server.docs', 'server.docsFile', 'server.home', 'server.viewer', 'server.viewerFile']
  expect([...OPEN].sort()).toEqual(['mcp.end', 'mcp.message', 'mcp.stream', ...pages])
  for (const id of OPEN) {
    const { json } = await ask(id, '?utm_source=mail')
    expect((json as { error?: { code?: unknown } } | undefined)?.error?.code, id).not.toBe('INVALID_QUERY')
  }
})

test('only a message of MCP has a body that svc does not judge', () => {
  expect(IDS.filter(id => operationOf(id).isBodyOfProtocol)).toEqual(['mcp.message'])
})

test.each(['fleet.drain', 'executions.cancel', 'mcp.end'] as const)('%s takes no body, and an empty one', async id => {
  const codes = [await ask(id, ''), await ask(id, '', {})].map(
    ({ json }) => (json as { error?: { code: unknown } }).error?.code,
  )
  expect(codes).not.toContain('INVALID_BODY')
})

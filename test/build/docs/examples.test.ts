/** The JSON and the HTTP requests of the documents are such as svc takes. */
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { OPERATIONS } from '../../../src/contracts/operations/all.ts'
import { ROUTES, type RouteId } from '../../../src/contracts/operations/routes.ts'
import { Policy } from '../../../src/contracts/policy.ts'
import { validateExecution } from '../../../src/service/executions/validate.ts'
import { parseFaults } from '../../../src/simulator/scenario/fault.ts'
import { readScenario } from '../../../src/simulator/scenario/scenario.ts'
import { jsonBlocks, page, shellBlocks, spans } from './documents.ts'

/** What is wrong with a block, by what it is. */
const KINDS: readonly [key: string, problem: (json: unknown, text: string) => string | undefined][] = [
  ['apps', (_, text) => problemOf(readScenario(text))],
  ['rules', json => (v.safeParse(Policy, json).success ? undefined : 'is no policy')],
  ['actions', json => problemOf(validateExecution(json))],
  ['mcpServers', () => undefined],
]

const problemOf = (read: { ok: boolean; error?: unknown }) => (read.ok ? undefined : JSON.stringify(read.error))

const judge = (text: string): string | undefined => {
  const json = JSON.parse(text)
  if (Array.isArray(json)) return problemOf(parseFaults(json))
  const kind = KINDS.find(([key]) => Object.hasOwn(json, key))
  return kind ? kind[1](json, text) : 'is of a kind that no test knows'
}

test('every block of JSON is valid for what it is', () => {
  expect(jsonBlocks.length).toBeGreaterThan(4)
  expect(jsonBlocks.flatMap(text => judge(text) ?? [])).toEqual([])
})

const generic = (path: string) => path.replaceAll(/:\w+|<\w+>|(?<=\/actors\/)policy/g, '<>')
const served = Object.values(ROUTES).map(([method, path]) => `${method} ${generic(path)}`)
const idOf = (request: string) =>
  (Object.keys(ROUTES) as RouteId[]).find(id => `${ROUTES[id][0]} ${generic(ROUTES[id][1])}` === request)

const REQUEST = /^(GET|POST|DELETE|PUT) \//

test('every request that a sentence names is one of svc', () => {
  const told = spans.filter(span => REQUEST.test(span)).map(span => generic(span.split(/[ ?](?=[{]|\w+=)/)[0] ?? ''))
  expect(told.length).toBeGreaterThan(15)
  expect(told.filter(request => !served.includes(request))).toEqual([])
})

test('every request is listed', () => {
  const listed = [...page('http').matchAll(/^\| `((?:GET|POST|DELETE|PUT) [^`]*)` \|/gm)].map(([, request = '']) =>
    generic(request),
  )
  expect(listed.sort()).toEqual([...served].sort())
})

interface Call {
  request: string
  body: string | undefined
}

const CURL = /curl (?:-N )?(?:-X (\w+) )?localhost:3000(\/\S*)([^'\n]*(?:'(content-type: [^']*)')?(?: -d '([^']*)')?)/g

const callsIn = (block: string): Call[] =>
  [...block.matchAll(CURL)].map(([, method = 'GET', path = '', , , body]) => ({
    request: `${method} ${generic(path.split('?')[0] ?? '')}`,
    body,
  }))

test('every request of a block is one of svc, with a body that it takes', () => {
  const calls = shellBlocks.flatMap(callsIn)
  expect(calls.filter(({ body }) => body !== undefined).length).toBeGreaterThan(4)
  for (const { request, body } of calls) {
    const id = idOf(request)
    expect(id, request).toBeDefined()
    if (id === undefined || body === undefined) continue
    const { body: schema } = OPERATIONS[id] as { body?: v.GenericSchema }
    expect(schema && v.safeParse(schema, JSON.parse(body)).success, `${request} ${body}`).toBe(true)
  }
})

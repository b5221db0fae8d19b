/** The OpenAPI document describes every route there is, and every answer is as it says. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RegistryEntry } from '../../../src/contracts/skills/registry.ts'
import { createListener } from '../../../src/start/listener.ts'
import { fakeExecutions } from '../../support/executions/fake-executions.ts'
import { payloadOf } from '../../support/executions/lab.ts'
import { type Answer, type CallOptions, call, readEvents } from '../../support/http/http-client.ts'
import { fakeDeps, type HttpLab, startHttpLab } from '../../support/http/http-server.ts'
import { entryFor } from '../../support/skills/skill-repo.ts'

interface Media {
  schema: object
  'x-events'?: Record<string, object>
}

interface Described {
  summary: string
  parameters?: { name: string; in: string }[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { description: string; content: Record<string, Media>; headers?: object }>
}

interface OpenApi {
  openapi: string
  info: { title: string; version: string }
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, object> }
}

let lab: HttpLab
let document: OpenApi
let ajv: Ajv2020
beforeAll(async () => {
  lab = await startHttpLab()
  document = (await call(`${lab.url}/openapi.json`)).json as OpenApi
  ajv = new Ajv2020({ strict: false, allErrors: true })
  ajv.addSchema(document, 'doc')
})
afterAll(() => lab.close())

const compiled = (schema: object): ValidateFunction =>
  // References of the document are to its own components.
  ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"doc#/components')))

const mediaFor = (method: string, path: string, status: number): Record<string, Media> => {
  const described = document.paths[path]?.[method]
  expect(described, `${method} ${path}`).toBeDefined()
  const response = described?.responses[status]
  expect(response, `${method} ${path} ${status}`).toBeDefined()
  return response?.content ?? {}
}

const check = (method: string, path: string, answer: Answer) => {
  const media = mediaFor(method, path, answer.status)['application/json']
  const validate = compiled(media?.schema ?? {})
  expect(validate(answer.json), `${method} ${path} ${answer.status}: ${JSON.stringify(validate.errors)}`).toBe(true)
  if (answer.status !== 200) {
    const { code } = (answer.json as { error: { code: string } }).error
    expect(document.paths[path]?.[method]?.responses[answer.status]?.description).toContain(`${code}:`)
  }
}

describe('the document', () => {
  test('is OpenAPI 3.1', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'svc', version: '1.2.3' } })
  })

  test('has every route of the app, and no other', () => {
    const app = createListener(fakeDeps(fakeExecutions())).app
    // A page under the address with a slash behind it leads to the one without.
    const own = app.routes.filter(({ path }) => path === '/' || !path.endsWith('/'))
    const routes = own.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
    )
    expect(described.sort()).toEqual(routes.sort())
  })

  test('refers to nothing that is not there, and holds nothing that nobody refers to', () => {
    const text = JSON.stringify(document)
    const referred = new Set([...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name))
    expect([...referred].sort()).toEqual(Object.keys(document.components.schemas).sort())
    expect(referred).not.toContain('DaemonLock')
  })

  test('says of each route what it is, and how it fails', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      const done = path === '/inspect-ws' ? '101' : '200'
      for (const [method, { summary, responses }] of Object.entries(methods)) {
        expect(summary).toMatch(/\.$/)
        const isBegun = path === '/test-runs' && method === 'post'
        expect(Object.keys(responses)).toEqual(expect.arrayContaining([isBegun ? '202' : done, '400', '403', '500']))
      }
    }
  })

  test('names the parameters', () => {
    const parameters = (path: string) =>
      document.paths[path]?.get?.parameters?.map(found => `${found.in} ${found.name}`)
    expect(parameters('/executions')).toEqual([
      'query deviceId',
      'query commandId',
      'query taskId',
      'query skillRunId',
      'query outcome',
      'query limit',
    ])
    expect(parameters('/actors/{id}/history')).toEqual(['path id', 'query after', 'query limit'])
    expect(parameters('/events')).toEqual(['query scope', 'header Last-Event-ID'])
  })
})

/** One skill that runs, and one without files, where the server looks for a registry first. */
const writeSkills = (home: string) => {
  const entries = ['com.lab.do', 'com.lab.broken'].map(id => entryFor(id, { scripts: [`skills/${id}/run.js`] }))
  const [{ id, path }] = entries as [RegistryEntry]
  mkdirSync(join(home, path), { recursive: true })
  writeFileSync(join(home, 'skills/skills-registry.json'), JSON.stringify({ skills: entries }))
  writeFileSync(join(home, path, 'skill.json'), JSON.stringify(entries[0]))
  writeFileSync(join(home, path, 'SKILL.md'), `# ${id}`)
  writeFileSync(join(home, path, 'run.js'), "console.log('done')")
}

describe('live answers', () => {
  const ask = async (method: string, path: string, options: CallOptions & { at?: string } = {}) => {
    const answer = await call(`${lab.url}${options.at ?? path}`, { method: method.toUpperCase(), ...options })
    check(method, path, answer)
    return answer
  }
  const snap = { id: 'a', type: 'snapshot' }

  test('of routes that read', async () => {
    for (const path of ['/ping', '/version', '/devices', '/executions', '/actors', '/openapi.json']) {
      expect((await ask('get', path)).status).toBe(200)
    }
    expect((await ask('get', '/executions', { at: '/executions?limit=0' })).status).toBe(400)
    expect((await ask('get', '/actors/{id}', { at: '/actors/nobody' })).status).toBe(404)
    expect((await ask('get', '/actors/{id}/history', { at: '/actors/nobody/history' })).status).toBe(404)
    expect((await ask('get', '/executions/{executionId}', { at: '/executions/nobody' })).status).toBe(404)
    expect((await ask('delete', '/executions/{executionId}', { at: '/executions/nobody' })).status).toBe(404)
    expect((await ask('get', '/ping', { headers: { Host: 'evil.example' } })).status).toBe(403)
  })

  test('of executions and what they leave behind', async () => {
    const execution = payloadOf([snap, { id: 'b', type: 'read', params: { matcher: { textEquals: 'nowhere' } } }])
    const request = { execution }
    const body = compiled(document.paths['/execute']?.post?.requestBody?.content['application/json']?.schema ?? {})
    expect(body({ execution: payloadOf([snap]) })).toBe(true)
    expect(body({ execution: { commandId: 5 } })).toBe(false)
    const executed = await ask('post', '/execute', { body: request })
    expect(executed.json).toMatchObject({ ok: true, envelope: { status: 'failed' } })
    for (const path of ['/snapshot', '/screenshot']) {
      expect((await ask('post', path, { body: {} })).status).toBe(200)
      expect((await ask('post', path, { body: { deviceId: 5 } })).status).toBe(400)
      expect((await ask('post', path, { body: { deviceId: 'nobody' } })).status).toBe(404)
      expect((await ask('post', path, { body: 'x' })).status).toBe(400)
    }
    expect((await ask('post', '/screenshot', { body: { path: '/nowhere/at/all.png' } })).status).toBe(400)
    expect((await ask('post', '/execute', { body: {} })).status).toBe(400)
    expect((await ask('post', '/execute', { body: { execution: {} } })).status).toBe(400)
    expect((await ask('post', '/execute', { body: 'x'.repeat(200_000) })).status).toBe(413)

    const id = String(executed.headers['svc-execution-id'])
    expect((await ask('get', '/executions/{executionId}', { at: `/executions/${id}` })).status).toBe(200)
    expect((await ask('delete', '/executions/{executionId}', { at: `/executions/${id}` })).status).toBe(200)
    expect((await ask('get', '/executions')).json).toMatchObject({ count: 3 })
    const actor = `/actors/device:${lab.serials[0]}`
    expect((await ask('get', '/actors/{id}', { at: actor })).status).toBe(200)
    expect((await ask('get', '/actors/{id}/history', { at: `${actor}/history?limit=3` })).json).toMatchObject({
      next: expect.any(Number),
    })
  })

  test('of skills', async () => {
    expect((await ask('get', '/skills')).status).toBe(500)
    writeSkills(lab.lab.home)
    expect((await ask('get', '/skills', { at: '/skills?app=com.lab' })).json).toMatchObject({ count: 2 })
    expect((await ask('get', '/skills', { at: '/skills?app=a&app=b' })).status).toBe(400)
    expect((await ask('get', '/skills/{skillId}', { at: '/skills/com.lab.do' })).status).toBe(200)
    expect((await ask('get', '/skills/{skillId}', { at: '/skills/nobody' })).status).toBe(404)
    const run = (skillId: string, body: unknown) =>
      ask('post', '/skills/{skillId}/run', { at: `/skills/${skillId}/run`, body })
    expect((await run('com.lab.broken', {})).status).toBe(400)
    expect((await run('com.lab.do', { args: 5 })).status).toBe(400)
    expect((await run('nobody', {})).status).toBe(404)
    expect((await run('com.lab.do', { deviceId: 'nobody' })).status).toBe(404)
    expect((await run('com.lab.do', {})).json).toMatchObject({ ok: true, output: 'done\n' })
    expect((await run('com.lab.do', { expectContains: 'x' })).status).toBe(400)
  })

  test('of changes of emulators whose body is too large', async () => {
    const body = 'x'.repeat(200_000)
    for (const route of ['/android/emulators/{name}/start', '/android/emulators/{name}/stop']) {
      expect((await ask('post', route, { at: route.replace('{name}', 'a'), body })).status).toBe(413)
    }
    for (const route of ['/android/emulators/create', '/android/provision/emulator']) {
      expect((await ask('post', route, { body })).status).toBe(413)
    }
  })

  test('of the Model Context Protocol', async () => {
    const accept = 'application/json, text/event-stream'
    const initialize = {
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
    }
    const message = { jsonrpc: '2.0', id: 1 }
    const [initialized, ping] = [
      { ...message, ...initialize },
      { ...message, method: 'ping' },
    ]
    const begun = await call(`${lab.url}/mcp`, { body: initialized, headers: { Accept: accept } })
    const session = { Accept: accept, 'Mcp-Session-Id': String(begun.headers['mcp-session-id']) }
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const text = { ...session, 'Content-Type': 'text/plain' }
    const requests: [number, string, CallOptions][] = [
      [202, 'post', { body: notification, headers: session }],
      [400, 'post', { body: ping, headers: { Accept: accept } }],
      [400, 'post', { body: '{', headers: { Accept: accept } }],
      [404, 'post', { body: ping, headers: { ...session, 'Mcp-Session-Id': 'nobody' } }],
      [406, 'post', { body: ping, headers: { ...session, Accept: 'text/plain' } }],
      [413, 'post', { body: 'x'.repeat(200_000), headers: session }],
      [415, 'post', { body: '{}', headers: text }],
      [400, 'get', { headers: { Accept: accept } }],
      [404, 'get', { headers: { Accept: accept, 'Mcp-Session-Id': 'nobody' } }],
      [406, 'get', { headers: { ...session, Accept: 'application/json' } }],
      [400, 'delete', { headers: {} }],
      [404, 'delete', { headers: { 'Mcp-Session-Id': 'nobody' } }],
      [200, 'delete', { headers: session }],
    ]
    for (const [status, method, options] of requests) {
      const answer = await call(`${lab.url}/mcp`, { ...options, method: method.toUpperCase() })
      expect([method, answer.status]).toEqual([method, status])
      const validate = compiled(mediaFor(method, '/mcp', status)['application/json']?.schema ?? { not: {} })
      if (answer.text !== '') expect(validate(answer.json), JSON.stringify(validate.errors)).toBe(true)
    }
  })

  test('of the streams: each event is of the schema that stands by its name', async () => {
    for (const [path, at, count] of [
      ['/events', '/events', 3],
      ['/actors/events', '/actors/events', 3],
    ] as const) {
      const reader = await readEvents(`${lab.url}${at}`)
      await call(`${lab.url}/snapshot`, { body: {} })
      await reader.have(count)
      const media = mediaFor('get', path, 200)['text/event-stream']
      for (const { event, data } of reader.events) {
        const validate = compiled(media?.['x-events']?.[event] ?? { not: {} })
        expect(validate(data), `${event}: ${JSON.stringify(validate.errors)}`).toBe(true)
      }
      reader.close()
    }
    const answer = await call(`${lab.url}/events`, { headers: { 'Last-Event-ID': 'x' } })
    check('get', '/events', answer)
  })
})

test('an execution can be answered with every status of the table', () => {
  const described = Object.keys(document.paths['/execute']?.post?.responses ?? {})
  expect(described.sort()).toEqual(['200', '400', '401', '403', '404', '409', '413', '422', '423', '500', '503', '504'])
})

/** GET /skills and GET /skills/:skillId: the plain filter, which is not the search of the command line. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { cachedRegistry } from '../../../../src/service/skills/registry/find.ts'
import type { RunRequest } from '../../../../src/service/skills/skills.ts'
import type { ListenerParts } from '../../../../src/start/listener.ts'
import { call } from '../../../support/http/http-client.ts'
import { type FakeServer, startFake } from '../../../support/http/http-server.ts'
import { entryFor, type SkillRepo, skillRepo } from '../../../support/skills/skill-repo.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-skill-routes-')
const asked: RunRequest[] = []
const entries = [
  entryFor('com.a.battery', { summary: 'Reads the Level', keywords: ['power'] }),
  entryFor('com.a.search', { summary: 'Looks for battery things' }),
  entryFor('com.b.battery', { summary: 'Saves' }),
]

let repo: SkillRepo
let fake: FakeServer
beforeAll(async () => {
  repo = skillRepo(folder())
  repo.list(entries)
  const clock = systemClock()
  const skills: ReturnType<ListenerParts['skills']> = {
    load: cachedRegistry({ registry: repo.registryPath, cwd: '/', home: '/', clock }).load,
    run: async request => {
      asked.push(request)
      return { runId: 'run-1', skillId: request.skillId, status: 'success', durationMs: 5, skillResult: null }
    },
  }
  fake = await startFake({ skills: () => skills })
})
afterAll(() => fake.server.close({ graceMs: 1_000 }))

const listed = async (query: string) => {
  const { status, json } = await call(`${fake.url}/skills${query}`)
  expect([status, (json as { ok: boolean }).ok]).toEqual([200, true])
  const { skills, count } = json as { skills: { id: string }[]; count: number }
  expect(count).toBe(skills.length)
  return skills.map(({ id }) => id)
}

test('all of them, as the registry has them', async () => {
  expect((await call(`${fake.url}/skills`)).json).toEqual({ ok: true, skills: entries, count: 3 })
  expect(await listed('?')).toHaveLength(3)
})

test.each([
  ['?app=com.a', ['com.a.battery', 'com.a.search']],
  ['?app=com.A', []],
  ['?app=com', []],
  ['?intent=battery', ['com.a.battery', 'com.b.battery']],
  ['?intent=batt', []],
  ['?app=com.a&intent=battery', ['com.a.battery']],
  // A plain part of id, summary or applicationId, in registry order; keywords are not looked at.
  ['?keyword=BATT', ['com.a.battery', 'com.a.search', 'com.b.battery']],
  ['?keyword=level', ['com.a.battery']],
  ['?keyword=power', []],
  ['?keyword=com.a', ['com.a.battery', 'com.a.search']],
  ['?keyword=for%20battery', ['com.a.search']],
  ['?keyword=', ['com.a.battery', 'com.a.search', 'com.b.battery']],
  ['?app=com.b&keyword=battery', ['com.b.battery']],
])('%s', async (query, ids) => {
  expect(await listed(query)).toEqual(ids)
})

test('a repeated key is refused', async () => {
  expect(await call(`${fake.url}/skills?app=a&app=b`)).toMatchObject({
    status: 400,
    json: { error: { code: 'INVALID_QUERY' } },
  })
})

test('one of them, by its id', async () => {
  expect(await call(`${fake.url}/skills/com.a.search`)).toMatchObject({
    status: 200,
    json: { ok: true, skill: entries[1] },
  })
  expect(await call(`${fake.url}/skills/com.a.%73earch`)).toMatchObject({ status: 200 })
  expect(await call(`${fake.url}/skills/nobody`)).toMatchObject({
    status: 404,
    json: { error: { code: 'SKILL_NOT_FOUND' } },
  })
})

test('a registry that changes is read again', async () => {
  repo.list([...entries, entryFor('com.c.new')])
  expect(await listed('?app=com.c')).toEqual(['com.c.new'])
  expect(await listed('')).toHaveLength(4)
})

test('a run is asked for as the body says, each argument as text', async () => {
  const body = {
    deviceId: 'd',
    args: ['a', 1, true, null, { b: [2] }, ''],
    timeoutMs: 5_000,
    expectContains: 'x',
  }
  const answer = await call(`${fake.url}/skills/com.a.search/run`, { body })
  expect(answer).toMatchObject({
    status: 200,
    headers: { 'svc-skill-run': 'run-1' },
    json: { ok: true, durationMs: 5 },
  })
  expect(asked).toEqual([
    {
      skillId: 'com.a.search',
      caller: 'http',
      deviceId: 'd',
      args: ['a', '1', 'true', 'null', '{"b":[2]}', ''],
      timeoutMs: 5_000,
      expectContains: 'x',
      operatorPackage: 'com.svc.operator',
    },
  ])
  expect(await call(`${fake.url}/skills/com.a.search/run`, { method: 'POST' })).toMatchObject({
    status: 400,
    json: { error: { code: 'INVALID_BODY' } },
  })
})

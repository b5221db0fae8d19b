/** A caller over the network: its deadline is judged, and nothing that it sends changes who it is. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call } from '../support/http/http-client.ts'
import { until } from '../support/until.ts'
import { executionOf, nap, runSkill } from './doors.ts'
import { localOfTests, SKILL } from './doors-local.ts'

const here = localOfTests()

const within = { 'svc-answer-within': '1000' }

test.each<[string, string, object]>([
  ['executions', '/execute', { execution: executionOf([nap(1)]) }],
  ['snapshots', '/snapshot', {}],
  ['screenshots', '/screenshot', {}],
  ['skill runs', `/skills/${SKILL}/run`, { timeoutMs: 5_000 }],
])('names no deadline for %s below their timeout', async (_name, path, body) => {
  const answer = await here().doors.HTTP({
    http: { path, body: { ...body, deviceId: here().phone(0) }, headers: within },
  })
  expect(answer).toMatchObject({ code: 'INVALID_BODY', dispatched: false, sent: 0 })
})

test('names a deadline from the timeout on', async () => {
  const body = { execution: executionOf([nap(1)], { timeoutMs: 5_000 }), deviceId: here().phone(0) }
  const answer = await here().doors.HTTP({ http: { path: '/execute', body, headers: { 'svc-answer-within': '5000' } } })
  expect(answer).toMatchObject({ code: 'ok', sent: 1 })
})

test('stays `http` for the policy, whatever it says and while a skill runs', async () => {
  const rules = [
    { id: 'others', effect: 'deny', callers: ['cli', 'mcp', 'skill'], actions: ['sleep'] },
    { id: 'this', effect: 'deny', callers: ['http'], actions: ['press_key'] },
  ]
  const path = join(here().lab.home, '.svc', 'policy.json')
  writeFileSync(path, JSON.stringify({ rules }))
  const run = here().doors.HTTP(runSkill(SKILL, here().phone(1), ['--query', 'battery']))
  const inFlight = async () => {
    const { json } = await call(`${here().url}/actors`)
    const actors = (json as { actors: { id: string; state: string }[] }).actors
    return actors.find(({ id, state }) => id.startsWith('skill-run:') && !/ended|settled|finished/.test(state))
  }
  await until(async () => (await inFlight()) !== undefined, 'the skill to run')
  const runId = (await inFlight())?.id.slice('skill-run:'.length) ?? ''
  const headers = { 'svc-caller': 'cli', 'svc-confirmed': 'others,this', 'Svc-Skill-Run': runId }
  const say = (action: object) =>
    here().doors.HTTP({
      http: { path: '/execute', body: { execution: executionOf([action]), deviceId: here().phone(0) }, headers },
    })
  expect(await say({ id: 'home', type: 'press_key', params: { key: 'home' } })).toMatchObject({
    code: 'EXECUTION_DENIED',
    details: { rule: 'this', caller: 'http' },
    dispatched: false,
  })
  expect(await say(nap(1))).toMatchObject({ code: 'ok' })
  await run
  rmSync(path)
})

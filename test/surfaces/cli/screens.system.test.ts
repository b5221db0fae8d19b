/** Compact screens and the policy where callers meet them: the command line with and without its daemon, HTTP, and skills. */

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { journalPath } from '../../../src/runtime/home.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { isAlive } from '../../../src/runtime/processes/processes.ts'
import { validateExecution } from '../../../src/service/executions/validate.ts'
import { createServices } from '../../../src/start/command.ts'
import { startCli } from '../../support/cli/run-cli.ts'
import { type ServingHere, startServeHere } from '../../support/cli/serve.ts'
import { type SvcLab, startSvcLab } from '../../support/cli/svc-lab.ts'
import { executeIn } from '../../support/executions/execute-in.ts'
import { payloadOf } from '../../support/executions/lab.ts'
import { call } from '../../support/http/http-client.ts'
import { until } from '../../support/until.ts'

const registry = fileURLToPath(new URL('../../fixtures/skills/skills-registry.json', import.meta.url))

let lab: SvcLab
let server: ServingHere
beforeAll(async () => {
  lab = await startSvcLab()
  server = await startServeHere({ env: lab.env, cwd: lab.home })
  await lab.svc(['open', 'com.android.settings'])
})
afterAll(async () => {
  await server.end()
  await lab.close()
})

interface Output {
  code?: string
  details?: Record<string, unknown>
  observed?: { screen: number; text: string }
  envelope: { stepResults: { data: Record<string, string> }[]; error: { details: Record<string, unknown> } }
}

const svc = async (...args: string[]) => (await lab.svc(args)).json<Output>()
const dataOf = ({ envelope }: Output) => envelope.stepResults.at(-1)?.data
const refIn = (text: string, what: string) =>
  text
    .split('\n')
    .find(line => line.includes(what))
    ?.split(' ')[0] ?? ''
const post = async (path: string, body: unknown) => {
  const { status, json } = await call(`${server.url}${path}`, { body })
  return { status, json: json as Output & { ok: boolean; error?: { code: string; details: Record<string, unknown> } } }
}

describe('a ref outlives the process that gave it', () => {
  test('from the daemon to a command without it, to HTTP and back', async () => {
    const { text = '' } = dataOf(await svc('snapshot', '--compact')) ?? {}
    expect(text).toMatch(/^screen \d+ com\.android\.settings\n@/)
    const wifi = refIn(text, '"Wi-Fi"')
    const direct = await svc('click', '--ref', wifi, '--observe', '--no-daemon')
    expect(direct.observed?.text).toMatch(/~ @\d+\.\d+ switch "Wi-Fi" off was on$/)
    const off = refIn(direct.observed?.text.replace('~ ', '') ?? '', '"Wi-Fi"')
    const { json } = await post('/execute', {
      execution: payloadOf([{ id: 'c', type: 'click', params: { matcher: { ref: off } } }]),
      observe: true,
    })
    expect(json.observed?.text).toMatch(/~ @\d+\.\d+ switch "Wi-Fi" on was off$/)
    const stale = await svc('click', '--ref', off)
    expect(stale).toMatchObject({ code: 'REF_STALE', details: { ref: off, dispatched: false } })
    const snapshot = await post('/snapshot', { format: 'compact' })
    const back = refIn(dataOf(snapshot.json)?.text ?? '', '"Wi-Fi"')
    expect(await svc('read', '--ref', back)).not.toHaveProperty('code')
  })

  test('over HTTP a stale one is 409, since another execution is a difference, and the default stays XML', async () => {
    expect(
      (
        await post('/execute', {
          execution: payloadOf([{ id: 'c', type: 'click', params: { matcher: { ref: '@99.1' } } }]),
        })
      ).status,
    ).toBe(409)
    const answer = await call(`${server.url}/snapshot`, { body: {} })
    expect(dataOf(answer.json as Output)?.text).toMatch(/^<\?xml/)
    const since = String(answer.headers['svc-execution-id'])
    expect(dataOf((await post('/snapshot', { since })).json)?.text).toMatch(/\(unchanged since /)
    for (const body of [{ format: 'short' }, { since: 1 }]) expect((await post('/snapshot', body)).status).toBe(400)
  })

  test('the command line refuses what contradicts itself', async () => {
    expect(await svc('snapshot', '--compact', '--full')).toMatchObject({ code: 'USAGE' })
    expect(await svc('click', '--ref', '12.7')).toMatchObject({ code: 'EXECUTION_VALIDATION_FAILED' })
    expect(await svc('click', '--ref', '@1.1', '--text', 'OK')).toMatchObject({ code: 'EXECUTION_VALIDATION_FAILED' })
  })
})

describe('the policy', () => {
  const path = () => join(lab.home, '.svc', 'policy.json')
  const write = (policy: unknown) => writeFileSync(path(), typeof policy === 'string' ? policy : JSON.stringify(policy))
  afterEach(() => rmSync(path(), { force: true }))
  const deny = (more: object) => write({ rules: [{ id: 'no', effect: 'deny', ...more }] })
  const click = payloadOf([{ id: 'c', type: 'click', params: { coordinate: { x: 5, y: 5 } } }])
  const denied = { code: 'EXECUTION_DENIED', details: { rule: 'no' } }

  test('holds for the daemon, for a command without it, and for HTTP, from the next execution on', async () => {
    const seen = lab.seen()
    deny({ actions: ['tap'] })
    expect(await svc('click', '--coordinate', '5', '5')).toMatchObject(denied)
    expect(await svc('click', '--coordinate', '5', '5', '--no-daemon')).toMatchObject(denied)
    const { status, json } = await post('/execute', { execution: click })
    expect(status).toBe(403)
    expect(json.error).toMatchObject(denied)
    expect(lab.seen()).toBe(seen)
    expect(await svc('back')).not.toHaveProperty('code')
    rmSync(path())
    expect(await svc('click', '--coordinate', '5', '5')).not.toHaveProperty('code')
  })

  test('tells callers apart: a command that goes through the daemon is not an HTTP caller', async () => {
    deny({ callers: ['http'] })
    expect(await svc('back')).not.toHaveProperty('code')
    const headers = { 'svc-caller': 'cli' }
    const answer = await call(`${server.url}/execute`, { body: { execution: click }, headers })
    expect(answer.json).toMatchObject({ error: denied })
    deny({ callers: ['cli'] })
    expect(await svc('back')).toMatchObject(denied)
    expect((await post('/execute', { execution: click })).status).toBe(200)
  })

  test('asks which application is in front, before each step that touches it', async () => {
    await svc('open', 'com.android.settings')
    deny({ packages: ['com.android.*'], actions: ['click'] })
    expect(await svc('click', '--coordinate', '5', '5')).toMatchObject({
      code: 'EXECUTION_DENIED',
      details: { rule: 'no', package: 'com.android.settings', dispatched: false },
    })
    expect(await svc('press', 'home')).not.toHaveProperty('code')
    const open = { id: 'o', type: 'open_app', params: { applicationId: 'com.android.settings' } }
    const { json } = await post('/execute', { execution: payloadOf([open, click.actions[0]]) })
    expect(json.envelope).toMatchObject({ status: 'failed', errorCode: 'EXECUTION_DENIED' })
    expect(json.envelope.stepResults).toHaveLength(2)
  })

  test('denies what nothing allows, with the default', async () => {
    write({ default: 'deny', rules: [{ id: 'look', effect: 'allow', actions: ['snapshot'] }] })
    expect(await svc('snapshot')).not.toHaveProperty('code')
    expect(await svc('back')).toMatchObject({ code: 'EXECUTION_DENIED', details: { rule: 'default' } })
    expect(await svc('back', '--observe')).toMatchObject({ code: 'EXECUTION_DENIED' })
  })

  test('asks nobody but MCP clients for a confirmation', async () => {
    write({ rules: [{ id: 'no', effect: 'confirm', actions: ['press_key'] }] })
    expect(await svc('back')).toMatchObject({ code: 'EXECUTION_DENIED', details: { rule: 'no', effect: 'confirm' } })
    const services = createServices({ env: lab.env, cwd: lab.home, note: () => {} })
    const validation = validateExecution(payloadOf([{ id: 'h', type: 'press_key', params: { key: 'home' } }]))
    if (!validation.ok) throw new Error(validation.error.message)
    const { execution } = validation
    for (const [confirmed, isDone] of [
      [[], false],
      [['other'], false],
      [['no'], true],
    ] as [string[], boolean][]) {
      const { result } = await executeIn(services, { execution, caller: 'mcp', confirmed })
      expect(result.ok).toBe(isDone)
    }
    await services.close()
  })

  test.each<[string, unknown, string]>([
    ['is not JSON', '{', 'it is not JSON'],
    ['has an unknown key', { rules: [{ id: 'a', effect: 'deny', app: 'x' }] }, 'rules[0] has the unknown key "app"'],
    [
      'has an empty list',
      { rules: [{ id: 'a', effect: 'allow', actions: [] }] },
      'rules[0].actions is a list: it is empty',
    ],
    [
      'names an action that does not exist',
      { rules: [{ id: 'a', effect: 'deny', actions: ['clik'] }] },
      'rules[0].actions[0] is "clik", which is no type of action (did you mean click?)',
    ],
  ])('denies everything when its file %s, and says so', async (_, policy, said) => {
    write(policy)
    for (const args of [['back'], ['back', '--no-daemon'], ['snapshot']]) {
      const output = (await svc(...args)) as Output & { message: string }
      expect(output).toMatchObject({ code: 'EXECUTION_DENIED', details: { rule: 'policy-file' } })
      expect(output.message).toContain(said)
    }
  })

  test('of a file that was named denies everything when the file is not there', async () => {
    expect(await svc('back', '--policy', 'missing.json')).toMatchObject({ details: { rule: 'policy-file' } })
    const named = join(lab.home, 'named.json')
    writeFileSync(named, JSON.stringify({ rules: [{ id: 'no', effect: 'deny' }] }))
    expect(await svc('back', '--policy', 'named.json')).toMatchObject(denied)
    expect((await lab.svc(['back'], { env: { SVC_POLICY: named } })).json()).toMatchObject(denied)
  })

  test('refusals are on record, and watched as they come, also those between steps', async () => {
    deny({ actions: ['press_key'] })
    await svc('back')
    const journal = openJournal({ path: journalPath(join(lab.home, '.svc')), alive: isAlive, clock: systemClock() })
    const last = journal.last('policy')
    expect(last?.event).toMatchObject({ type: 'execution.denied', rule: 'no', caller: 'cli', action: 'press_key' })
    const watching = startCli(['watch', 'policy', '--json', '--after', String((last?.seq ?? 0) - 1)], { env: lab.env })
    const lines = () => watching.stdout().split('\n').slice(0, -1)
    await until(() => lines().length === 1, 'the denial that was')
    deny({ actions: ['click'], packages: ['com.android.*'] })
    const open = { id: 'o', type: 'open_app', params: { applicationId: 'com.android.settings' } }
    const { json } = await post('/execute', { execution: payloadOf([open, click.actions[0]]) })
    expect(json.envelope.error.details).toMatchObject({ rule: 'no', dispatched: true, executedSteps: ['o'] })
    await until(() => lines().length === 2, 'the denial that came')
    watching.child.kill('SIGTERM')
    await watching.ended
    expect(lines().map(line => JSON.parse(line))).toMatchObject([
      { actor: 'policy', event: 'execution.denied' },
      { actor: 'policy', event: 'execution.denied' },
    ])
    expect(journal.last('policy')?.event).toMatchObject({ rule: 'no', package: 'com.android.settings', caller: 'http' })
    journal.close()
  })

  test('lets a skill run or not, and knows what it does as its own', async () => {
    const words = ['skills', 'run', '--registry', registry, 'com.android.settings.open-row']
    deny({ skills: ['com.android.*'] })
    expect((await lab.svc(words)).json()).toMatchObject(denied)
    deny({ callers: ['skill'], actions: ['open_app', 'click', 'scroll_until', 'scroll_and_click'] })
    const ran = (await lab.svc(words)).json<{ message?: string; stdout?: string }>()
    expect(JSON.stringify(ran)).toContain('EXECUTION_DENIED')
    expect(await svc('open', 'com.android.settings')).not.toHaveProperty('code')
  })
})

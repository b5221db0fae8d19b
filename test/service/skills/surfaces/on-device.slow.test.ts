/** Skills on a simulated device: the scaffold and the examples, through the command line and over HTTP alike. */
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EXECUTION_ID_HEADER } from '../../../../src/contracts/doors/headers.ts'
import { runCliHere } from '../../../support/cli/cli-here.ts'
import { needsPty } from '../../../support/cli/pty.ts'
import { type Lab, payloadOf, startLab } from '../../../support/executions/lab.ts'
import { call } from '../../../support/http/http-client.ts'
import {
  asOutcome,
  noBridge,
  runTwice,
  type Surfaces,
  startSurfaces,
  timelessOutcome,
} from '../../../support/skills/skill-surfaces.ts'

const fixture = (path: string) => fileURLToPath(new URL(`../../../fixtures/${path}`, import.meta.url))

let lab: Lab
let serial: string
let surfaces: Surfaces
beforeAll(async () => {
  lab = await startLab()
  serial = lab.fleet.devices[0]?.serial ?? ''
  surfaces = await startSurfaces({
    home: lab.home,
    registry: fixture('skills/skills-registry.json'),
    env: { SVC_TCP_DEVICES: serial, PATH: `${fixture('bin')}:${process.env.PATH}` },
  })
})
afterAll(async () => {
  await surfaces.close()
  await lab.close()
})

interface Executions {
  executions: { commandId: string; deviceId: string; state: string }[]
  count: number
}

const executionsOf = async (runId: string): Promise<Executions['executions']> => {
  const { json } = await surfaces.cli(['executions', 'list', '--skill-run', runId])
  const listed = json<Executions>()
  const overHttp = (await surfaces.get(`/executions?skillRunId=${runId}`)).json as Executions
  expect(overHttp.executions.map(({ commandId }) => commandId)).toEqual(
    listed.executions.map(({ commandId }) => commandId),
  )
  return listed.executions
}

/** Through both, with the same outcome. */
const runs = async (skillId: string, args: readonly string[]) => {
  const ran = await runTwice(surfaces, { skillId, args, deviceId: serial })
  expect(ran.http.status, JSON.stringify(ran.http.body)).toBe(200)
  expect(asOutcome(ran.http.body)).toEqual(timelessOutcome(ran.cli.outcome))
  return ran.cli.outcome
}

describe('the examples', () => {
  test('are valid, recipes included', async () => {
    const { json } = await surfaces.cli(['skills', 'validate', '--all', '--dry-run'])
    expect(json()).toMatchObject({ valid: true, totalSkills: 3 })
  })

  test('a replay proves its declared verification', async () => {
    const outcome = await runs('com.android.settings.search-replay', ['--query', 'wifi 5g'])
    expect(outcome).toMatchObject({
      status: 'success',
      skillResult: { result: { text: 'wifi 5g' }, terminalVerification: { status: 'verified' } },
    })
  })

  test('a replay that is not given what it declares proves nothing', async () => {
    const ran = await runTwice(surfaces, {
      skillId: 'com.android.settings.search-replay',
      args: ['first', 'second'],
      deviceId: serial,
    })
    expect(ran.cli).toMatchObject({ code: 1, outcome: { status: 'indeterminate' } })
    expect(ran.http).toMatchObject({ status: 200, body: { ok: null } })
  })

  test('a recipe is compiled and executed', async () => {
    const outcome = await runs('com.android.settings.open-row', ['Battery'])
    expect(outcome).toMatchObject({
      status: 'success',
      skillResult: { result: { value: { row: 'Battery' } }, checkpoints: [{ note: expect.stringMatching(/^cmd-/) }] },
    })
  })

  test.skipIf(!needsPty())('an agent follows SKILL.md on a terminal', async () => {
    const outcome = await runs('com.android.settings.battery-orchestrated', ['now'])
    expect(outcome).toMatchObject({
      status: 'success',
      skillResult: {
        inputs: { arguments: ['now'] },
        result: { kind: 'text', text: '87%' },
        source: { kind: 'agent', agentCli: 'codex' },
      },
    })
  })
})

describe('what a run did on the device', () => {
  test('is listed under the run, from both sides', async () => {
    const skillId = 'com.android.settings.open-row'
    const answer = await surfaces.post(`/skills/${skillId}/run`, { args: ['Storage'] })
    const overHttp = await executionsOf(String(answer.headers['svc-skill-run']))
    expect(overHttp).toMatchObject([{ deviceId: serial, state: 'settled' }])
    const ended = await surfaces.cli(['skills', 'run', '--log-level', 'info', skillId, 'Storage'])
    const [, runId = ''] = /run ([0-9a-f-]{36})/.exec(ended.stderr) ?? []
    expect((await executionsOf(runId)).map(({ commandId }) => commandId)).toEqual([overHttp[0]?.commandId])
    expect(await executionsOf('01a00000-0000-7000-8000-000000000000')).toEqual([])
  })

  test('when the run sends it to a server, by the header Svc-Skill-Run', async () => {
    const execution = payloadOf([{ id: 'a', type: 'sleep', params: { durationMs: 1 } }])
    const bodies = { '/execute': { execution, deviceId: serial }, '/snapshot': {}, '/screenshot': {} }
    for (const [path, body] of Object.entries(bodies)) {
      const answer = await call(`${surfaces.url}${path}`, { body, headers: { 'Svc-Skill-Run': `run${path.slice(1)}` } })
      expect(answer.status, answer.text).toBe(200)
      const { executions } = (await surfaces.get(`/executions?skillRunId=run${path.slice(1)}`)).json as {
        executions: { executionId: string }[]
      }
      expect(executions).toMatchObject([{ executionId: answer.headers[EXECUTION_ID_HEADER.toLowerCase()] }])
      const unfit = await call(`${surfaces.url}${path}`, { body, headers: { 'Svc-Skill-Run': 'a b' } })
      expect(unfit).toMatchObject({ status: 400, json: { error: { code: 'INVALID_BODY' } } })
    }
  })
})

test('a new skill runs at once and ends with a valid frame', async () => {
  const { SVC_SKILLS_REGISTRY: _, ...rest } = surfaces.env
  const svc = async (...args: string[]) => (await runCliHere(['skills', ...args], { env: rest, cwd: lab.home })).json()
  const skillId = 'com.android.settings.look'
  expect(await svc('install')).toMatchObject({ synced: true, registryPath: expect.stringContaining('.svc/skills/') })
  expect(await svc('new', skillId, '--summary', 'Looks at the screen')).toMatchObject({ created: true, skillId })
  expect(await svc('get', skillId)).toMatchObject({ skill: { id: skillId, summary: 'Looks at the screen' } })
  expect(await svc('validate', skillId, '--dry-run')).toMatchObject({
    valid: true,
    dryRun: { payloadValidation: 'skipped' },
  })
  expect(await svc('run', skillId, '--device', serial, '--level', '5', '--', '--device', 'x')).toMatchObject({
    status: 'success',
    skillResult: {
      skillId,
      result: { kind: 'json', value: { inputs: ['--level', '5', '--device', 'x'] } },
      source: { kind: 'script' },
    },
  })
  expect(await svc('update')).toMatchObject({ synced: true, message: expect.stringContaining('1 skill') })
  expect(await svc('sync', '--ref', 'main')).toEqual({ synced: true, message: expect.any(String) })
})

describe('the device gate', () => {
  test('a device that is not there, and one that cannot be used', async () => {
    const skillId = 'com.android.settings.open-row'
    const ran = await runTwice(surfaces, { skillId, deviceId: 'nobody' })
    expect(ran.cli.outcome).toMatchObject({ code: 'DEVICE_NOT_FOUND', details: { connected: [serial] } })
    expect(ran.http.status).toBe(404)
    const locked = await startLab({ state: 'locked' })
    try {
      const env = { ...surfaces.env, ...noBridge(locked.home), SVC_TCP_DEVICES: locked.fleet.devices[0]?.serial }
      const ended = await runCliHere(['skills', 'run', skillId], { env, cwd: locked.home })
      expect(ended.json()).toMatchObject({ status: 'failed', code: 'DEVICE_NOT_INTERACTIVE' })
    } finally {
      await locked.close()
    }
  })
})

/** Skills as somebody wrote them for another runner: by command line, over HTTP, and with the daemon warm. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readScenario } from '../../../../src/simulator/scenario/scenario.ts'
import { needsPty } from '../../../support/cli/pty.ts'
import { type ServingHere, startServeHere } from '../../../support/cli/serve.ts'
import { type SvcLab, startSvcLab } from '../../../support/cli/svc-lab.ts'
import { call } from '../../../support/http/http-client.ts'
import { asOutcome, noBridge, timelessOutcome } from '../../../support/skills/skill-surfaces.ts'

const catalogue = (path: string) => fileURLToPath(new URL(`../../../fixtures/catalogue/${path}`, import.meta.url))
const APP = 'com.example.climate'

let lab: SvcLab
let server: ServingHere
let serial: string
let env: NodeJS.ProcessEnv
beforeAll(async () => {
  const read = readScenario(readFileSync(catalogue('climate.scenario.json'), 'utf8'))
  if (!read.ok) throw new Error(read.error)
  // A second device: what a skill does without naming one must still happen on the device of its run.
  lab = await startSvcLab({ scenario: read.scenario, count: 2 })
  serial = lab.fleet.devices[1]?.serial ?? ''
  const PATH = `${catalogue('bin')}:${process.env.PATH}`
  env = { ...noBridge(lab.home), PATH, SVC_SKILLS_REGISTRY: catalogue('skills-registry.json') }
  server = await startServeHere({ env: { ...lab.env, ...env }, cwd: lab.home })
})
afterAll(async () => {
  await server.end()
  await lab.close()
})

interface Ran {
  runId: string
  outcome: Record<string, unknown>
}

const byCommand = async (skillId: string, args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<Ran> => {
  const words = ['skills', 'run', '--log-level', 'info', skillId, '--device', serial, ...args]
  const ended = await lab.svc(words, { env: { ...env, ...more } })
  return { runId: /run ([0-9a-f-]{36})/.exec(ended.stderr)?.[1] ?? '', outcome: timelessOutcome(ended.json()) }
}

const WAYS = {
  'by command line': byCommand,
  'over HTTP': async (skillId: string, args: readonly string[]): Promise<Ran> => {
    const { headers, json } = await call(`${server.url}/skills/${skillId}/run`, { body: { args, deviceId: serial } })
    return { runId: String(headers['svc-skill-run']), outcome: asOutcome(json as Record<string, unknown>) }
  },
  'with the daemon warm': async (skillId: string, args: readonly string[]): Promise<Ran> => {
    const proxied = { SVC_NO_DAEMON: '0' }
    const warm = await lab.svc(['snapshot', '--device', serial], { env: { ...env, ...proxied } })
    expect(warm.code, warm.stdout).toBe(0)
    const ran = await byCommand(skillId, args, proxied)
    expect(lab.daemons(serial)).toHaveLength(1)
    expect(lab.daemons()).toEqual([])
    return ran
  },
}

/** The devices of the executions that are filed under a run. */
const devicesOf = async (runId: string): Promise<string[]> => {
  const { json } = await lab.svc(['executions', 'list', '--skill-run', runId], { env })
  return json<{ executions: { deviceId: string }[] }>().executions.map(({ deviceId }) => deviceId)
}

describe.each(Object.entries(WAYS))('%s', (_way, run) => {
  test('a replay sets the temperature with one list of actions', async () => {
    const { runId, outcome } = await run(`${APP}.set-temperature-replay`, ['--temperature', '22'])
    const observed = { kind: 'text', text: '22 °C' }
    expect(outcome).toMatchObject({
      status: 'success',
      skillResult: { status: 'success', result: observed, terminalVerification: { status: 'verified', observed } },
    })
    expect(await devicesOf(runId)).toEqual([serial])
  })

  test('a replay that fails says why, and no null of its frame is answered', async () => {
    const { outcome } = await run(`${APP}.set-temperature-replay`, ['--temperature', '30'])
    expect(outcome).toMatchObject({
      status: 'failed',
      code: 'SKILL_EXECUTION_FAILED',
      message: expect.stringMatching(/exited with 1\. The skill says: .*No UI node found.*Set 30 °C/),
    })
    expect(JSON.stringify({ ...(outcome.skillResult as object), result: undefined })).not.toContain('null')
  })

  test.skipIf(!needsPty())(
    'an agent with an allowlisted environment, and a harness that logs after the frame',
    async () => {
      const { runId, outcome } = await run(`${APP}.report-orchestrated`, [])
      expect(outcome).toMatchObject({
        status: 'success',
        skillResult: { result: { text: 'Climate' }, source: { kind: 'agent', agentCli: 'codex' } },
      })
      expect(await devicesOf(runId)).toEqual([serial, serial])
    },
  )

  test('a reader of pixels gets a screenshot that it can decode', async () => {
    const { runId, outcome } = await run(`${APP}.indicator-colour`, [])
    expect(outcome).toMatchObject({
      status: 'success',
      skillResult: { result: { value: { width: 1080, height: 2400, rgb: [0x1e, 0x8e, 0x3e], heating: true } } },
    })
    expect(await devicesOf(runId)).toEqual([serial, serial, serial])
  })
})

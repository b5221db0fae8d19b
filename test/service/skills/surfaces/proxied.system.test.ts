/** A skill whose own `svc` calls go through the daemon: the same outcome from everywhere, one daemon, each step once. */
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ServingHere, startServeHere } from '../../../support/cli/serve.ts'
import { type SvcLab, startSvcLab } from '../../../support/cli/svc-lab.ts'
import { call } from '../../../support/http/http-client.ts'
import { asOutcome, noBridge, timelessOutcome } from '../../../support/skills/skill-surfaces.ts'

const REGISTRY = fileURLToPath(new URL('../../../fixtures/skills/skills-registry.json', import.meta.url))
const SKILL = 'com.android.settings.open-row'

let lab: SvcLab
let server: ServingHere
let env: NodeJS.ProcessEnv
beforeAll(async () => {
  lab = await startSvcLab()
  env = { ...noBridge(lab.home), SVC_NO_DAEMON: '0', SVC_SKILLS_REGISTRY: REGISTRY }
  server = await startServeHere({ env: { ...lab.env, ...env }, cwd: lab.home })
})
afterAll(async () => {
  await server.end()
  await lab.close()
})

interface Receipts {
  executions: { executionId: string; state: string }[]
}

const causedBy = async (runId: string): Promise<string[]> => {
  const { json } = await lab.svc(['executions', 'list', '--skill-run', runId], { env })
  return json<Receipts>().executions.map(({ state }) => state)
}

describe('a skill that executes on the device', () => {
  test('ends alike by command line, over HTTP and without the daemon; each execution is filed under its run', async () => {
    const run = (more: NodeJS.ProcessEnv = {}) =>
      lab.svc(['skills', 'run', '--log-level', 'info', SKILL, 'Storage'], { env: { ...env, ...more } })
    const runIdOf = (stderr: string) => /run ([0-9a-f-]{36})/.exec(stderr)?.[1] ?? ''

    const proxied = await run()
    expect(proxied.code, proxied.stdout + proxied.stderr).toBe(0)
    expect(lab.daemons()).toHaveLength(1)
    expect(lab.seen()).toBe(1)
    expect(await causedBy(runIdOf(proxied.stderr))).toEqual(['settled'])

    const answer = await call(`${server.url}/skills/${SKILL}/run`, { body: { args: ['Storage'] } })
    expect(answer.status, answer.text).toBe(200)
    expect(lab.daemons()).toHaveLength(1)
    expect(lab.seen()).toBe(2)
    expect(await causedBy(String(answer.headers['svc-skill-run']))).toEqual(['settled'])

    const direct = await run({ SVC_NO_DAEMON: '1' })
    expect(lab.seen()).toBe(3)
    expect(await causedBy(runIdOf(direct.stderr))).toEqual(['settled'])

    const outcome = timelessOutcome(direct.json())
    expect(timelessOutcome(proxied.json())).toEqual(outcome)
    expect(asOutcome(answer.json as Record<string, unknown>)).toEqual(outcome)
  })

  test('an execution that no run asked for is filed under none, though a script started the daemon', async () => {
    const { json } = await lab.svc(['back'], { env })
    expect(json()).toMatchObject({ envelope: { status: 'success' } })
    const [newest] = (await lab.svc(['executions', 'list', '--limit', '1'], { env })).json<Receipts>().executions
    expect(newest).not.toHaveProperty('skillRunId')
  })
})

/** A command line and the clipboard of a phone, through every door: who may, what comes back, and how it ends. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FleetLab, startFleetLab } from '../support/fleet/fleet-lab.ts'
import { call } from '../support/http/http-client.ts'
import { needs } from '../support/needs.ts'
import { createClient } from '../surfaces/cli/fleet/client.ts'
import { each, execute, executionOf, outcomes, throughAll } from './doors.ts'
import { localOfTests } from './doors-local.ts'

const here = localOfTests()
const step = (command: string) => ({ id: 'sh', type: 'shell', params: { command } })
const asked = (command: string) => execute(executionOf([step(command)]), here().phone(0))
const RULE = { id: 'yes', effect: 'allow', actions: ['shell'] }

const withPolicy = async <T>(rules: readonly object[], work: () => Promise<T>): Promise<T> => {
  const path = join(here().lab.home, '.svc', 'policy.json')
  writeFileSync(path, JSON.stringify({ rules }))
  try {
    return await work()
  } finally {
    rmSync(path)
  }
}

const cli = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  here().lab.svc(args, { env: { ...here().lab.env, SVC_NO_DAEMON: '1', ...env } })
const stepOf = (output: unknown) =>
  (output as { envelope: { stepResults: { data: Record<string, string> }[] } }).envelope.stepResults[0]?.data

describe('a command line', () => {
  test('is for the command line of svc alone, until a rule names it', async () => {
    const answers = await throughAll(here().withDaemon, () => asked('echo done'))
    const refused = { code: 'SHELL_DENIED', dispatched: false, sent: 0 }
    expect(outcomes(answers)).toMatchObject({
      CLI: { code: 'ok' },
      daemon: { code: 'ok' },
      HTTP: { ...refused, details: { rule: 'default', caller: 'http', action: 'shell' } },
      MCP: { ...refused, details: { rule: 'default', caller: 'mcp', action: 'shell' } },
    })
    const { status } = await call(`${here().url}/execute`, { body: asked('id').http.body as object })
    expect(status).toBe(403)
  })

  test('answers every door alike where a rule names it, and none where one denies it', async () => {
    const allowed = await withPolicy([RULE], () => throughAll(here().withDaemon, () => asked('echo done; exit 3')))
    expect(outcomes(allowed)).toMatchObject(
      Object.fromEntries(Object.keys(allowed).map(name => [name, { code: 'ok' }])),
    )
    const denied = { id: 'no', effect: 'deny', actions: ['shell'] }
    const answers = await withPolicy([RULE, denied], () => throughAll(here().withDaemon, () => asked('echo done')))
    for (const answer of Object.values(answers))
      expect(answer).toMatchObject({ code: 'EXECUTION_DENIED', details: { rule: 'no' }, dispatched: false })
  })

  test('is not for a skill', async () => {
    const run = { SVC_SKILL_RUN_ID: '0197a9a0-0000-7000-8000-000000000001', SVC_DEVICE_ID: here().phone(0) }
    for (const SVC_NO_DAEMON of ['1', '0']) {
      const { code, json } = await cli(['shell', 'id'], { ...run, SVC_NO_DAEMON })
      expect({ code, json: json() }).toMatchObject({
        code: 1,
        json: { code: 'SHELL_DENIED', details: { caller: 'skill' } },
      })
    }
  })

  test('is not resumed by one who may not run it', async () => {
    const steps = [{ id: 'app', type: 'open_app', params: { applicationId: 'com.example.none' } }, step('echo done')]
    const failed = await cli(['exec', JSON.stringify(executionOf(steps)), '--device', here().phone(0)])
    const { executionId } = failed.json() as { executionId: string }
    const path = `/executions/${executionId}/resume`
    const resumed = await call(`${here().url}${path}`, { method: 'POST', body: { fromStep: 'sh' } })
    expect(resumed).toMatchObject({ status: 403, json: { error: { code: 'SHELL_DENIED' } } })
    const own = await cli(['executions', 'resume', executionId, '--from-step', 'sh'])
    expect(stepOf(own.json())).toMatchObject({ stdout: 'done\n', exit_code: '0' })
  })

  test('ends with what it printed; svc says by its own code that another one is not 0', async () => {
    const args = ['--device', here().phone(0), 'shell']
    const bad = await cli([...args, 'echo out; echo err >&2; exit 3'])
    expect(bad.code).toBe(1)
    expect(bad.json()).toMatchObject({ envelope: { status: 'success' }, deviceId: here().phone(0) })
    expect(stepOf(bad.json())).toEqual({ stdout: 'out\n', stderr: 'err\n', exit_code: '3' })
    const good = await cli([...args, 'getprop', 'ro.product.model'])
    expect({ code: good.code, data: stepOf(good.json()) }).toMatchObject({ code: 0, data: { stdout: 'Svc Sim\n' } })
  })

  test('as text stands as it came, without what would move the cursor', async () => {
    const line = "printf 'a\\tb\\n\\033[2Jc\\n'; exit 2"
    const { code, stdout } = await cli(['--device', here().phone(0), '--output', 'text', 'shell', line])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^a\tb\n\\e\[2Jc\n.* Exit code 2 on /)
  })

  test('that does not end in time is ended on the phone', async () => {
    const args = [
      '--device',
      here().phone(0),
      '--timeout',
      '1000',
      'shell',
      "echo first; trap '' HUP; sleep 3; setprop late.one yes",
    ]
    const { code, json } = await cli(args)
    expect({ code, json: json() }).toMatchObject({ code: 1, json: { envelope: { errorCode: 'ACTION_FAILED' } } })
    expect(stepOf(json())).toMatchObject({ stdout: 'first\n' })
    const after = await cli(['--device', here().phone(0), 'shell', 'sleep 2.5; getprop late.one'])
    expect(stepOf(after.json())?.stdout?.trim()).toBe('')
  })

  test.each([
    ['', 'params.command'],
    ['two\nlines', 'params.command'],
    ['x'.repeat(8_001), 'params.command'],
    ['é'.repeat(4_001), 'params.command'],
  ])('%j is refused', async (command, path) => {
    const answers = await throughAll(here().doors, () => asked(command))
    for (const answer of Object.values(answers))
      expect(answer).toMatchObject({
        code: 'EXECUTION_VALIDATION_FAILED',
        details: { path: expect.stringContaining(path) },
      })
  })
})

describe('the clipboard', () => {
  test('is set and read through every door', async () => {
    const actions = [
      { id: 'set', type: 'set_clipboard', params: { text: "it's; two\nlines" } },
      { id: 'get', type: 'get_clipboard' },
    ]
    const answers = await throughAll(here().withDaemon, () => execute(executionOf(actions), here().phone(1)))
    expect(outcomes(answers)).toMatchObject(each(answers, { code: 'ok', details: {}, dispatched: true, sent: 0 }))
    const device = ['--device', here().phone(1)]
    expect(stepOf((await cli([...device, 'clipboard', 'get'])).json())).toEqual({ text: "it's; two\nlines" })
    expect(await cli([...device, 'clipboard', 'set', ''])).toMatchObject({ code: 0 })
    const { stdout } = await cli([...device, '--output', 'text', 'clipboard', 'get'])
    expect(stdout).toContain('The clipboard is empty on ')
  })
})

describe.skipIf(!needs('nats-server'))('in a fleet', () => {
  let lab: FleetLab
  beforeAll(async () => {
    lab = await startFleetLab({ inProcess: true })
  }, 120_000)
  afterAll(() => lab?.close())

  test('the host of the phone hears who asks', async () => {
    const device = `${lab.host('lab2').serial(1)}@lab2`
    const body = { execution: executionOf([step('echo done')]), deviceId: device }
    expect(await call(`${lab.host('lab1').url()}/execute`, { body })).toMatchObject({
      status: 403,
      json: { error: { code: 'SHELL_DENIED', details: { caller: 'http' } } },
    })
    const desk = createClient(lab, 'lab1')
    try {
      const own = await desk.svc(['shell', 'echo done', '--device', device])
      expect(stepOf(own.json())).toMatchObject({ stdout: 'done\n' })
      const run = { SVC_SKILL_RUN_ID: '0197a9a0-0000-7000-8000-000000000001' }
      const ofSkill = await desk.svc(['shell', 'echo done', '--device', device], run)
      expect(ofSkill.json()).toMatchObject({ code: 'SHELL_DENIED', details: { caller: 'skill' } })
    } finally {
      desk.remove()
    }
  })
})

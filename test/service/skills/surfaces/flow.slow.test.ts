/** Skills and flows over the real svc: a recording as a flow that does the same, and a flow as a skill. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Receipt } from '../../../../src/contracts/executions/receipt.ts'
import type { TestRun } from '../../../../src/contracts/flows/test-run.ts'
import type { SkillCreated, SkillRecorded } from '../../../../src/contracts/skills/skill-commands.ts'
import { runCliHere } from '../../../support/cli/cli-here.ts'
import { type Lab, startLab } from '../../../support/executions/lab.ts'

const SETTINGS = 'com.android.settings'

let lab: Lab
let home: string
beforeAll(async () => {
  lab = await startLab()
  home = mkdtempSync(join(lab.home, 'flow-'))
  expect((await svc('skills', 'install')).code).toBe(0)
})
afterAll(() => lab.close())

const svc = (...args: string[]) => {
  const device = { SVC_TCP_DEVICES: lab.fleet.devices[0]?.serial, SVC_NO_DAEMON: '1' }
  return runCliHere(args, { env: { HOME: home, PATH: process.env.PATH, SVC_JOURNAL: 'on', ...device }, cwd: home })
}

const succeeds = async (...args: string[]) => {
  const ended = await svc(...args)
  expect([args, ended.code, ended.code === 0 ? '' : ended.stdout + ended.stderr]).toEqual([args, 0, ''])
  return ended
}

const clicksOf = async (flowRunId: string): Promise<number> => {
  const listed = (await svc('executions', 'list', '--skill-run', flowRunId)).json<{ executions: Receipt[] }>()
  const types = await Promise.all(
    listed.executions.map(async ({ executionId }) => {
      const { execution } = (await svc('executions', 'show', executionId)).json<{ execution: Receipt }>()
      return execution.result?.ok === true
        ? execution.result.envelope.stepResults.map(({ actionType }) => actionType)
        : []
    }),
  )
  return types.flat().filter(type => type === 'click').length
}

test('a recording becomes a flow that does the same, with its inputs as variables', async () => {
  const before = (await svc('executions', 'list', '--limit', '1')).json<{ executions: Receipt[] }>().executions
  expect(before).toEqual([])
  await succeeds('open', SETTINGS)
  await succeeds('type', 'battery', '--id', `${SETTINGS}:id/search`)
  await succeeds('click', '--id', `${SETTINGS}:id/wifi_switch`)
  await succeeds('shade', 'quick-settings')
  await succeeds('shade', 'close')
  await succeeds('snapshot')
  const listed = (await svc('executions', 'list')).json<{ executions: Receipt[] }>().executions
  const from = listed.map(({ executionId }) => executionId).reverse()
  const ended = await succeeds(
    ...[
      'skills',
      'record',
      `${SETTINGS}.find`,
      '--from',
      from.join(','),
      '--param',
      'query=battery',
      '--format',
      'flow',
    ],
  )
  const { flowPath = '' } = ended.json() as unknown as SkillRecorded
  const text = readFileSync(flowPath, 'utf8')
  expect(text).toContain(`- inputText: \${QUERY}`)
  expect(text).toMatch(/^# No command for expand_shade/m)
  expect(ended.stderr).toContain('flows have no command for step')
  expect(text).not.toContain('battery')
  await succeeds('skills', 'validate', `${SETTINGS}.find`)

  await succeeds('close', SETTINGS)
  const ran = await succeeds('test', flowPath, '-e', 'QUERY=wifi')
  const { testRun } = ran.json<{ testRun: TestRun }>()
  const { flowRunId = '' } = testRun.flows[0]?.attempts[0] ?? {}
  // The field is tapped for its focus, and the switch as it was.
  expect(await clicksOf(flowRunId)).toBe(2)
  expect((await svc('read', '--id', `${SETTINGS}:id/search`)).stdout).toContain('wifi')
}, 60_000)

test('a flow becomes a skill with its files, whose variables are inputs and whose frame has the verdict', async () => {
  const folder = join(home, 'flows')
  mkdirSync(join(folder, 'parts'), { recursive: true })
  writeFileSync(join(folder, 'parts', 'open.yaml'), `appId: ${SETTINGS}\n---\n- launchApp\n`)
  writeFileSync(
    join(folder, 'row.yaml'),
    `appId: ${SETTINGS}\nenv:\n  OWN: a\n---\n- runFlow: parts/open.yaml\n- tapOn: \${ROW_NAME}\n- extendedWaitUntil:\n    visible: Dark theme.*\n    timeout: 500\n`,
  )
  const id = `${SETTINGS}.row`
  const made = (await succeeds('skills', 'new', id, '--from-flow', 'flows/row.yaml')).json() as unknown as SkillCreated
  expect(made.next).toContain(`${id} --row-name <text>`)
  expect(existsSync(join(made.skillPath, 'flow', 'parts', 'open.yaml'))).toBe(true)
  await succeeds('skills', 'validate', id, '--dry-run')

  const ran = (await succeeds('skills', 'run', id, '--row-name', 'Display')).json()
  expect(ran).toMatchObject({
    status: 'success',
    skillResult: {
      inputs: { ROW_NAME: 'Display' },
      result: { value: { verdict: 'passed' } },
      checkpoints: [{ id: 'flow', status: 'ok' }],
    },
  })
  const failed = await svc('skills', 'run', id, '--row-name', 'Apps')
  expect(failed.code).toBe(1)
  expect(failed.json()).toMatchObject({ code: 'SKILL_EXECUTION_FAILED', skillResult: { status: 'failed' } })
}, 60_000)

test('a flow that is wrong, or that reads files elsewhere, makes nothing', async () => {
  writeFileSync(join(home, 'wrong.yaml'), `appId: ${SETTINGS}\n---\n- tapOnn: a\n`)
  const wrong = await svc('skills', 'new', `${SETTINGS}.wrong`, '--from-flow', 'wrong.yaml')
  expect(wrong.json()).toMatchObject({ code: 'FLOW_INVALID', message: expect.stringContaining('wrong.yaml:3') })
  mkdirSync(join(home, 'inner'), { recursive: true })
  writeFileSync(join(home, 'part.yaml'), `appId: ${SETTINGS}\n---\n- back\n`)
  writeFileSync(join(home, 'inner', 'out.yaml'), `appId: ${SETTINGS}\n---\n- runFlow: ../part.yaml\n`)
  const outside = await svc('skills', 'new', `${SETTINGS}.outside`, '--from-flow', 'inner/out.yaml')
  expect(outside.json()).toMatchObject({
    code: 'SKILLS_SCAFFOLD_FAILED',
    message: expect.stringContaining('part.yaml'),
  })
  const listed = await svc('skills', 'list')
  expect(listed.stdout).not.toMatch(/\.wrong|\.outside/)
})

/** Recording over the real svc: a flow becomes a skill that runs on the phone it came from, and on no phone at all. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Receipt } from '../../../../src/contracts/executions/receipt.ts'
import type { SkillRecorded } from '../../../../src/contracts/skills/skill-commands.ts'
import { readScenario, type Scenario } from '../../../../src/simulator/scenario/scenario.ts'
import { runCliHere } from '../../../support/cli/cli-here.ts'
import type { CliEnded } from '../../../support/cli/run-cli.ts'
import { type Lab, startLab } from '../../../support/executions/lab.ts'

const SETTINGS = 'com.android.settings'

interface Place {
  svc(args: readonly string[]): Promise<CliEnded>
  /** Runs each, which must succeed; their executions. */
  steps(...steps: string[][]): Promise<string[]>
  skill(id: string, file: string): string
  folders(): string[]
}

/** A home with a registry, before the device of a lab. */
const placeBefore = async (lab: Lab): Promise<Place> => {
  const home = mkdtempSync(join(lab.home, 'record-'))
  const env = { HOME: home, SVC_TCP_DEVICES: lab.fleet.devices[0]?.serial, SVC_JOURNAL: 'on' }
  const svc = (args: readonly string[]) => runCliHere(args, { env: { ...env, PATH: process.env.PATH }, cwd: home })
  expect((await svc(['skills', 'install'])).code).toBe(0)
  const skills = join(home, '.svc', 'skills', 'skills')
  return {
    svc,
    async steps(...steps) {
      for (const args of steps) {
        const { code, stdout } = await svc(args)
        expect([args, code, code === 0 ? '' : stdout]).toEqual([args, 0, ''])
      }
      return (await newest(svc, steps.length)).reverse()
    },
    skill: (id, file) => readFileSync(join(skills, id, file), 'utf8'),
    folders: () => (existsSync(skills) ? readdirSync(skills).filter(name => name.startsWith('com.')) : []),
  }
}

const newest = async (svc: Place['svc'], limit: number): Promise<string[]> => {
  const listed = (await svc(['executions', 'list', '--limit', String(limit)])).json<{ executions: Receipt[] }>()
  return listed.executions.map(({ executionId }) => executionId)
}

const parsed = (text: string): Scenario => {
  const read = readScenario(text)
  if (!read.ok) throw new Error(read.error)
  return read.scenario
}

describe.concurrent('a flow of 12 steps', () => {
  const ID = `${SETTINGS}.find-replay`
  let lab: Lab
  let place: Place
  let recorded: SkillRecorded
  let ids: string[]

  beforeAll(async () => {
    lab = await startLab()
    place = await placeBefore(lab)
    ids = await place.steps(
      ['open', SETTINGS],
      ['snapshot'],
      ['wait', '--text', 'Settings'],
      ['type', 'battery', '--id', `${SETTINGS}:id/search`],
      ['snapshot'],
      ['sleep', '50'],
      ['click', '--id', `${SETTINGS}:id/wifi_switch`],
      ['snapshot'],
      ['scroll-until', '--text', 'About phone', '--click'],
      ['snapshot'],
      ['read-value', '--label', 'Android version'],
      ['snapshot'],
    )
    const from = [ids.slice(0, 6).join(','), '--from', ids.slice(6).join(',')]
    const ended = await place.svc(['skills', 'record', ID, '--param', 'query=battery', '--scenario', '--from', ...from])
    expect([ended.code, ended.code === 0 ? '' : ended.stdout]).toEqual([0, ''])
    recorded = ended.json() as unknown as SkillRecorded
  }, 120_000)
  afterAll(() => lab.close())

  test('becomes a skill that validates', async () => {
    expect(recorded).toMatchObject({ executions: ids, inputs: [{ name: 'query', secret: false }] })
    const validated = await place.svc(['skills', 'validate', ID, '--dry-run'])
    expect(validated.json()).toMatchObject({ valid: true, dryRun: { payloadValidation: 'passed' } })
    const { actions } = JSON.parse(place.skill(ID, 'artifacts/find-replay.recipe.json'))
    const types = (actions as { type: string }[]).map(({ type }) => type)
    expect([types.includes('sleep'), types.includes('snapshot')]).toEqual([false, false])
    expect(place.skill(ID, 'SKILL.md')).toContain(recorded.verification?.expected)
  })

  const runs = async (on: Lab, query: string) => {
    const env = { SVC_TCP_DEVICES: on.fleet.devices[0]?.serial, SVC_NO_DAEMON: '1' }
    const before = process.env.PATH
    const home = join(recorded.registryPath, '..', '..', '..', '..')
    const ended = await runCliHere(['skills', 'run', ID, '--query', query], {
      env: { HOME: home, PATH: before, ...env },
      cwd: home,
    })
    return ended.json()
  }

  test('runs on the phone, with another value, and proves its end', async () => {
    await place.steps(['close', SETTINGS])
    expect(await runs(lab, 'wifi')).toMatchObject({
      status: 'success',
      skillResult: {
        inputs: { query: 'wifi' },
        result: { kind: 'json', value: { 'read-value': '15' } },
        terminalVerification: { status: 'verified', observed: { text: recorded.verification?.expected } },
        checkpoints: expect.arrayContaining([{ id: 'find-replay/type', status: 'ok', note: 'enter_text' }]),
      },
    })
  })

  test.each(['battery', 'wifi'])('runs on the scenario that was recorded with it: --query %s', async query => {
    const film = await startLab({ scenario: parsed(place.skill(ID, 'scenario.json')) })
    try {
      expect(await runs(film, query)).toMatchObject({
        status: 'success',
        skillResult: { terminalVerification: { status: 'verified' } },
      })
    } finally {
      await film.close()
    }
  })

  test('says which step failed, and which were not reached', async () => {
    const other = await startLab({
      scenario: parsed(place.skill(ID, 'scenario.json').replaceAll('wifi_switch', 'gone')),
    })
    try {
      const failed = await runs(other, 'tea')
      expect(failed).toMatchObject({ status: 'failed', skillResult: { status: 'failed' } })
      expect(failed.message).toContain('No UI node found')
      expect(JSON.stringify(failed)).toMatch(/"id":"find-replay\/read-value","status":"skipped"/)
    } finally {
      await other.close()
    }
  })

  test('is not recorded with a parameter that was not seen, or that svc skills run takes for itself', async () => {
    const record = (...more: string[]) =>
      place.svc(['skills', 'record', `${SETTINGS}.other`, '--from', ids.join(','), ...more])
    expect((await record('--param', 'query=Battery')).json()).toMatchObject({ code: 'SKILLS_RECORD_FAILED' })
    expect((await record('--param', 'timeout=battery')).json()).toMatchObject({ code: 'USAGE' })
    expect((await record('--param', 'query')).json()).toMatchObject({ code: 'USAGE' })
    expect((await place.svc(['skills', 'record', `${SETTINGS}.other`])).json()).toMatchObject({ code: 'USAGE' })
    expect((await place.svc(['skills', 'record', ID, '--from', ids[0] ?? ''])).json()).toMatchObject({
      code: 'SKILL_ALREADY_EXISTS',
    })
    expect((await place.svc(['skills', 'record', `${SETTINGS}.other`, '--from', 'nowhere'])).json()).toMatchObject({
      code: 'EXECUTION_NOT_FOUND',
    })
    expect(place.folders()).toEqual([ID])
  })
})

test.concurrent('refs and compact snapshots are recorded as what they stood for', async () => {
  const lab = await startLab()
  try {
    const place = await placeBefore(lab)
    const ids = await place.steps(['open', SETTINGS], ['snapshot', '--compact'])
    const { execution } = (await place.svc(['executions', 'show', ids[1] ?? ''])).json<{ execution: Receipt }>()
    const text = execution.result?.ok ? (execution.result.envelope.stepResults[0]?.data.text ?? '') : ''
    const ref = /^(@\S+) switch "Wi-Fi"/m.exec(text)?.[1] ?? ''
    const rest = await place.steps(
      ['click', '--ref', ref, '--observe'],
      ['scroll-until', '--text', 'About phone', '--click'],
      ['snapshot', '--compact'],
    )
    ids.push(...rest)
    const id = `${SETTINGS}.wifi-replay`
    const recorded = await place.svc(['skills', 'record', id, '--from', ids.join(','), '--scenario'])
    expect([recorded.code, recorded.code === 0 ? '' : recorded.stdout]).toEqual([0, ''])
    expect(recorded.json()).toMatchObject({ verification: { expected: expect.stringMatching(/\w/) } })
    expect(place.skill(id, 'artifacts/wifi-replay.recipe.json')).toContain('wifi_switch')
    expect(place.skill(id, 'artifacts/wifi-replay.recipe.json')).not.toContain('"ref"')
    await place.steps(['close', SETTINGS])
    expect((await place.svc(['skills', 'run', id])).json()).toMatchObject({ status: 'success' })
  } finally {
    await lab.close()
  }
})

test.concurrent('a scenario that cannot be made says that snapshots belong into --from', async () => {
  const lab = await startLab()
  try {
    const place = await placeBefore(lab)
    const ids = await place.steps(['open', SETTINGS], ['press', 'home'], ['open', SETTINGS])
    const args = ['skills', 'record', `${SETTINGS}.home-replay`, '--from', ids.join(','), '--scenario']
    expect((await place.svc(args)).json()).toMatchObject({
      code: 'SKILLS_RECORD_FAILED',
      hint: expect.stringMatching(/with svc snapshot --full between the steps whose id stands in --from/),
    })
    expect(place.folders()).toEqual([])
  } finally {
    await lab.close()
  }
})

describe.concurrent('a login', () => {
  const APP = 'com.example.vault'
  const scenario = {
    front: APP,
    apps: [
      {
        package: APP,
        label: 'Vault',
        screens: {
          login: {
            nodes: [
              { text: 'Sign in' },
              { id: 'pin', resourceId: `${APP}:id/code`, hint: 'Code', class: 'EditText', password: true },
              { class: 'Button', text: 'Unlock', onTap: { goTo: 'home' } },
            ],
          },
          home: { nodes: [{ text: 'Safe opened' }] },
        },
      },
    ],
  }
  let lab: Lab
  let place: Place
  beforeAll(async () => {
    lab = await startLab({ scenario: parsed(JSON.stringify(scenario)) })
    place = await placeBefore(lab)
  })
  afterAll(() => lab.close())

  test.sequential('is recorded without the password, which a run has to give', async () => {
    const ids = await place.steps(
      ['open', APP],
      ['snapshot'],
      ['type', 'Tr0ub4dor', '--id', `${APP}:id/code`],
      ['click', '--text', 'Unlock'],
      ['snapshot'],
    )
    const id = `${APP}.login-replay`
    const file = join(lab.home, 'login.json')
    const args = ['skills', 'record', id, '--from', ids.join(','), '--scenario', file]
    writeFileSync(file, 'mine')
    expect((await place.svc(args)).json()).toMatchObject({ code: 'USAGE' })
    expect([readFileSync(file, 'utf8'), place.folders()]).toEqual(['mine', []])
    const recorded = await place.svc(args.map(arg => (arg === file ? `${file}.json` : arg)))
    expect(recorded.json()).toMatchObject({
      inputs: [{ name: 'code', secret: true }],
      verification: { expected: 'Safe opened' },
      scenarioPath: `${file}.json`,
    })
    const files = [
      'SKILL.md',
      'skill.json',
      'scripts/run.js',
      'artifacts/login-replay.recipe.json',
      'artifacts/verify.recipe.json',
    ]
    const written = [recorded.stdout, readFileSync(`${file}.json`, 'utf8'), ...files.map(name => place.skill(id, name))]
    expect(written.filter(text => text.includes('Tr0ub4dor'))).toEqual([])
    await place.steps(['close', APP])
    expect((await place.svc(['skills', 'run', id, '--code', 'other'])).json()).toMatchObject({ status: 'success' })
    expect((await place.svc(['skills', 'run', id])).json()).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('--code'),
    })
  })

  test.sequential('that failed is refused, unless its resumption comes next', async () => {
    await place.steps(['close', APP], ['open', APP])
    const payload = {
      commandId: 'c',
      taskId: 't',
      source: 's',
      expectedFormat: 'android-ui-automator',
      timeoutMs: 10_000,
      actions: [
        { id: 'unlock', type: 'click', params: { matcher: { textEquals: 'Unlock' } } },
        { id: 'closed', type: 'click', params: { matcher: { textEquals: 'Close safe' } } },
        { id: 'see', type: 'wait_for_node', params: { matcher: { textEquals: 'Safe opened' } } },
      ],
    }
    expect((await place.svc(['exec', JSON.stringify(payload)])).code).toBe(1)
    const [failed = ''] = await newest(place.svc, 1)
    const id = `${APP}.unlock`
    expect((await place.svc(['skills', 'record', id, '--from', failed])).json()).toMatchObject({
      code: 'SKILLS_RECORD_FAILED',
      details: { executionId: failed },
    })
    expect((await place.svc(['executions', 'resume', failed, '--from-step', 'see'])).code).toBe(0)
    const both = [failed, ...(await newest(place.svc, 1))].join(',')
    expect((await place.svc(['skills', 'record', id, '--from', both])).json()).toMatchObject({
      recipes: [{ name: 'unlock', actionCount: 2 }, { name: 'verify' }],
    })
  })
})

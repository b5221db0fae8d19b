/** The codes of the contract's "Skills and scaffold errors" that a registry or a run ends with, through the command line and, where it has one, over HTTP. */
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runCliHere } from '../../../support/cli/cli-here.ts'
import type { CliEnded } from '../../../support/cli/run-cli.ts'
import { createSkillLab } from '../../../support/skills/skill-lab.ts'
import { withoutHint } from '../../../support/skills/skill-rows.ts'
import { asOutcome, noBridge, runTwice, type Surfaces, startSurfaces } from '../../../support/skills/skill-surfaces.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-skill-codes-')
const SKILL = 'com.lab.do'

let lab: ReturnType<typeof createSkillLab>
let surfaces: Surfaces
beforeAll(async () => {
  lab = createSkillLab(folder())
  surfaces = await startSurfaces({ home: folder(), registry: lab.registryPath })
})
afterAll(() => surfaces.close())
beforeEach(() => {
  lab.add({ files: { 'scripts/run.sh': '#!/bin/sh\necho done\n' } })
})

const refusal = (ended: CliEnded) => {
  expect(ended.code).toBe(1)
  return ended.json()
}
const svc = async (...args: string[]) => refusal(await surfaces.cli(['skills', ...args]))

/** A run that fails alike on both sides. */
const failsTwice = async (httpStatus: number, says: Record<string, unknown>, more = {}) => {
  const { cli, http } = await runTwice(surfaces, { skillId: SKILL, ...more })
  expect(cli).toMatchObject({ code: 1, outcome: { status: 'failed', ...says } })
  expect(http.status).toBe(httpStatus)
  expect(withoutHint(asOutcome(http.body))).toEqual(withoutHint(cli.outcome))
}

const DISCOVERY = [
  ['list'],
  ['get', SKILL],
  ['for-app', 'com.lab'],
  ['search', 'do'],
  ['validate', SKILL],
  ['validate', '--all'],
  ['compile-artifact', SKILL, '--artifact', 'a'],
  ['new', 'com.lab.more'],
]

describe('REGISTRY_READ_FAILED', () => {
  const away = () => `${lab.registryPath}.away`
  const withoutRegistry = async (check: () => Promise<void>) => {
    renameSync(lab.registryPath, away())
    try {
      await check()
    } finally {
      renameSync(away(), lab.registryPath)
    }
  }
  const says = { code: 'REGISTRY_READ_FAILED', message: expect.stringContaining('skills-registry.json') }

  test('by every command, and by every route with 500', async () => {
    await withoutRegistry(async () => {
      for (const args of DISCOVERY) expect([args, await svc(...args)]).toEqual([args, expect.objectContaining(says)])
      for (const path of ['/skills', `/skills/${SKILL}`]) {
        expect(await surfaces.get(path)).toMatchObject({ status: 500, json: { ok: false, error: says } })
      }
      await failsTwice(500, says)
    })
  })

  test('for a file that is not a registry, and for a path or a variable that is blank', async () => {
    await withoutRegistry(async () => {
      writeFileSync(lab.registryPath, '{"skills": 5}')
      const message = expect.stringContaining('Invalid registry: skills array required')
      expect(await svc('list')).toMatchObject({ code: 'REGISTRY_READ_FAILED', message })
      await failsTwice(500, { code: 'REGISTRY_READ_FAILED', message })
    })
    expect(await svc('list', '--registry', ' ')).toMatchObject({ code: 'REGISTRY_READ_FAILED' })
    const blank = await runCliHere(['skills', 'list'], { env: { ...surfaces.env, SVC_SKILLS_REGISTRY: '' } })
    expect(refusal(blank)).toMatchObject({ code: 'REGISTRY_READ_FAILED', message: expect.stringContaining('blank') })
  })
})

test('--registry counts before the environment, and that before the usual places', async () => {
  const other = createSkillLab(folder())
  other.add({ id: 'com.other.thing', files: {} })
  const count = async (args: string[], env: NodeJS.ProcessEnv, cwd: string) =>
    (await runCliHere(['skills', 'list', ...args], { env, cwd })).json<{ skills: { id: string }[] }>().skills[0]?.id
  const home = noBridge(folder())
  expect(await count(['--registry', other.registryPath], surfaces.env, folder())).toBe('com.other.thing')
  expect(await count([], surfaces.env, other.root)).toBe(SKILL)
  expect(await count([], home, other.root)).toBe('com.other.thing')
  mkdirSync(join(other.root, 'a/b'), { recursive: true })
  expect(await count([], home, join(other.root, 'a/b'))).toBe('com.other.thing')
})

describe('SKILL_NOT_FOUND', () => {
  test('by get, validate and run', async () => {
    const says = { code: 'SKILL_NOT_FOUND', hint: `Did you mean ${SKILL}?` }
    expect(await svc('get', 'com.lab.Do')).toMatchObject(says)
    expect(await svc('validate', 'com.lab.Do')).toMatchObject(says)
    expect(await svc('compile-artifact', 'com.lab.Do', '--artifact', 'a')).toMatchObject(says)
    await failsTwice(404, says, { skillId: 'com.lab.Do' })
    expect(await surfaces.get('/skills/com.lab.Do')).toMatchObject({ status: 404, json: { ok: false, error: says } })
  })
})

describe('SKILL_VALIDATION_FAILED', () => {
  test('missing files', async () => {
    rmSync(join(lab.root, 'skills', SKILL, 'SKILL.md'))
    const missing = [join(lab.root, 'skills', SKILL, 'SKILL.md')]
    const says = { code: 'SKILL_VALIDATION_FAILED', details: { missingFiles: missing } }
    expect(await svc('validate', SKILL)).toMatchObject(says)
    expect(await svc('validate', '--all')).toMatchObject({
      code: 'SKILL_VALIDATION_FAILED',
      registryPath: lab.registryPath,
      details: { totalSkills: 1, validCount: 0, invalidCount: 1, failures: [{ skillId: SKILL }] },
    })
    await failsTwice(400, says)
  })

  test('metadata that the registry does not know', async () => {
    lab.add({ files: { 'scripts/run.sh': '#!/bin/sh\n' }, skillJson: { summary: 'Another' } })
    const says = { code: 'SKILL_VALIDATION_FAILED', details: { mismatchFields: ['summary'] } }
    expect(await svc('validate', SKILL)).toMatchObject(says)
    await failsTwice(400, says)
  })

  test('a recipe that is not an execution, which only a dry run and a run look at', async () => {
    const artifacts = [`skills/${SKILL}/artifacts/a.recipe.json`]
    const files = { 'scripts/run.sh': '#!/bin/sh\n', 'artifacts/a.recipe.json': '{"actions": []}' }
    lab.add({ files, entry: { artifacts } })
    expect((await surfaces.cli(['skills', 'validate', SKILL])).json()).toMatchObject({ valid: true })
    expect(await svc('validate', SKILL, '--dry-run')).toMatchObject({ code: 'SKILL_VALIDATION_FAILED' })
    await failsTwice(400, { code: 'SKILL_VALIDATION_FAILED' })
    const skipped = await surfaces.cli(['skills', 'run', SKILL, '--skip-validate'])
    expect(skipped.json()).toMatchObject({ status: 'success' })
  })

  test('a path outside of the repository', async () => {
    writeFileSync(join(folder(), 'outside.sh'), '#!/bin/sh\necho outside\n', { mode: 0o755 })
    lab.add({ files: {}, entry: { scripts: ['../outside.sh'] } })
    await failsTwice(400, { code: 'SKILL_VALIDATION_FAILED', details: { path: '../outside.sh' } })
  })
})

describe('SKILL_SCRIPT_NOT_FOUND, when validation was skipped', () => {
  const skipped = () => svc('run', SKILL, '--skip-validate')

  test('a script that is not there', async () => {
    rmSync(join(lab.root, 'skills', SKILL, 'scripts/run.sh'))
    expect(await skipped()).toMatchObject({ status: 'failed', code: 'SKILL_SCRIPT_NOT_FOUND', skillId: SKILL })
  })

  test('a script outside of the repository, by its path or through a link', async () => {
    const outside = join(folder(), 'outside.sh')
    writeFileSync(outside, '#!/bin/sh\necho outside\n', { mode: 0o755 })
    lab.add({ files: {}, entry: { scripts: ['../outside.sh'] } })
    expect(await skipped()).toMatchObject({ code: 'SKILL_SCRIPT_NOT_FOUND', details: { path: '../outside.sh' } })
    symlinkSync(outside, join(lab.root, 'skills', SKILL, 'linked.sh'))
    lab.add({ files: {}, entry: { scripts: [`skills/${SKILL}/linked.sh`] } })
    expect(await skipped()).toMatchObject({ code: 'SKILL_SCRIPT_NOT_FOUND' })
  })
})

describe('agent-driven skills', () => {
  const agent = (script: string, cli = 'codex') =>
    lab.add({ files: { 'scripts/run.sh': `#!/bin/sh\n${script}\n` }, skillJson: { agent: { cli, timeoutMs: 20_000 } } })

  test('SKILL_AGENT_CLI_UNAVAILABLE: not on the PATH, or not supported', async () => {
    agent('echo never')
    await failsTwice(400, { code: 'SKILL_AGENT_CLI_UNAVAILABLE', details: { skillId: SKILL, agentCli: 'codex' } })
    agent('echo never', 'other')
    await failsTwice(400, { code: 'SKILL_AGENT_CLI_UNAVAILABLE', details: { skillId: SKILL, agentCli: 'other' } })
  })

  test('SKILL_RESULT_PARSE_FAILED: exit 0 without the terminal frame', async () => {
    const bin = join(lab.root, 'bin')
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(bin, 'codex'), '#!/bin/sh\n')
    chmodSync(join(bin, 'codex'), 0o755)
    agent('test -t 1 && echo "a terminal for $SVC_SKILL_ID"')
    const env = { PATH: `${bin}:${process.env.PATH}` }
    const agents = await startSurfaces({ home: folder(), registry: lab.registryPath, env })
    try {
      const { cli, http } = await runTwice(agents, { skillId: SKILL })
      const stdout = `a terminal for ${SKILL}\n`
      expect(cli.outcome).toMatchObject({ status: 'failed', code: 'SKILL_RESULT_PARSE_FAILED', exitCode: 0, stdout })
      expect(asOutcome(http.body)).toEqual(cli.outcome)
    } finally {
      await agents.close()
    }
  })
})

describe('EXECUTION_VALIDATION_FAILED: a timeout that is not a finite number', () => {
  test.each(['abc', 'Infinity', 'NaN', ''])('--timeout=%s', async value => {
    for (const flag of ['--timeout', '--timeout-ms']) {
      expect(await svc('run', SKILL, `${flag}=${value}`)).toMatchObject({
        status: 'failed',
        code: 'EXECUTION_VALIDATION_FAILED',
        message: 'timeoutMs must be a finite number',
        hint: expect.stringContaining('milliseconds'),
      })
    }
  })
})

describe('over HTTP, a body that is not as it should be', () => {
  test.each([
    [{ deviceId: 5 }, 'INVALID_DEVICE_ID'],
    [{ args: 'x' }, 'INVALID_ARGS'],
    [{ args: ['a\0b'] }, 'INVALID_ARGS'],
    [{ timeoutMs: 0 }, 'INVALID_TIMEOUT_MS'],
    [{ timeoutMs: 1.5 }, 'INVALID_TIMEOUT_MS'],
    [{ timeoutMs: '5' }, 'INVALID_TIMEOUT_MS'],
    [{ expectContains: 5 }, 'INVALID_EXPECT_CONTAINS'],
    ['[]', 'INVALID_BODY'],
    ['{', 'INVALID_JSON'],
  ])('%j', async (body, code) => {
    const answer = await surfaces.post(`/skills/${SKILL}/run`, body)
    expect(answer).toMatchObject({ status: 400, json: { ok: false, error: { code } } })
  })

  test('a device that is not there keeps its shared status', async () => {
    await failsTwice(500, { code: 'ADB_NOT_FOUND' }, { deviceId: 'nobody' })
  })
})

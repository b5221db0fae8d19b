/** The codes of the contract's "Skills and scaffold errors" that only commands end with, and usage errors. */
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { runCliHere } from '../../../support/cli/cli-here.ts'
import type { CliEnded } from '../../../support/cli/run-cli.ts'
import { createSkillLab } from '../../../support/skills/skill-lab.ts'
import { noBridge } from '../../../support/skills/skill-surfaces.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-skill-command-codes-')
const SKILL = 'com.lab.do'

let lab: ReturnType<typeof createSkillLab>
beforeEach(() => {
  lab = createSkillLab(folder())
  lab.add({ files: { 'scripts/run.sh': '#!/bin/sh\necho done\n' } })
})

const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  runCliHere(['skills', ...args], {
    env: { ...noBridge(folder()), SVC_SKILLS_REGISTRY: lab.registryPath, ...env },
    cwd: folder(),
  })
const refusal = (ended: CliEnded) => {
  expect(ended.code).toBe(1)
  return ended.json()
}
const svc = async (...args: string[]) => refusal(await run(args))

describe('scaffold and workspace', () => {
  test.each(['nodot', '.a', 'a.', 'a..b', '../x.y', 'a/b.c', 'a b.c', ''])('SKILL_ID_INVALID: %j', async id => {
    expect(await svc('new', id)).toMatchObject({ code: 'SKILL_ID_INVALID' })
  })

  test('SKILL_ALREADY_EXISTS and SKILLS_SCAFFOLD_FAILED', async () => {
    expect(await svc('new', SKILL)).toMatchObject({ code: 'SKILL_ALREADY_EXISTS' })
    expect(await svc('new', 'com.lab.fresh', '--recording-context', '/no/such/file')).toMatchObject({
      code: 'SKILLS_SCAFFOLD_FAILED',
    })
  })

  test('SKILLS_SYNC_FAILED, SKILLS_GIT_NOT_FOUND and USAGE', async () => {
    const fresh = { HOME: join(folder(), 'fresh') }
    const ask = async (args: string[], env: NodeJS.ProcessEnv = fresh) => refusal(await run(args, env))
    expect(await ask(['update'])).toMatchObject({
      code: 'SKILLS_SYNC_FAILED',
      hint: expect.stringContaining('install'),
    })
    expect(await ask(['sync', '--ref', 'main'])).toMatchObject({ code: 'SKILLS_SYNC_FAILED' })
    expect(await ask(['update', '--ref', 'v2'])).toMatchObject({ code: 'SKILLS_SYNC_FAILED', details: { ref: 'v2' } })
    expect(await ask(['sync', '--ref', 'v2'])).toMatchObject({ code: 'SKILLS_SYNC_FAILED' })
    expect(await ask(['sync'])).toMatchObject({ code: 'USAGE', message: expect.stringContaining('--ref main') })
    const withoutGit = { ...fresh, PATH: '/nowhere' }
    expect(await ask(['install'], withoutGit)).toMatchObject({ code: 'SKILLS_GIT_NOT_FOUND' })
    expect(await ask(['update'], withoutGit)).toMatchObject({ code: 'SKILLS_GIT_NOT_FOUND' })
  })
})

describe('compiling', () => {
  test('ARTIFACT_NOT_FOUND, COMPILE_VARS_PARSE_FAILED, COMPILE_VAR_MISSING and COMPILE_VALIDATION_FAILED', async () => {
    const artifacts = [`skills/${SKILL}/artifacts/a.recipe.json`]
    const recipe = { source: 's', expectedFormat: 'android-ui-automator', timeoutMs: 5_000, actions: [] as object[] }
    const write = (actions: object[]) =>
      lab.add({ files: { 'artifacts/a.recipe.json': JSON.stringify({ ...recipe, actions }) }, entry: { artifacts } })
    write([{ id: 'a', type: 'open_app', params: { applicationId: '{{APP}}' } }])
    const compile = (...args: string[]) => svc('compile-artifact', SKILL, ...args)
    expect(await compile('--artifact', 'b')).toMatchObject({ code: 'ARTIFACT_NOT_FOUND' })
    expect(await compile('--artifact', 'a')).toMatchObject({ code: 'COMPILE_VAR_MISSING' })
    expect(await compile('--artifact', 'a', '--vars', '[]')).toMatchObject({ code: 'COMPILE_VARS_PARSE_FAILED' })
    const compiled = await run([
      ...['compile-artifact', '--skill-id', SKILL, '--artifact', 'a.recipe.json', '--vars', '{"APP":"a.b"}'],
    ])
    expect(compiled.json()).toMatchObject({
      execution: { commandId: expect.stringMatching(/^cmd-[0-9a-f]{12}$/), mode: 'artifact_compiled' },
    })
    write([{ id: 'a', type: 'no_such_type' }])
    expect(await compile('--artifact', 'a')).toMatchObject({ code: 'COMPILE_VALIDATION_FAILED' })
  })
})

test('USAGE: what is missing is named with the shape of the command', async () => {
  for (const [args, shape] of [
    [['get'], 'svc skills get <skill_id>'],
    [['for-app'], 'svc skills for-app <package_id>'],
    [['search'], 'svc skills search'],
    [['search', ' '], 'svc skills search'],
    [['search', 'a', '--keyword', 'b'], 'svc skills search'],
    [['search', '--app'], '--app'],
    [['compile-artifact'], 'svc skills compile-artifact <skill_id> --artifact <name>'],
    [['compile-artifact', SKILL], 'svc skills compile-artifact <skill_id> --artifact <name>'],
    [['compile-artifact', SKILL, '--skill-id', SKILL, '--artifact', 'a'], 'twice'],
    [['new'], 'svc skills new <skill_id>'],
    [['validate'], 'svc skills validate (<skill_id> | --all)'],
    [['validate', SKILL, '--all'], 'svc skills validate'],
    [['run'], 'svc skills run <skill_id>'],
    [['run', '--skip-validat', SKILL], 'Did you mean --skip-validate?'],
    [['vaildate'], 'Did you mean skills validate?'],
    [['list', '--registri', 'x'], 'Did you mean --registry?'],
  ] as [string[], string][]) {
    expect(await svc(...args)).toMatchObject({ code: 'USAGE', message: expect.stringContaining(shape) })
  }
})

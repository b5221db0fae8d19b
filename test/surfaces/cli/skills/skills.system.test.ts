/** `svc skills` without a run: what is found, checked, compiled and made, by the real command line. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { beforeAll, describe, expect, test } from 'vitest'
import { SkillOutput, SkillsOutput } from '../../../../src/contracts/skills/registry.ts'
import {
  CompiledArtifact,
  SkillCreated,
  SkillsSynced,
  SkillsValidated,
  SkillValidated,
} from '../../../../src/contracts/skills/skill-commands.ts'
import { callCli } from '../../../support/cli/call-cli.ts'
import { runCliHere } from '../../../support/cli/cli-here.ts'
import { needs } from '../../../support/needs.ts'
import { entryFor, type SkillRepo, skillRepo } from '../../../support/skills/skill-repo.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-skills-command-')

let repo: SkillRepo
const skills = [
  entryFor('com.a.battery', { summary: 'Reads the level', keywords: ['power', 'battery level'] }),
  entryFor('com.a.search', { summary: 'Looks for battery things' }),
  entryFor('com.b.battery-saver', { artifacts: ['skills/com.b.battery-saver/artifacts/go.recipe.json'] }),
]
const recipe = {
  source: 's',
  expectedFormat: 'android-ui-automator',
  timeoutMs: 5_000,
  actions: [{ id: 'a', type: 'open_app', params: { applicationId: '{{APP}}' } }],
}
beforeAll(() => {
  repo = skillRepo(folder())
  for (const skill of skills) repo.add(skill)
  repo.write('skills/com.b.battery-saver/artifacts/go.recipe.json', recipe)
  repo.list(skills)
})

const env = () => ({ HOME: folder(), PATH: process.env.PATH, SVC_SKILLS_REGISTRY: repo.registryPath })
const svc = async <T extends v.GenericSchema>(schema: T, ...args: string[]): Promise<v.InferOutput<T>> => {
  const ended = await runCliHere(['skills', ...args], { env: env(), cwd: folder() })
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(v.parse(schema, ended.json())).toEqual(ended.json())
  return v.parse(schema, ended.json())
}
const found = async (...args: string[]) => (await svc(SkillsOutput, ...args)).skills.map(({ id }) => id)

describe('finding', () => {
  test('list and get', async () => {
    expect(await svc(SkillsOutput, 'list')).toEqual({ skills, count: 3 })
    expect(await svc(SkillOutput, 'get', 'com.a.search')).toEqual({ skill: skills[1] })
  })

  test('for-app and search', async () => {
    expect(await found('for-app', 'com.a')).toEqual(['com.a.battery', 'com.a.search'])
    expect(await found('search', '--app', 'com.a')).toEqual(['com.a.battery', 'com.a.search'])
    expect(await found('search', '--app', 'com.a', '--intent', 'search')).toEqual(['com.a.search'])
    expect(await found('search', 'battery')).toEqual(['com.a.battery', 'com.b.battery-saver', 'com.a.search'])
    expect(await found('search', '--keyword', 'battery', '--app', 'com.b')).toEqual(['com.b.battery-saver'])
    expect(await found('search', 'nothing')).toEqual([])
  })

  test('--output pretty is the same JSON', async () => {
    const { stdout } = await runCliHere(['skills', 'list', '--output', 'pretty'], { env: env() })
    expect(stdout).toBe(`${JSON.stringify({ skills, count: 3 }, null, 2)}\n`)
  })
})

describe('checking', () => {
  test('one, with and without its recipes', async () => {
    const checks = await svc(SkillValidated, 'validate', 'com.a.battery')
    expect(checks).toMatchObject({ valid: true, skill: skills[0], registryPath: repo.registryPath })
    expect(checks).not.toHaveProperty('dryRun')
    expect(await svc(SkillValidated, 'validate', 'com.a.battery', '--dry-run')).toMatchObject({
      dryRun: { payloadValidation: 'skipped', reason: expect.any(String) },
      checks: { skillFilePath: join(repo.root, 'skills/com.a.battery/SKILL.md') },
    })
    expect(await svc(SkillValidated, 'validate', 'com.b.battery-saver', '--dry-run')).toMatchObject({
      dryRun: { payloadValidation: 'passed' },
    })
  })

  test('all', async () => {
    const all = await svc(SkillsValidated, 'validate', '--all', '--dry-run')
    expect(all).toMatchObject({ valid: true, totalSkills: 3, registryPath: repo.registryPath })
    expect(all.validSkills.map(({ skill }) => skill)).toEqual(skills)
  })

  test('thousands, in threads: the same answer, and lines of progress on stderr', async () => {
    const many = skillRepo(folder())
    const entries = Array.from({ length: 2_000 }, (_, index) => entryFor(`com.many.skill-${index}`))
    for (const entry of entries) many.add(entry)
    many.list(entries)
    const validate = () =>
      runCliHere(['skills', 'validate', '--all'], { env: { ...env(), SVC_SKILLS_REGISTRY: many.registryPath } })
    const ended = await validate()
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringMatching(/^\d+ of 2000 skills validated\n/) })
    expect(ended.stderr).toMatch(/^2000 of 2000 skills validated$/m)
    const output = ended.json<SkillsValidated>()
    expect(output.validSkills.map(({ skill }) => skill.id)).toEqual(entries.map(({ id }) => id))
    // Without the bundle of the thread, which a call inside this process does not find, it is done in one.
    const alone = await callCli(['skills', 'validate', '--all', '--registry', many.registryPath])
    expect(alone).toMatchObject({ code: 0, notes: [] })
    expect(alone.json()).toEqual(output)

    many.write('skills/com.many.skill-1900/skill.json', '{')
    expect((await validate()).json()).toMatchObject({
      code: 'SKILL_VALIDATION_FAILED',
      registryPath: many.registryPath,
      details: { totalSkills: 2_000, invalidCount: 1, failures: [{ skillId: 'com.many.skill-1900' }] },
    })
  })

  test('a recipe is compiled, always to the same ids', async () => {
    const compile = (vars: string) =>
      svc(CompiledArtifact, 'compile-artifact', 'com.b.battery-saver', '--artifact', 'go', '--vars', vars)
    const first = await compile('{"APP": "com.b", "EXTRA": "x"}')
    expect(first.execution).toMatchObject({
      actions: [{ params: { applicationId: 'com.b' } }],
      mode: 'artifact_compiled',
    })
    expect(await compile('{"EXTRA":"x","APP":"com.b"}')).toEqual(first)
    expect((await compile('{"APP":"com.c"}')).execution.commandId).not.toBe(first.execution.commandId)
    const executed = await runCliHere(['exec', '-', '--validate-only'], {
      env: env(),
      input: JSON.stringify(first.execution),
    })
    expect(executed.json()).toMatchObject({ ok: true, validated: true })
  })
})

describe.skipIf(!needs('git'))('making', () => {
  test('install, new, update and sync; everything a second time changes nothing', async () => {
    const home = join(folder(), 'fresh')
    const ask = async (...args: string[]) =>
      (await runCliHere(['skills', ...args], { env: { HOME: home, PATH: process.env.PATH }, cwd: folder() })).json()
    const registryPath = join(home, '.svc/skills/skills/skills-registry.json')
    const installed = await ask('install')
    expect(v.parse(SkillsSynced, installed)).toMatchObject({ synced: true, registryPath })
    const recording = join(folder(), 'recording.json')
    writeFileSync(recording, '{}')
    const made = await ask('new', 'com.a.look', '--summary', 'Looks', '--recording-context', 'recording.json')
    expect(v.parse(SkillCreated, made)).toMatchObject({ created: true, skillId: 'com.a.look', registryPath })
    expect(await ask('list')).toMatchObject({ count: 1, skills: [{ id: 'com.a.look', summary: 'Looks' }] })
    expect(await ask('install')).toMatchObject({ message: expect.stringContaining('1 skill') })
    expect(await ask('update', '--ref', 'main')).toEqual({ synced: true, message: expect.any(String) })
    expect(await ask('sync', '--ref=main')).toEqual({ synced: true, message: expect.any(String) })
  })

  test('with --registry that file is made or checked, and nothing around it', async () => {
    const file = join(folder(), 'own', 'skills', 'registry.json')
    const options = { env: { HOME: join(folder(), 'other'), PATH: process.env.PATH }, cwd: folder() }
    const ask = async (...args: string[]) => (await runCliHere(['skills', ...args, '--registry', file], options)).json()
    expect(await ask('sync', '--ref', 'main')).toMatchObject({ code: 'SKILLS_SYNC_FAILED' })
    expect(await ask('install')).toMatchObject({ synced: true, registryPath: file })
    expect(await ask('sync', '--ref', 'main')).toMatchObject({ synced: true })
    expect(await ask('list')).toEqual({ skills: [], count: 0 })
    expect((await runCliHere(['skills', 'list'], options)).json()).toMatchObject({ code: 'REGISTRY_READ_FAILED' })
  })
})

test.each([
  [['--no-daemon'], '1'],
  [[], '0'],
])('what a script calls is done without the daemon when the run is: %j', async (flags, said) => {
  const own = skillRepo(folder())
  const skill = entryFor('com.a.env', { scripts: ['skills/com.a.env/scripts/run.js'] })
  own.list([skill])
  own.add(skill)
  own.write('skills/com.a.env/scripts/run.js', 'process.stdout.write(process.env.SVC_NO_DAEMON)')
  const options = {
    env: { ...env(), SVC_NO_DAEMON: '0', ADB_PATH: '/no/adb', ADB_SERVER_SOCKET: `localfilesystem:${folder()}/none` },
  }
  const ended = await runCliHere(['skills', 'run', '--registry', own.registryPath, ...flags, 'com.a.env'], options)
  expect(ended.json()).toMatchObject({ status: 'success', output: said })
})

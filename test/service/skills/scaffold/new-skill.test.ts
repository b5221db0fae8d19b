import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { SkillCreated } from '../../../../src/contracts/skills/skill-commands.ts'
import { SkillJson } from '../../../../src/contracts/skills/skill-json.ts'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { getSkill } from '../../../../src/service/skills/registry/find.ts'
import { type NewSkillOptions, newSkill } from '../../../../src/service/skills/scaffold/new-skill.ts'
import { validateSkill } from '../../../../src/service/skills/validate/validate.ts'
import { entryFor, output, refused, skillRepo } from '../../../support/skills/skill-repo.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-new-')
const clock = systemClock()
const ID = 'com.android.settings.battery-level'

const repoOf = (entries: object[] = []) => {
  const repo = skillRepo(folder())
  repo.list(entries, { owner: 'me' })
  const make = (more: Partial<NewSkillOptions> = {}) =>
    newSkill({ skillId: ID, cwd: repo.root, home: join(repo.root, 'home'), clock, ...more })
  const skillFolder = join(repo.root, 'skills', ID)
  const text = (file: string) => readFileSync(join(skillFolder, file), 'utf8')
  return { ...repo, make, skillFolder, text }
}

test('says how to run it from a registry that only a flag names', async () => {
  const { make, root, load } = repoOf()
  const named = join(root, 'skills', "it's mine.json")
  writeFileSync(named, JSON.stringify({ skills: load().skills }))
  const { next } = output(await make({ registry: "skills/it's mine.json" }))
  expect(next).toContain(`svc skills run --registry '${named.replace("'", "'\\''")}' ${ID}`)
})

describe('a new skill', () => {
  test('has four files and an entry, and is valid at once', async () => {
    const { make, skillFolder, registryPath, load, text } = repoOf([entryFor('a.b', { x: 1 })])
    const created = output(await make({ summary: ' Reads\n the  battery level ' }))
    expect(created).toEqual({
      created: true,
      skillId: ID,
      registryPath,
      skillPath: skillFolder,
      files: ['SKILL.md', 'skill.json', 'scripts/run.js', 'scripts/run.sh'].map(file => join(skillFolder, file)),
      next: expect.stringMatching(/then run: svc skills run com\.android\.settings\.battery-level$/),
    })
    expect(v.is(SkillCreated, created)).toBe(true)
    const { skill } = output(getSkill(load(), ID))
    expect(skill).toEqual({
      id: ID,
      applicationId: 'com.android.settings',
      intent: 'battery-level',
      summary: 'Reads the battery level',
      path: `skills/${ID}`,
      skillFile: `skills/${ID}/SKILL.md`,
      scripts: [`skills/${ID}/scripts/run.js`, `skills/${ID}/scripts/run.sh`],
      artifacts: [],
    })
    expect(v.is(SkillJson, JSON.parse(text('skill.json')))).toBe(true)
    expect(output(validateSkill({ registry: load(), skillId: ID, dryRun: true })).dryRun?.payloadValidation).toBe(
      'skipped',
    )
    for (const file of ['scripts/run.js', 'scripts/run.sh']) {
      expect(statSync(join(skillFolder, file)).mode & 0o100).toBe(0o100)
    }
    expect(JSON.parse(readFileSync(registryPath, 'utf8'))).toMatchObject({
      owner: 'me',
      skills: [{ x: 1 }, { id: ID }],
    })
  })

  test('lies beside the registry that is configured, whatever its folder is called', async () => {
    const repo = repoOf()
    repo.write('catalog/mine.json', '{"skills": []}')
    const created = output(await repo.make({ registryEnv: 'catalog/mine.json' }))
    expect(created.skillPath).toBe(join(repo.root, 'catalog', ID))
    expect(JSON.parse(readFileSync(join(repo.root, 'catalog', 'mine.json'), 'utf8')).skills[0].path).toBe(
      `catalog/${ID}`,
    )
    expect(repo.load().skills).toEqual([])
  })

  test('has a summary to be written when none is given', async () => {
    for (const summary of [undefined, '', ' \n']) {
      const { make, load } = repoOf()
      output(await make({ summary }))
      expect(load().skills[0]?.summary).toContain('battery-level')
    }
  })

  test('teaches the rules', async () => {
    const { make, text } = repoOf()
    output(await make({ summary: 'Says "---"' }))
    const skillMd = text('SKILL.md')
    for (const said of [
      `name: ${ID}`,
      'description: "Says \\"---\\""',
      'No fixed sleeps',
      '`open_app` guarantees only that the package is in the foreground',
      '`wait_for_node`',
      'a limit of rounds *and* of time',
      'Exactly one terminal frame',
      '[Svc-Skill-Result]',
      'It has no `source`',
    ]) {
      expect(skillMd).toContain(said)
    }
    expect(skillMd.split('\n')[0]).toBe('---')
  })
})

describe('--recording-context', () => {
  test('is copied into the folder under its own name, and named in SKILL.md', async () => {
    const { make, write, text } = repoOf()
    write('recordings/battery.json', '{"steps": 3}')
    output(await make({ recordingContext: 'recordings/battery.json' }))
    expect(text('battery.json')).toBe('{"steps": 3}')
    expect(text('SKILL.md')).toContain('`battery.json`')
  })

  test('never takes the place of a file of the skill', async () => {
    for (const name of ['SKILL.md', 'skill.json', 'scripts', 'Skill.MD']) {
      const { make, write, text, load } = repoOf()
      write(`in/${name}`, 'recorded')
      output(await make({ recordingContext: `in/${name}` }))
      expect(text(`recording-${name}`)).toBe('recorded')
      expect(validateSkill({ registry: load(), skillId: ID })).toMatchObject({ ok: true })
    }
  })

  test('that cannot be read is SKILLS_SCAFFOLD_FAILED, and nothing is made', async () => {
    for (const recordingContext of ['none.json', 'skills', '/dev/null', '']) {
      const { make, skillFolder, load } = repoOf()
      const error = refused(await make({ recordingContext }))
      expect([error.code, existsSync(skillFolder), load().skills]).toEqual(['SKILLS_SCAFFOLD_FAILED', false, []])
      expect(error.message).toContain(recordingContext)
    }
  })
})

describe('ids', () => {
  test.each([
    'nodot',
    '',
    '.',
    'a.',
    '.a',
    'a..b',
    '../x.y',
    'a/b.c',
    'a b.c',
    'a.b\n',
    'ä.b',
    'a.b\0',
    '$(x).y',
    'a\\b.c',
    `a.${'x'.repeat(200)}`,
  ])('%j is SKILL_ID_INVALID', async skillId => {
    const { make, registryPath } = repoOf()
    const error = refused(await make({ skillId }))
    expect(error).toMatchObject({ code: 'SKILL_ID_INVALID', hint: expect.stringContaining('<applicationId>.<intent>') })
    expect(readdirSync(join(registryPath, '..'))).toEqual(['skills-registry.json'])
  })

  test('are split at their last dot', async () => {
    for (const [skillId, applicationId, intent] of [
      ['a.b', 'a', 'b'],
      ['a.b_c.d-E9', 'a.b_c', 'd-E9'],
      ['-.-', '-', '-'],
    ]) {
      const { make, load } = repoOf()
      output(await make({ skillId: skillId ?? '' }))
      expect(load().skills[0]).toMatchObject({ id: skillId, applicationId, intent })
    }
  })
})

describe('SKILL_ALREADY_EXISTS', () => {
  test('for an id that the registry lists', async () => {
    const { make, load } = repoOf()
    output(await make())
    const before = load()
    expect(refused(await make())).toMatchObject({ code: 'SKILL_ALREADY_EXISTS', details: { skillId: ID } })
    expect(load()).toEqual(before)
  })

  test('for a folder that the registry does not list, which stays as it is', async () => {
    for (const make of [
      (path: string) => mkdirSync(path),
      (path: string) => writeFileSync(path, 'x'),
      (path: string) => symlinkSync('/nowhere', path),
    ]) {
      const repo = repoOf()
      make(repo.skillFolder)
      const error = refused(await repo.make())
      expect(error).toMatchObject({ code: 'SKILL_ALREADY_EXISTS', details: { path: repo.skillFolder } })
      expect(repo.load().skills).toEqual([])
    }
  })
})

describe('failures', () => {
  test('without a registry there is nothing to add to', async () => {
    const { make } = repoOf()
    expect(refused(await make({ registry: 'none.json' })).code).toBe('REGISTRY_READ_FAILED')
    expect(refused(await make({ registryEnv: ' ' })).code).toBe('REGISTRY_READ_FAILED')
  })

  test('what an earlier crash left in the staging directory is not an obstacle', async () => {
    const { make, write, registryPath } = repoOf()
    write('skills/.svc-new-skill/SKILL.md', 'half')
    write('skills/.svc-skills-registry.json.draft', '{"skills": [')
    output(await make())
    expect(readdirSync(join(registryPath, '..')).sort()).toEqual([ID, 'skills-registry.json'])
  })

  test('a registry that cannot be replaced takes the folder with it', async () => {
    const { make, registryPath, skillFolder, load } = repoOf()
    mkdirSync(join(registryPath, '../.svc-skills-registry.json.draft/in-the-way'), { recursive: true })
    expect(refused(await make())).toMatchObject({ code: 'SKILLS_SCAFFOLD_FAILED' })
    expect([existsSync(skillFolder), load().skills]).toEqual([false, []])
  })

  test.skipIf(process.getuid?.() === 0)('a folder that may not be written to is SKILLS_SCAFFOLD_FAILED', async () => {
    const { make, registryPath } = repoOf()
    chmodSync(join(registryPath, '..'), 0o500)
    expect(refused(await make())).toMatchObject({ code: 'SKILLS_SCAFFOLD_FAILED' })
    chmodSync(join(registryPath, '..'), 0o700)
  })
})

import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { SkillValidated } from '../../../../src/contracts/skills/skill-commands.ts'
import { validateSkill } from '../../../../src/service/skills/validate/validate.ts'
import { type Entry, entryFor, output, refused, skillRepo } from '../../../support/skills/skill-repo.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-validate-')
const ID = 'com.lab.do'

const repoWith = (more: Partial<Entry> = {}, skillJson: object = {}) => {
  const repo = skillRepo(folder())
  const entry = entryFor(ID, more)
  repo.list([entry])
  repo.add(entry, skillJson)
  const validate = (dryRun = false) => validateSkill({ registry: repo.load(), skillId: ID, dryRun })
  return { ...repo, entry, validate, at: (file: string) => join(repo.root, 'skills', ID, file) }
}

const recipe = (more: object = {}) => ({
  source: 'test',
  expectedFormat: 'android-ui-automator',
  timeoutMs: 30_000,
  actions: [{ id: 'open', type: 'open_app', params: { applicationId: '{{APP}}' } }],
  ...more,
})
const ARTIFACT = `skills/${ID}/artifacts/open.recipe.json`

describe('a valid skill', () => {
  test('is told with its absolute paths', () => {
    const { entry, validate, at, registryPath, write } = repoWith({ artifacts: [ARTIFACT] })
    write(ARTIFACT, recipe())
    const result = output(validate())
    expect(result).toEqual({
      valid: true,
      skill: entry,
      registryPath,
      checks: {
        skillJsonPath: at('skill.json'),
        skillFilePath: at('SKILL.md'),
        scriptPaths: [at('scripts/run.js'), at('scripts/run.sh')],
        artifactPaths: [at('artifacts/open.recipe.json')],
      },
    })
    expect(v.is(SkillValidated, result)).toBe(true)
  })

  test('without artifacts says why its payloads were not looked at', () => {
    expect(output(repoWith().validate(true)).dryRun).toEqual({
      payloadValidation: 'skipped',
      reason: expect.stringContaining('no artifacts'),
    })
    expect(output(repoWith().validate()).dryRun).toBeUndefined()
  })

  test('has recipes that are valid with their placeholders in them, and with ids, source and mode left out', () => {
    const { validate, write } = repoWith({ artifacts: [ARTIFACT] })
    for (const content of [
      recipe(),
      recipe({ commandId: '{{COMMAND_ID}}', task_id: 'mine', mode: 'direct' }),
      { ...recipe(), source: undefined },
    ]) {
      write(ARTIFACT, content)
      expect(output(validate(true)).dryRun).toEqual({ payloadValidation: 'passed' })
    }
  })
})

describe('files', () => {
  test('that are missing are all named', () => {
    const { validate, at } = repoWith({ artifacts: [ARTIFACT] })
    rmSync(at('SKILL.md'))
    rmSync(at('scripts/run.sh'))
    const error = refused(validate())
    expect(error).toMatchObject({
      code: 'SKILL_VALIDATION_FAILED',
      details: {
        skillJsonPath: at('skill.json'),
        missingFiles: [at('SKILL.md'), at('scripts/run.sh'), at('artifacts/open.recipe.json')],
      },
    })
    expect(error.message).toContain(`${at('SKILL.md')} does not exist`)
  })

  test('without skill.json there is nothing to compare', () => {
    const { validate, at } = repoWith()
    rmSync(at('skill.json'))
    expect(refused(validate()).details).toEqual({ skillJsonPath: at('skill.json'), missingFiles: [at('skill.json')] })
  })

  test('that are folders or lead nowhere do not count', () => {
    const { validate, at, write } = repoWith()
    rmSync(at('SKILL.md'))
    write(`skills/${ID}/SKILL.md/inside`, 'x')
    rmSync(at('scripts/run.js'))
    symlinkSync('nowhere', at('scripts/run.js'))
    expect(refused(validate()).details?.missingFiles).toEqual([at('SKILL.md'), at('scripts/run.js')])
  })

  test.each([
    ['path', { path: '../elsewhere' }],
    ['path', { path: '/etc' }],
    ['path', { path: ' ' }],
    ['skillFile', { skillFile: '/etc/passwd' }],
    ['scripts[1]', { scripts: [`skills/${ID}/scripts/run.js`, 'skills/../../x.sh'] }],
    ['artifacts[0]', { artifacts: ['skills/a\0b'] }],
  ])('that are none of this repository are refused: %s', (field, more) => {
    const repo = skillRepo(folder())
    repo.add(entryFor(ID))
    repo.list([entryFor(ID, more)])
    const error = refused(validateSkill({ registry: repo.load(), skillId: ID }))
    expect(error).toMatchObject({ code: 'SKILL_VALIDATION_FAILED', details: { field, root: repo.root } })
  })

  test('that lead out through a link are refused', () => {
    const { validate, at, root } = repoWith()
    rmSync(at('scripts'), { recursive: true })
    symlinkSync('/usr/bin', at('scripts'))
    expect(refused(validate())).toMatchObject({ details: { field: 'scripts[0]', root } })
  })
})

describe('skill.json', () => {
  test.each([
    ['id', { id: 'com.lab.other' }],
    ['applicationId', { applicationId: 'com' }],
    ['intent', { intent: 'x' }],
    ['summary', { summary: 'x' }],
    ['keywords', { keywords: ['x'] }],
    ['path', { path: 'skills/other' }],
    ['skillFile', { skillFile: 7 }],
    ['scripts', { scripts: [`skills/${ID}/scripts/run.sh`, `skills/${ID}/scripts/run.js`] }],
    ['artifacts', { artifacts: undefined }],
    ['contract', { contract: {} }],
  ])('that says another %s than the registry is refused', (field, skillJson) => {
    const { validate, at } = repoWith({}, skillJson)
    const error = refused(validate())
    expect(error).toMatchObject({
      code: 'SKILL_VALIDATION_FAILED',
      details: { skillJsonPath: at('skill.json'), mismatchFields: [field] },
    })
    expect(error.message).toContain(field)
  })

  test('is told in all fields at once', () => {
    expect(refused(repoWith({}, { summary: 'x', id: 'y', scripts: [] }).validate()).details?.mismatchFields).toEqual([
      'id',
      'summary',
      'scripts',
    ])
  })

  test('may write paths, the order of keywords and of keys differently, and hold what the registry does not', () => {
    const contract = { inputs: { n: 'integer[0,9]' }, goal: null, verification: null }
    const entry: Partial<Entry> = { keywords: ['b', 'a'], contract }
    const skillJson = {
      path: `./skills//${ID}/`,
      scripts: [`skills/x/../${ID}/scripts/run.js`, `skills/${ID}/scripts/run.sh`],
      keywords: ['a', 'b'],
      contract: { verification: null, goal: null, inputs: { n: 'integer[0,9]' } },
      agent: { cli: 'codex', timeoutMs: 300_000 },
      author: 'me',
    }
    expect(repoWith(entry, skillJson).validate()).toMatchObject({ ok: true })
    expect(repoWith({ keywords: [] }, { keywords: undefined }).validate()).toMatchObject({ ok: true })
  })

  test('with keywords that are there twice, or a contract that differs in a null, is another', () => {
    const fields = (more: Partial<Entry>, skillJson: object) =>
      refused(repoWith(more, skillJson).validate()).details?.mismatchFields
    expect(fields({ keywords: ['a', 'a', 'b'] }, { keywords: ['a', 'b', 'b'] })).toEqual(['keywords'])
    expect(fields({ contract: { goal: null } }, { contract: {} })).toEqual(['contract'])
  })

  test('that nests without end is a mismatch, and no crash', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const { write, validate } = repoWith({ contract: { goal: null } })
    write(`skills/${ID}/skill.json`, `${JSON.stringify(entryFor(ID)).slice(0, -1)},"contract":${deep}}`)
    expect(refused(validate()).details?.mismatchFields).toEqual(['contract'])
  })

  test.each([
    ['that become no text', '{"toString":1},{"toString":1}'],
    ['that nest without end', `${'['.repeat(50_000)}${']'.repeat(50_000)},"a"`],
  ])('with keywords %s is a mismatch, and no crash', (_, keywords) => {
    const { write, validate } = repoWith({ keywords: ['a', 'b'] })
    write(`skills/${ID}/skill.json`, `${JSON.stringify(entryFor(ID)).slice(0, -1)},"keywords":[${keywords}]}`)
    expect(refused(validate())).toMatchObject({
      code: 'SKILL_VALIDATION_FAILED',
      details: { mismatchFields: ['keywords'] },
    })
  })

  test('with a megabyte where a number belongs is refused in few words', () => {
    const { message } = refused(repoWith({}, { agent: { cli: 'codex', timeoutMs: 'x'.repeat(900_000) } }).validate())
    expect(message).toMatch(/is wrong in agent\.timeoutMs: .*x\.\.\.$/)
    expect(message.length).toBeLessThan(2_010)
  })

  test.each([
    ['{"id": ', /is wrong in line 1, column 8: not valid JSON/],
    ['', /text is empty/],
    ['[]', /is not a JSON object/],
    ['\ufeff{}', /byte order mark/],
    ['x'.repeat(2_000_000), /longer than/],
  ])('that is not a JSON object is refused: %#', (text, message) => {
    const { write, validate, at } = repoWith()
    write(`skills/${ID}/skill.json`, text)
    const error = refused(validate())
    expect(error).toMatchObject({ code: 'SKILL_VALIDATION_FAILED', details: { skillJsonPath: at('skill.json') } })
    expect(error.message).toMatch(message)
  })

  test.each([
    ['agent.timeoutMs', { agent: { cli: 'codex', timeoutMs: -1 } }],
    ['agent.cli', { agent: { cli: ' ' } }],
    ['agent', { agent: 'codex' }],
  ])('with a damaged %s is refused before a run finds out', (place, skillJson) => {
    expect(refused(repoWith({}, skillJson).validate()).message).toContain(`wrong in ${place}: `)
  })

  test('with a damaged contract is refused as well', () => {
    const contract = { inputs: { n: 'integer[9,0]' } }
    expect(refused(repoWith({ contract }, { contract }).validate()).message).toContain('contract.inputs.n: ')
  })
})

test('a skill that the registry does not list is SKILL_NOT_FOUND', () => {
  const { load } = repoWith()
  expect(refused(validateSkill({ registry: load(), skillId: 'no.such' })).code).toBe('SKILL_NOT_FOUND')
})

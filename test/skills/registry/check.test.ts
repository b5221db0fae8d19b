import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { RegistryFile, SKILLS_ARRAY_REQUIRED } from '../../../src/contracts/registry.ts'
import { checkRegistry } from '../../../src/skills/registry/check.ts'
import { getSkill } from '../../../src/skills/registry/find.ts'
import { loadRegistry } from '../../../src/skills/registry/load.ts'
import { entryFor, output, refused, skillRepo } from '../../support/skill-repo.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-check-')

describe('what counts as a registry', () => {
  const entry = fc.oneof(
    { weight: 3, arbitrary: fc.constant(entryFor('a.b')) },
    fc.record(
      {
        id: fc.oneof(fc.constant('a.b'), fc.constant(''), fc.integer()),
        applicationId: fc.oneof(fc.string(), fc.constant(null)),
        intent: fc.string(),
        summary: fc.oneof(fc.string(), fc.integer()),
        path: fc.string(),
        skillFile: fc.string(),
        scripts: fc.oneof(
          fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 2 }),
          fc.string(),
          fc.constant({}),
        ),
        artifacts: fc.array(fc.string(), { maxLength: 2 }),
        keywords: fc.oneof(fc.array(fc.string(), { maxLength: 2 }), fc.constant(null)),
        more: fc.jsonValue(),
      },
      { requiredKeys: ['intent', 'path', 'skillFile'] },
    ),
    fc.jsonValue(),
  )
  const file = fc.oneof(
    fc.record({ skills: fc.array(entry, { maxLength: 3 }) }),
    fc.jsonValue(),
    fc.record({ skills: fc.jsonValue() }),
  )

  test('is what the schema says', () => {
    fc.assert(
      fc.property(file, value => {
        const parsed = v.safeParse(RegistryFile, value)
        const checked = checkRegistry(value)
        expect(checked.ok).toBe(parsed.success)
        if (checked.ok && parsed.success) expect(checked.skills).toEqual(parsed.output.skills)
        if (!checked.ok) expect(checked.problem).toMatch(/^Invalid registry: /)
      }),
      { numRuns: 2_000 },
    )
  })

  test.each([
    [{}, SKILLS_ARRAY_REQUIRED],
    [[], SKILLS_ARRAY_REQUIRED],
    [{ skills: {} }, SKILLS_ARRAY_REQUIRED],
    [{ skills: [entryFor('a.b'), 7] }, 'Invalid registry: skills[1]: an object is required'],
    [{ skills: [{ ...entryFor('a.b'), id: '' }] }, 'Invalid registry: skills[0].id: a non-empty string is required'],
    [
      { skills: [{ ...entryFor('a.b'), summary: 1 }] },
      'Invalid registry: skills[0] (a.b).summary: a string is required',
    ],
    [
      { skills: [{ ...entryFor('a.b'), scripts: 'x' }] },
      'Invalid registry: skills[0] (a.b).scripts: an array of strings is required',
    ],
    [
      { skills: [{ ...entryFor('a.b'), keywords: [1] }] },
      'Invalid registry: skills[0] (a.b).keywords: an array of strings is required',
    ],
  ])('%#: is named', (value, problem) => {
    expect(checkRegistry(value)).toEqual({ ok: false, problem })
  })

  test.each(['contract', 'owner'])(
    'a %s that nests without end is not a registry, for it could not be printed',
    key => {
      const repo = skillRepo(folder())
      const deep = `${'{"a":['.repeat(20_000)}${']}'.repeat(20_000)}`
      repo.write(
        'skills/skills-registry.json',
        `{"skills":[${JSON.stringify(entryFor('a.b')).slice(0, -1)},"${key}":${deep}}]}`,
      )
      const error = refused(loadRegistry({ registry: repo.registryPath, cwd: repo.root, home: repo.root }))
      expect(error.code).toBe('REGISTRY_READ_FAILED')
      expect(error.message).toContain(`skills[0] (a.b).${key}: nested deeper than 64 levels`)
    },
  )

  test('keeps the fields that we do not know', () => {
    const repo = skillRepo(folder())
    repo.list([entryFor('a.b', { owner: { team: 'x' } })], { schemaVersion: 3, extra: true })
    expect(output(getSkill(repo.load(), 'a.b')).skill).toEqual(entryFor('a.b', { owner: { team: 'x' } }))
  })

  test('says line and column of what is not JSON', () => {
    const repo = skillRepo(folder())
    repo.write('skills/skills-registry.json', '{\n  "skills": [,]\n}')
    const error = refused(loadRegistry({ registry: repo.registryPath, cwd: repo.root, home: repo.root }))
    expect(error.message).toMatch(/is wrong in line 2, column 14: not valid JSON/)
  })
})

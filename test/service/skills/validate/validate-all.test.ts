import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { SkillsInvalid, SkillsValidated } from '../../../../src/contracts/skills/skill-commands.ts'
import { checkSkills } from '../../../../src/service/skills/validate/check-skill.ts'
import { validateAll, validateSkill } from '../../../../src/service/skills/validate/validate.ts'
import { entryFor, output, refused, skillRepo } from '../../../support/skills/skill-repo.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-validate-all-')

const repoOf = (count: number) => {
  const repo = skillRepo(folder())
  const entries = Array.from({ length: count }, (_, index) => entryFor(`com.lab.skill-${index}`))
  repo.list(entries)
  for (const entry of entries) repo.add(entry)
  return { ...repo, entries }
}

describe('all skills', () => {
  test('that are valid are listed in registry order, as one of them alone would be', async () => {
    const repo = repoOf(7)
    const registry = repo.load()
    const result = output(await validateAll({ registry, chunkSkills: 2 }))
    expect(result).toMatchObject({ valid: true, totalSkills: 7, registryPath: repo.registryPath })
    expect(result.validSkills).toEqual(
      repo.entries.map(({ id }) => {
        const { skill, checks } = output(validateSkill({ registry, skillId: id }))
        return { skill, checks }
      }),
    )
    expect(v.is(SkillsValidated, result)).toBe(true)
  })

  test('of an empty registry are valid', async () => {
    const repo = skillRepo(folder())
    repo.list([])
    expect(output(await validateAll({ registry: repo.load() }))).toMatchObject({ totalSkills: 0, validSkills: [] })
  })

  test('are checked each for itself: the broken ones are listed, and do not fail the whole', async () => {
    const repo = repoOf(5)
    repo.write('skills/com.lab.skill-1/skill.json', '{"id": ')
    repo.write('skills/com.lab.skill-3/skill.json', '[]')
    const result = await validateAll({ registry: repo.load(), chunkSkills: 2 })
    const error = refused(result)
    expect(error).toEqual({
      code: 'SKILL_VALIDATION_FAILED',
      message: '2 of 5 skills did not validate.',
      registryPath: repo.registryPath,
      details: {
        totalSkills: 5,
        validCount: 3,
        invalidCount: 2,
        failures: [1, 3].map(index => ({
          skillId: `com.lab.skill-${index}`,
          code: 'SKILL_VALIDATION_FAILED',
          message: expect.stringContaining(`com.lab.skill-${index}`),
        })),
      },
      hint: expect.any(String),
      retriable: false,
    })
    expect(v.is(SkillsInvalid, error)).toBe(true)
  })

  test('have their recipes looked at when that is asked for', async () => {
    const repo = skillRepo(folder())
    const entry = entryFor('a.b', { artifacts: ['skills/a.b/artifacts/x.recipe.json'] })
    repo.list([entry])
    repo.add(entry)
    repo.write('skills/a.b/artifacts/x.recipe.json', {})
    expect(await validateAll({ registry: repo.load() })).toMatchObject({ ok: true })
    expect(refused(await validateAll({ registry: repo.load(), dryRun: true })).details).toMatchObject({
      invalidCount: 1,
    })
  })
})

describe('the pieces', () => {
  test('are plain data, and may be done elsewhere, several at once and in any order', async () => {
    const repo = repoOf(9)
    repo.write('skills/com.lab.skill-4/skill.json', '[]')
    const waiting: (() => void)[] = []
    let most = 0
    const elsewhere = (chunk: Parameters<typeof checkSkills>[0]) =>
      new Promise<ReturnType<typeof checkSkills>>(resolve => {
        waiting.push(() => resolve(structuredClone(checkSkills(structuredClone(chunk)))))
        most = Math.max(most, waiting.length)
        if (waiting.length === 3) for (const go of waiting.splice(0).reverse()) go()
      })
    const registry = repo.load()
    const result = await validateAll({ registry, chunkSkills: 1, parallel: 3, runChunk: elsewhere })
    expect(result).toEqual(await validateAll({ registry }))
    expect(most).toBe(3)
  })

  test('are counted as they are done', async () => {
    const progress: [number, number][] = []
    await validateAll({
      registry: repoOf(5).load(),
      chunkSkills: 2,
      onProgress: (done, total) => progress.push([done, total]),
    })
    expect(progress).toEqual([
      [2, 5],
      [4, 5],
      [5, 5],
    ])
  })

  test('leave the process time for other things', async () => {
    const registry = repoOf(4).load()
    let turns = 0
    const count = () => {
      turns += 1
      if (turns < 100) setImmediate(count)
    }
    setImmediate(count)
    await validateAll({ registry, chunkSkills: 1 })
    expect(turns).toBeGreaterThanOrEqual(4)
  })

  test('that cannot be done, or come back with results missing, fail the whole with a reason', async () => {
    const registry = repoOf(2).load()
    const died = await validateAll({ registry, runChunk: () => Promise.reject(new Error('the worker died')) })
    expect(refused(died)).toMatchObject({ code: 'INTERNAL_ERROR', message: expect.stringContaining('the worker died') })
    expect(refused(await validateAll({ registry, runChunk: async () => [] })).code).toBe('INTERNAL_ERROR')
  })
})

test('many skills are valid, with their recipes and without', async () => {
  const registry = repoOf(100).load()
  for (const dryRun of [false, true]) expect(await validateAll({ registry, dryRun })).toMatchObject({ ok: true })
})

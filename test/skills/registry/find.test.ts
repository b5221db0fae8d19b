import { describe, expect, test } from 'vitest'
import { getSkill } from '../../../src/skills/registry/find.ts'
import { entryFor, output, refused, skillRepo } from '../../support/skill-repo.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-find-')

describe('one skill', () => {
  test('is found by its exact id; of two with one id the first counts', () => {
    const repo = skillRepo(folder())
    repo.list([entryFor('a.b', { summary: 'one' }), entryFor('a.b', { summary: 'two' })])
    expect(output(getSkill(repo.load(), 'a.b')).skill.summary).toBe('one')
  })

  test('that is not there is SKILL_NOT_FOUND, with the one that was probably meant', () => {
    const repo = skillRepo(folder())
    repo.list([entryFor('com.android.settings.battery-level')])
    for (const meant of ['com.android.settings.battery_level', 'COM.android.settings.battery-level', 'battery-level']) {
      expect(refused(getSkill(repo.load(), meant))).toMatchObject({
        code: 'SKILL_NOT_FOUND',
        details: { skillId: meant, registryPath: repo.registryPath },
        hint: 'Did you mean com.android.settings.battery-level?',
      })
    }
    for (const id of ['', '__proto__', 'x'.repeat(5_000)]) {
      const error = refused(getSkill(repo.load(), id))
      expect([error.code, error.message.length < 400]).toEqual(['SKILL_NOT_FOUND', true])
    }
  })
})

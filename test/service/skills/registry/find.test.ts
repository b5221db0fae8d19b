import { renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { cachedRegistry, getSkill } from '../../../../src/service/skills/registry/find.ts'
import { entryFor, output, refused, skillRepo } from '../../../support/skills/skill-repo.ts'
import { temporary } from '../../../support/temporary.ts'

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

const cachedFolder = temporary('svc-cached-')
const system = systemClock()
/** Looks at files long after they have changed. */
const later = { ...system, now: () => system.now() + 60_000 }

const repoWith = (id: string) => {
  const repo = skillRepo(cachedFolder())
  repo.list([entryFor(id)])
  return repo
}
const idOf = (cached: ReturnType<typeof cachedRegistry>) => {
  const loaded = cached.load()
  return loaded.ok ? loaded.registry.skills[0]?.id : loaded.error.code
}

describe('a registry that is kept', () => {
  test('is read once as long as its file stays the same', () => {
    const repo = repoWith('a.b')
    const cached = cachedRegistry({ cwd: repo.root, home: repo.root, clock: later })
    const first = cached.load()
    expect(first.ok && cached.load() === first).toBe(true)
  })

  test('is read again when the file was replaced, and when it was written in place', () => {
    const repo = repoWith('a.b')
    const cached = cachedRegistry({ cwd: repo.root, home: repo.root, clock: later })
    expect(idOf(cached)).toBe('a.b')
    const other = join(repo.root, 'other.json')
    writeFileSync(other, JSON.stringify({ skills: [entryFor('c.d')] }))
    utimesSync(other, 1, 1)
    renameSync(other, repo.registryPath)
    expect(idOf(cached)).toBe('c.d')
    repo.list([entryFor('e.f')])
    expect(idOf(cached)).toBe('e.f')
  })

  test('is not kept when its file has only just changed: the next change may bear the same time', () => {
    const repo = repoWith('a.b')
    const cached = cachedRegistry({ cwd: repo.root, home: repo.root, clock: system })
    const first = cached.load()
    expect(cached.load() === first).toBe(false)
  })

  test('is gone when its file is, and back with it; a failure is kept no longer', () => {
    const repo = repoWith('a.b')
    const cached = cachedRegistry({ registry: repo.registryPath, cwd: repo.root, home: repo.root, clock: later })
    expect(idOf(cached)).toBe('a.b')
    rmSync(repo.registryPath)
    expect(refused(cached.load())).toMatchObject({ code: 'REGISTRY_READ_FAILED' })
    repo.write('skills/skills-registry.json', '{}')
    expect(refused(cached.load()).message).toContain('skills array required')
    repo.list([entryFor('c.d')])
    expect(idOf(cached)).toBe('c.d')
  })
})

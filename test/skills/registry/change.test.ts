import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { withRegistryLock, writeEntry } from '../../../src/skills/registry/change.ts'
import { replaceFile } from '../../../src/skills/registry/replace.ts'
import { entryFor, skillRepo } from '../../support/skill-repo.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-change-')
const clock = systemClock()

describe('an entry is written', () => {
  test('with the others as they were, unknown fields included', () => {
    const repo = skillRepo(folder())
    const text =
      '{ "note":  1e400, "skills": [ {"id":"a.b","x":{"__proto__":1,"n":1.0}, "applicationId":"a", "intent":"b",\n"summary":"","path":"p","skillFile":"s","scripts":[],"artifacts":[]} ] }'
    repo.write('skills/skills-registry.json', text)
    expect(writeEntry(repo.registryPath, entryFor('c.d'))).toBeUndefined()
    const written = readFileSync(repo.registryPath, 'utf8')
    expect(written.startsWith(text.slice(0, text.lastIndexOf('}', text.length - 2) + 1))).toBe(true)
    expect(written.endsWith(' ] }')).toBe(true)
    expect(repo.load().skills.map(({ id }) => id)).toEqual(['a.b', 'c.d'])
  })

  test('not into what is not a registry', () => {
    const repo = skillRepo(folder())
    expect(writeEntry(repo.registryPath, entryFor('c.d'))).toBe('does not exist')
    repo.write('skills/skills-registry.json', '{"a": []}')
    expect(writeEntry(repo.registryPath, entryFor('c.d'))).toContain('skills')
    expect(readFileSync(repo.registryPath, 'utf8')).toBe('{"a": []}')
  })
})

describe('a file is replaced', () => {
  test('with its permissions, over what a crash left, and what others keep beside it stays', () => {
    const repo = skillRepo(folder())
    const path = repo.write('skills/r.json', 'old')
    chmodSync(path, 0o640)
    writeFileSync(join(dirname(path), '.svc-r.json.draft'), 'half written')
    writeFileSync(`${path}.draft`, 'mine')
    replaceFile(path, 'new')
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['new', 0o640])
    expect(readdirSync(dirname(path))).toEqual(['r.json', 'r.json.draft'])
  })

  test('where a symbolic link leads; a link in the way of the draft is not followed', () => {
    const repo = skillRepo(folder())
    const real = repo.write('real/r.json', 'old')
    const victim = repo.write('victim', 'mine')
    symlinkSync(victim, join(dirname(real), '.svc-r.json.draft'))
    const link = join(repo.root, 'link.json')
    symlinkSync(real, link)
    replaceFile(link, 'new')
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect([real, victim].map(path => readFileSync(path, 'utf8'))).toEqual(['new', 'mine'])
  })
})

test('two names of one registry have one lock', async () => {
  const repo = skillRepo(folder())
  repo.list([])
  const link = join(repo.root, 'link.json')
  symlinkSync(repo.registryPath, link)
  const inner = await withRegistryLock({ path: repo.registryPath, clock }, () =>
    withRegistryLock({ path: link, clock, waitMs: 30 }, () => 'entered'),
  )
  expect(inner).toMatchObject({ ok: true, value: { ok: false } })
})

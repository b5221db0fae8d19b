import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../../src/runtime/clock.ts'
import {
  appendEntry,
  replaceFile,
  withRegistryLock,
  writeEntry,
} from '../../../../src/service/skills/registry/change.ts'
import { propertyRuns } from '../../../support/property-runs.ts'
import { entryFor, skillRepo } from '../../../support/skills/skill-repo.ts'
import { temporary } from '../../../support/temporary.ts'

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

const added = entryFor('new.skill', { summary: 'Says "hi" in \\ and {braces} [too]' })
const extended = (text: string) => appendEntry(text, added) ?? ''

/** Both ends of the old text, around what was put in. */
const around = (before: string, after: string) => {
  let start = 0
  while (start < before.length && before[start] === after[start]) start += 1
  return { kept: before.slice(0, start), rest: before.slice(start) }
}

describe('an entry is added', () => {
  test('to a list of several lines, in its indentation', () => {
    const text = '{\n    "skills": [\n        {"id": "a"}\n    ],\n    "big": 12345678901234567890\n}\n'
    const result = extended(text)
    expect(result).toContain('        {"id": "a"},\n        {\n          "id": "new.skill",')
    expect(result).toMatch(/\n {8}\}\n {4}\],\n {4}"big": 12345678901234567890\n\}\n$/)
  })

  test('to an empty list, on one line or several', () => {
    const installed = extended('{"schemaVersion":"1.0","skills":[]}')
    expect(JSON.parse(installed)).toEqual({ schemaVersion: '1.0', skills: [added] })
    expect(installed.split('\n').length).toBeGreaterThan(10)
    expect(extended('{\n  "skills": [\n  ]\n}')).toMatch(/^\{\n {2}"skills": \[\n {4}\{\n[\s\S]*\n {4}\}\n {2}\]\n\}$/)
  })

  test('with the tabs and line ends of the file', () => {
    expect(extended('{\r\n\t"skills": [\r\n\t\t{}\r\n\t]\r\n}')).toMatch(
      /^\{\r\n\t"skills": \[\r\n\t\t\{\},\r\n\t\t\{\r\n\t\t\t"id"/,
    )
  })

  test('again and again, each after the other', () => {
    let text = '{"skills":[]}'
    for (let index = 0; index < 5; index++) text = appendEntry(text, entryFor(`a.s${index}`)) ?? ''
    expect(JSON.parse(text).skills.map(({ id }: { id: string }) => id)).toEqual([
      'a.s0',
      'a.s1',
      'a.s2',
      'a.s3',
      'a.s4',
    ])
    expect(new Set(text.split('\n').map(line => /^ */.exec(line)?.[0].length))).toEqual(new Set([0, 2, 4, 6]))
  })

  test.each([
    ['of two keys `skills` the last one counts', '{"skills": [{"id": "old"}], "skills": []}'],
    ['a key may be escaped', '{"\\u0073kills": [{"id": "x"}]}'],
    [
      'a `skills` deeper down is another',
      '{"a": {"skills": [1]}, "skills": [{"skills": [{"b": []}]}], "z": {"skills": []}}',
    ],
    ['brackets and quotes in strings are text', '{"a": "\\"skills\\": [", "skills": [{"b": "]}\\\\"}, {"c\\"": "["}]}'],
  ])('where JSON has the list: %s', (_, text) => {
    const before = JSON.parse(text)
    expect(JSON.parse(extended(text))).toEqual({ ...before, skills: [...before.skills, added] })
  })

  test('and nothing else is changed, whatever the file holds', () => {
    const entry = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 })
    const file = fc.record({
      before: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }),
      skills: fc.array(entry, { maxLength: 4 }),
      after: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }),
      indent: fc.constantFrom(0, 2, 4, '\t'),
    })
    fc.assert(
      fc.property(file, ({ before, skills, after, indent }) => {
        const text = JSON.stringify({ x: before, skills, y: after }, null, indent)
        const result = extended(text)
        const { kept, rest } = around(text, result)
        expect(result.endsWith(rest) && result.startsWith(kept)).toBe(true)
        expect(JSON.parse(result)).toEqual({ ...JSON.parse(text), skills: [...JSON.parse(text).skills, added] })
      }),
      { numRuns: propertyRuns(500) },
    )
  })

  test.each(['{}', '[]', '7', '{"skills": {}}', '{"a": {"skills": []}}'])('nowhere in %s', text => {
    expect(appendEntry(text, added)).toBeUndefined()
  })
})

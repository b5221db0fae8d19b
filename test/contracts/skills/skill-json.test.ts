import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { NewSkillId, RegistryEntry, RegistryFile } from '../../../src/contracts/skills/registry.ts'
import { SkillContract, SkillInputType, SkillJson } from '../../../src/contracts/skills/skill-json.ts'
import { accept, complaints } from '../parse.ts'
import { contract, entry } from '../samples/skills.ts'

const messages = (input: unknown) => v.safeParse(RegistryFile, input).issues?.map(issue => issue.message)

describe('registry', () => {
  test.each([null, [], 'text', {}, { skills: null }, { skills: {} }, { skills: 'a' }])(
    '%j has no skills array',
    input => {
      expect(messages(input)).toEqual(['Invalid registry: skills array required'])
    },
  )

  test('keys we do not know are kept', () => {
    const file = { schemaVersion: '1.0', generatedAt: 'now', owner: 'me', skills: [{ ...entry, stars: 5 }] }
    expect(accept(RegistryFile, file)).toEqual(file)
  })

  test.each(['id', 'applicationId', 'intent', 'summary', 'path', 'skillFile', 'scripts', 'artifacts'])(
    'an entry needs %s',
    key => {
      const rest = Object.fromEntries(Object.entries(entry).filter(([name]) => name !== key))
      expect(complaints(RegistryEntry, rest)).toEqual([key])
      expect(complaints(RegistryFile, { skills: [entry, rest] })).toEqual([`skills.1.${key}`])
    },
  )

  test('keywords are texts', () => {
    expect(accept(RegistryEntry, { ...entry, keywords: ['a'] }).keywords).toEqual(['a'])
    for (const keywords of ['a', [1], null]) expect(complaints(RegistryEntry, { ...entry, keywords })).not.toEqual([])
  })

  test('an existing id is taken as it is', () => {
    expect(accept(RegistryEntry, { ...entry, id: 'no dot at all' }).id).toBe('no dot at all')
  })
})

describe('the id of a new skill', () => {
  test.each(['a.b', 'com.android.settings.battery-level', 'A_1.b-2'])('%s', id => {
    expect(complaints(NewSkillId, id)).toEqual([])
  })
  test.each(['', 'nodot', '.a', 'a.', 'a..b', 'a b.c', 'a/b.c', '../a.b', 'ä.b', 'a.b\n'])('not %j', id => {
    expect(complaints(NewSkillId, id)).toEqual([''])
  })
})

describe('skill.json', () => {
  test('an entry is enough', () => expect(accept(SkillJson, entry)).toEqual(entry))

  test('agent and contract', () => {
    const json = { ...entry, agent: { cli: 'codex', timeoutMs: 300_000 }, contract, custom: [1] }
    expect(accept(SkillJson, json)).toEqual(json)
  })

  test.each([
    {},
    { cli: '' },
    { cli: ' ' },
    { cli: 'codex', timeoutMs: 0 },
    { cli: 'codex', timeoutMs: '1' },
    null,
    [],
  ])('an agent is not %j', agent => expect(complaints(SkillJson, { ...entry, agent })[0]).toMatch(/^agent/))
})

describe('contract', () => {
  test('what is not promised is null', () => {
    expect(accept(SkillContract, {})).toEqual({ inputs: {}, goal: null, verification: null })
  })

  test.each(['string', 'integer', 'integer[0,100]', 'integer[-5,-1]', 'integer[3,3]'])('the input type %s', type => {
    expect(complaints(SkillInputType, type)).toEqual([])
  })

  test.each([
    'number',
    'integer[]',
    'integer[1]',
    'integer[1, 2]',
    'integer[2,1]',
    'integer[1.5,2]',
    'String',
    '',
    null,
  ])('not the input type %j', type => expect(complaints(SkillContract, { inputs: { a: type } })).toEqual(['inputs.a']))

  test('a goal has a kind and whatever else', () => {
    expect(accept(SkillContract, { goal: { kind: 'a', b: 1 } }).goal).toEqual({ kind: 'a', b: 1 })
    expect(complaints(SkillContract, { goal: {} })).toEqual(['goal.kind'])
  })

  test('a verification is the one kind', () => {
    expect(complaints(SkillContract, { verification: { kind: 'pixels', matcher: 'a' } })).toEqual(['verification.kind'])
    expect(complaints(SkillContract, { verification: { kind: 'node_text_matches' } })).toEqual(['verification.matcher'])
  })
})

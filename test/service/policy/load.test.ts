/** A policy file that cannot be used says in plain words what is wrong, all of it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createPolicy } from '../../../src/service/policy/load.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-policy-')

const problemOf = (policy: unknown): string => {
  const path = join(folder(), 'policy.json')
  writeFileSync(path, JSON.stringify(policy))
  const loaded = createPolicy({ path, isNamed: true })()
  if (loaded.kind !== 'broken') throw new Error(loaded.kind)
  return loaded.problem
}

const rule = (more: object) => ({ rules: [{ id: 'a', effect: 'deny', ...more }] })

test.each<[string, unknown, string]>([
  ['an unknown key', rule({ action: ['click'] }), 'rules[0] has the unknown key "action" (did you mean actions?)'],
  ['an unknown key at the top', { rule: [] }, 'the file has the unknown key "rule" (did you mean rules?)'],
  ['a key like none', rule({ zzz: 1 }), 'rules[0] has the unknown key "zzz" (it may have id, effect, actions, '],
  [
    'a mistyped action',
    rule({ actions: ['clik'] }),
    'rules[0].actions[0] is "clik", which is no type of action (did you mean click?)',
  ],
  [
    'a pattern that fits nothing',
    rule({ actions: ['qqq*'] }),
    '"qqq*", which is no type of action, and no pattern that fits one',
  ],
  [
    'a mistyped effect',
    rule({ effect: 'denny' }),
    'rules[0].effect is "denny": it must be deny, confirm or allow (did you mean deny?)',
  ],
  ['no effect', { rules: [{ id: 'a' }] }, 'rules[0].effect is missing: it must be deny, confirm or allow'],
  ['no id', { rules: [{ effect: 'deny' }] }, 'rules[0].id is missing'],
  [
    'a mistyped caller',
    rule({ callers: ['clii'] }),
    'rules[0].callers[0] is "clii": it must be cli, http, mcp, webdriver, flow, skill or * (did you mean cli?)',
  ],
  ['a word for a list', rule({ devices: 'x' }), 'rules[0].devices is "x": it must be a list'],
  ['a list for the file', [], 'the file is a list: it must be an object'],
  ['an empty list', rule({ actions: [] }), 'rules[0].actions is a list: it is empty; leave the list out to mean any'],
  ['a reserved id', rule({ id: 'default' }), 'rules[0].id is "default": it is a name that refusals use themselves'],
  ['an empty id', rule({ id: '' }), 'rules[0].id is "": it must not be empty'],
  [
    'an id twice',
    { rules: [1, 2].map(() => ({ id: 'x', effect: 'deny' })) },
    'rules has several rules with the same id: "x"',
  ],
])('%s', (_name, policy, said) => {
  const problem = problemOf(policy)
  expect(problem).toContain(said)
  expect(problem).not.toMatch(/Expected|received|Invalid/)
})

test('up to ten problems are told, and how many more there are', () => {
  expect(problemOf(rule({ action: 1, effect: 'no' })).split('; ')).toHaveLength(2)
  const many = problemOf({ rules: Array.from({ length: 13 }, (_, n) => ({ id: `r${n}` })) }).split('; ')
  expect([many.length, many.at(-1)]).toEqual([11, 'and 3 more'])
})

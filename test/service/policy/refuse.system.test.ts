/** Every refusal of the policy is on record, however many there are at once. */
import { join } from 'node:path'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { PolicyRule } from '../../../src/contracts/policy.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { isAlive } from '../../../src/runtime/processes/processes.ts'
import { createRecordDenial, createRefuse, type Denial, denialOf } from '../../../src/service/policy/refuse.ts'
import { ready } from '../../support/ready.ts'
import { startProgram } from '../../support/run-program.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-refuse-')
const clock = systemClock()
const denial: Denial = {
  code: 'EXECUTION_DENIED',
  message: 'the rule says no',
  details: { rule: 'no', effect: 'deny', action: 'click', caller: 'cli' },
}
const ids = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}-${index}`)
const recorded = (journal: Journal) => journal.records({ actor: 'policy' }).map(({ event }) => event.commandId)

test.each(['no-clicks', 'default'])('a denial by %s says where the rules are and how to watch them', rule => {
  const facts = { action: 'click', caller: 'http', devices: ['d1'] } as const
  const { hint } = denialOf({ effect: 'deny', rule }, facts)
  expect(hint).toMatch(/`SVC_POLICY`, else policy\.json in the svc home.*svc watch policy/)
})

test.each(['webdriver', 'mcp'] as const)(
  'shell that is refused to %s comes with a rule to paste, which allows it',
  caller => {
    const facts = { action: 'shell', caller, devices: ['d1'] } as const
    const { hint } = denialOf({ effect: 'deny', rule: 'default', code: 'SHELL_DENIED' }, facts)
    const rule = JSON.parse(/this rule: (\{.*?\}) /.exec(hint ?? '')?.[1] ?? 'null')
    expect(v.parse(PolicyRule, rule)).toMatchObject({ effect: 'allow', actions: ['shell'], callers: [caller] })
  },
)

test('forty at once in one process', async () => {
  const notes: string[] = []
  const journal = openJournal({ path: join(folder(), 'journal.db'), alive: isAlive, clock })
  const refuse = createRefuse(createRecordDenial({ journal, clock, note: text => void notes.push(text) }))
  await Promise.all(ids('a', 40).map(commandId => refuse(denial, { commandId })))
  expect([recorded(journal), notes]).toEqual([ids('a', 40), []])
  journal.close()
})

test('thirty at once in each of four processes', async () => {
  const path = join(folder(), 'four.db')
  openJournal({ path, alive: isAlive, clock }).close()
  const names = ['a', 'b', 'c', 'd']
  const programs = names.map(name => startProgram('policy-denials', [path, name, '30']))
  await Promise.all(programs.map(({ child }) => ready(child)))
  for (const { child } of programs) child.stdin?.write('go\n')
  const ended = await Promise.all(programs.map(program => program.ended))
  expect(ended.map(({ code, stdout }) => [code, stdout])).toEqual(names.map(() => [0, 'ready\n[]']))
  const journal = openJournal({ path, alive: isAlive, clock })
  expect(recorded(journal).sort()).toEqual(names.flatMap(name => ids(name, 30)).sort())
  // Those of one process stand in the order in which they were refused.
  for (const name of names) {
    expect(recorded(journal).filter(id => String(id).startsWith(name))).toEqual(ids(name, 30))
  }
  journal.close()
})

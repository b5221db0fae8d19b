/** What the policy says of the start of a skill: at once where it can, and else when the device is found. */
import { expect, test } from 'vitest'
import { type Policy, Policy as PolicySchema } from '../../../src/contracts/policy.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import { createSkillPolicy, type SkillToRun } from '../../../src/service/policy/gates.ts'
import { createDeviceNames } from '../../../src/service/policy/policies.ts'
import { createRecordDenial, createRefuse } from '../../../src/service/policy/refuse.ts'
import { accept } from '../../contracts/parse.ts'
import { recordOf } from '../../support/runtime/records.ts'

const clock = systemClock()
const asking = (policy: object) => {
  const journal = memoryJournal({ alive: () => true, clock })
  const loaded = { kind: 'policy', path: '/policy.json', policy: accept(PolicySchema, policy) as Policy } as const
  const refuse = createRefuse(createRecordDenial({ journal, clock, note: () => {} }))
  const ask = createSkillPolicy({ load: () => loaded, refuse, namesOf: createDeviceNames(journal), journal })
  const event = { type: 'run.requested', skillId: 'com.example.outer' }
  void journal.append(recordOf('skill-run:outer', 0, { machine: 'skill-run', event, tags: ['in-flight'] }))
  return async (more: Partial<SkillToRun> = {}) =>
    (await ask({ skill: 'com.example.pay', runId: 'r1', caller: 'cli', ...more }))?.details?.rule
}
const found = (...serials: string[]) => ({ found: { serials: async () => serials, operator: 'svc.shell' } })

test('a rule for a device holds once the device is found, by either serial, named by the caller or not', async () => {
  for (const device of ['d1', 'HW1', 'HW*']) {
    const ask = asking({ rules: [{ id: 'no', effect: 'deny', actions: ['skill_run'], devices: [device] }] })
    expect([await ask(), await ask(found('d1', 'HW1')), await ask(found('d2', 'X')), await ask(found())]).toEqual([
      undefined,
      'no',
      undefined,
      undefined,
    ])
  }
})

test('a list of allowed devices denies nothing before the device is known', async () => {
  const ask = asking({ default: 'deny', rules: [{ id: 'yes', effect: 'allow', devices: ['HW1'] }] })
  expect([await ask(), await ask(found('d1', 'HW1')), await ask(found('d2', 'HW2'))]).toEqual([
    undefined,
    undefined,
    'default',
  ])
})

test('what is denied on every device is denied at once, and a question comes after every denial', async () => {
  const deny = { id: 'no', effect: 'deny', skills: ['com.example.*'] }
  const confirm = { id: 'ask', effect: 'confirm' }
  const ofDevice = { id: 'device', effect: 'deny', devices: ['d1'] }
  expect(await asking({ rules: [confirm, deny, ofDevice] })()).toBe('no')
  const ask = asking({ rules: [confirm, ofDevice] })
  expect([await ask(), await ask(found('d1')), await ask(found('d2'))]).toEqual([undefined, 'device', 'ask'])
})

test('a rule for an operator holds for the one that the device is given', async () => {
  const ask = asking({ rules: [{ id: 'no', effect: 'deny', operators: ['svc.shell'] }] })
  expect([await ask(), await ask(found('d1'))]).toEqual([undefined, 'no'])
})

test('the caller is a skill while the run that it names goes on, and over HTTP it never is', async () => {
  const ask = asking({ rules: [{ id: 'no', effect: 'deny', callers: ['skill'] }] })
  expect(await ask({ skillRunId: 'outer' })).toBe('no')
  expect(await ask({ skillRunId: 'other' })).toBeUndefined()
  expect(await ask({ caller: 'http', skillRunId: 'outer' })).toBeUndefined()
})

import { expect, test } from 'vitest'
import { failure } from '../../../src/contracts/failures/failures.ts'
import type { PolicyRule } from '../../../src/contracts/policy.ts'
import { createRecordingPolicy } from '../../../src/service/policy/gates.ts'
import type { LoadedPolicy } from '../../../src/service/policy/load.ts'

const asked = async (rules: readonly PolicyRule[], byDefault: 'allow' | 'deny' = 'allow') => {
  const loaded = { kind: 'policy', policy: { default: byDefault, rules } } as unknown as LoadedPolicy
  const denied: object[] = []
  const policy = createRecordingPolicy({
    load: () => loaded,
    refuse: async ({ message, details }) => {
      denied.push(details)
      return failure('EXECUTION_DENIED', message)
    },
    namesOf: serials => serials,
    journal: { last: () => undefined, records: () => [] },
  })
  const error = await policy({ caller: 'http', serials: async () => ['d1', 'SERIAL1'] })
  return error ? denied[0] : 'allowed'
}

const rule = (more: Partial<PolicyRule>): PolicyRule => ({ id: 'r', effect: 'deny', ...more }) as PolicyRule

test.each([
  ['a rule that names it', rule({ actions: ['record_screen'] })],
  ['a rule that denies what it shows', rule({ actions: ['take_screenshot'] })],
  ['a rule that denies the texts of the screen', rule({ actions: ['read_text'] })],
  ['a rule for some application', rule({ actions: ['snapshot'], packages: ['com.bank.*'] })],
  ['a rule for the device', rule({ devices: ['SERIAL1'] })],
])('%s denies it', async (_, denying) => {
  expect(await asked([denying])).toMatchObject({ rule: 'r', action: 'record_screen', deviceId: 'd1' })
})

test.each([
  ['no rule', []],
  ['a rule for another device', [rule({ devices: ['other'] })]],
  ['a rule for another caller', [rule({ callers: ['mcp'] })]],
  ['a rule for taps', [rule({ actions: ['click'] })]],
])('%s leaves it allowed', async (_, rules) => {
  expect(await asked(rules)).toBe('allowed')
})

test('where everything is denied, a rule must allow it by its name, for any application', async () => {
  const allow = (more: Partial<PolicyRule>) => rule({ effect: 'allow', ...more })
  expect(await asked([], 'deny')).toMatchObject({ rule: 'default' })
  expect(await asked([allow({ actions: ['snapshot'] })], 'deny')).toMatchObject({ rule: 'default' })
  expect(await asked([allow({ actions: ['record_screen'], packages: ['com.a'] })], 'deny')).toMatchObject({
    rule: 'default',
  })
  expect(await asked([allow({ actions: ['record_screen'] })], 'deny')).toBe('allowed')
})

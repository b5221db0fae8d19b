/** Policy files: what is accepted decides about every action, and the same after it was written again. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { CALLERS, KNOWN_ACTIONS, Policy } from '../../../src/contracts/policy.ts'
import {
  evaluateForAnyApp,
  evaluateForUnknownApp,
  evaluatePolicy,
  remaining,
} from '../../../src/service/policy/evaluate-policy.ts'
import { createPolicy } from '../../../src/service/policy/load.ts'
import { mutateJson } from '../mutate/json.ts'
import { expectSame, expectThat, type OpenTarget, type Target } from '../target.ts'

const POLICY = {
  default: 'deny',
  rules: [
    { id: 'no-bank', effect: 'deny', actions: ['click', 'enter_text'], packages: ['com.bank.*', '*pay*'] },
    { id: 'ask', effect: 'confirm', actions: ['uninstall_app'], callers: ['mcp', '*'], devices: ['emulator-*'] },
    { id: 'rest', effect: 'allow', actions: ['*'], skills: ['a.b.*'], operators: ['svc.shell'] },
  ],
}

/** Some of each: lists of a policy may be long, and each decision looks at them all. */
const ACTIONS = KNOWN_ACTIONS.filter((_, at) => at % 8 === 0)
const DOORS = CALLERS.filter((_, at) => at % 2 === 0)

const decisionsBy = (policy: Policy) =>
  ACTIONS.flatMap(action =>
    DOORS.map(caller => {
      const facts = { action, caller, devices: ['emulator-5554'], package: 'com.bank.x' } as Parameters<
        typeof evaluatePolicy
      >[1]
      evaluateForUnknownApp(policy, facts)
      evaluateForAnyApp(policy, facts)
      const decided = evaluatePolicy(policy, facts)
      expectSame('the decision of the rules that remain', evaluatePolicy(remaining(policy, facts), facts), decided)
      return decided
    }),
  )

const open = (): OpenTarget => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-fuzz-policy-'))
  return {
    read(input) {
      const path = join(folder, 'policy.json')
      writeFileSync(path, input)
      const loaded = createPolicy({ path, isNamed: true })()
      if (loaded.kind !== 'policy') {
        expectThat(loaded.kind === 'broken' && loaded.problem !== '', 'a broken policy without a reason')
        return 'refused'
      }
      const again = v.safeParse(Policy, JSON.parse(JSON.stringify(loaded.policy)))
      expectThat(again.success, 'a policy that was accepted, written and then refused')
      if (again.success) expectSame('the decisions', decisionsBy(again.output), decisionsBy(loaded.policy))
      return 'accepted'
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export const policies: Target = {
  name: 'policies',
  seeds: [JSON.stringify(POLICY), '{}', '{"rules":[{"id":"a","effect":"deny"}]}'],
  mutate: mutateJson,
  open,
}

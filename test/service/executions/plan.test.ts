import * as v from 'valibot'
import { expect, test } from 'vitest'
import { DryRunOutput, ValidateOnlyOutput } from '../../../src/contracts/executions/execution-result.ts'
import { plannedOutput } from '../../../src/service/executions/plan.ts'
import { around } from './payloads.ts'
import { acceptance } from './refusals.ts'

const execution = acceptance(
  around({ id: 'a', type: 'tap', params: { node: { textEquals: 'OK' } } }, { id: 'b', type: 'scroll' }),
)

test('--validate-only prints the execution as a device would get it', () => {
  const output = plannedOutput(execution, { validateOnly: true, dryRun: false })
  expect(output).toEqual({ ok: true, validated: true, execution })
  expect(v.parse(ValidateOnlyOutput, output)).toEqual(output)
})

test('--dry-run prints the plan', () => {
  const output = plannedOutput(execution, { validateOnly: false, dryRun: true })
  expect(output).toEqual({
    ok: true,
    dryRun: true,
    plan: { commandId: 'cmd-1', timeoutMs: 30_000, actionCount: 2, actions: execution.actions },
  })
  expect(v.parse(DryRunOutput, output)).toEqual(output)
})

test('neither: the execution is to be run; both: nothing is', () => {
  expect(plannedOutput(execution, { validateOnly: false, dryRun: false })).toBeUndefined()
  expect(plannedOutput(execution, { validateOnly: true, dryRun: true })).toHaveProperty('validated', true)
})

/** A test run in words: each flow that did not pass with its place and its hint, and one sentence for all. */
import { describe, expect, test } from 'vitest'
import { testRunText } from '../../../../src/surfaces/cli/text/test-run.ts'
import { displayWidth } from '../../../../src/surfaces/cli/text/visible.ts'
import { everyOutcome, FLOWS, flowOf, runOf } from '../../../service/flows/reports/sample-runs.ts'
import { pageFor } from './page-for.ts'

describe('a run', () => {
  test('that passed is one sentence', () => {
    const text = testRunText(pageFor(), runOf([flowOf(), flowOf({ name: 'Login' })], { verdict: 'passed' }))
    expect(text).toBe(
      '✓ 2 flows: 2 passed in 1 min 5 s.\n  Test run 0199f2b4-6c1e-7a51-9d52-4f8a8c5b7e10, files in /nowhere/runs/1',
    )
  })

  test('names for each failure the code, the message, the place, the line of the flow, the files and the hint', () => {
    const text = testRunText(pageFor(), runOf([FLOWS.failed]))
    expect(text.split('\n\n')[0]?.split('\n')).toEqual([
      '✗ Failed failed on emulator-5554 (flows/pay.yaml)',
      '✗ ASSERTION_FAILED: "Order confirmed" is not visible.',
      '  At       flows/pay.yaml:6',
      '  Command  - assertVisible: "Order confirmed"',
      '  Files    /nowhere/runs/1/pay/failure.png, /nowhere/runs/1/pay/log.txt',
      '  Receipt  svc executions show execution-3',
      '  Hint     Look at the screen of the failure.',
    ])
  })

  test('tells doubts, flaky flows and what was not run apart, by words and not by colour alone', () => {
    const text = testRunText(pageFor(), everyOutcome())
    expect(text).toContain('? In doubt is indeterminate on emulator-5554')
    expect(text).toContain('! Flaky passed in attempt 2 after ASSERTION_FAILED: "Order confirmed" is not visible.')
    expect(text).toContain('! Cancelled was cancelled on emulator-5554')
    expect(text).toContain('? Unfinished did not end on emulator-5554')
    expect(text).toContain('✗ Failed twice failed on R58M in attempt 2')
    expect(text).toContain(
      '✗ 9 flows: 2 passed (1 flaky), 3 failed, 1 indeterminate, 1 cancelled, 1 skipped, 1 unfinished in 1 min 5 s.',
    )
    expect(text).not.toContain('It is for iOS.')
  })

  test('that could not begin says why', () => {
    const error = { code: 'DEVICE_NOT_FOUND', message: 'There is no phone.', hint: 'Connect one.' }
    expect(testRunText(pageFor(), runOf([], { error }))).toMatch(
      /^✗ DEVICE_NOT_FOUND: There is no phone\.\n {2}Hint {2}Connect one\.\n\n✗ 0 flows/,
    )
  })

  test('lets no name control the terminal, and fits it', () => {
    const text = testRunText(pageFor({ width: 60 }), runOf([FLOWS.hostile]))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
    expect(text).not.toMatch(/[\0-\x08\x0b-\x1f\u202e]/)
    const hint = testRunText(pageFor({ width: 60 }), runOf([FLOWS.failed])).split('\n')
    expect(Math.max(...hint.slice(0, -1).map(displayWidth))).toBeLessThanOrEqual(80)
  })
})

/** A skill run that failed, in words: what its message says is said once, and its frame is for programs. */
import { expect, test } from 'vitest'
import { SKILL_RESULT_MARKER } from '../../../../src/contracts/skills/skill-result.ts'
import { skillText } from '../../../../src/surfaces/cli/skills/registry.ts'
import { skillRunText } from '../../../../src/surfaces/cli/skills/run.ts'
import { pageFor } from './page-for.ts'

type Output = Parameters<typeof skillRunText>[1]

const REASON = 'a value is missing: --query'
const failedRun = (stdout: string, warnings: readonly string[]) =>
  skillRunText(pageFor(), {
    status: 'failed',
    code: 'SKILL_EXECUTION_FAILED',
    message: `The skill ended with exit code 1: ${REASON}`,
    hint: 'Name it.',
    exitCode: 1,
    stdout,
    skillResult: { checkpoints: [], result: null, terminalVerification: null, diagnostics: { warnings } },
  } as unknown as Output)

test('a missing input is named once, and the result is not shown as JSON', () => {
  const text = failedRun(`before\n${SKILL_RESULT_MARKER}\n{"status":"failed"}\n`, [REASON])
  expect(text.split(REASON)).toHaveLength(2)
  expect(text).toContain('before')
  expect(text).not.toContain(SKILL_RESULT_MARKER)
  expect(text).not.toContain('{"status"')
})

test('other warnings are shown', () => expect(failedRun('', ['slow'])).toContain('slow'))

test('a skill is called with its inputs', () => {
  const skill = { id: 'a.b', scripts: [], artifacts: [], contract: { inputs: { noteTitle: 'string' } } }
  expect(skillText(pageFor(), { skill } as never)).toContain('svc skills run a.b --note-title <noteTitle>')
})

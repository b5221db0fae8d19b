/** What a caller is told of a run that the journal gave no answer about in time. */
import { expect, test } from 'vitest'
import { lateError } from '../../../../src/service/skills/run/finished-run.ts'
import type { LiveRun } from '../../../../src/service/skills/run/live-run.ts'

const run = (more: object) =>
  ({ request: { skillId: 'com.lab.do' }, timeoutMs: 5_000, started: {}, ...more }) as unknown as LiveRun

test.each<[string, object, string]>([
  ['never began', { started: undefined }, 'was not started'],
  ['still runs', {}, 'did not end'],
  ['has ended', { exit: { exitCode: 0, signal: null } }, 'ended, but that could not be recorded'],
])('one that %s', (_, more, said) => {
  expect(lateError(run(more))).toMatchObject({
    code: 'SKILL_EXECUTION_TIMEOUT',
    message: `Skill com.lab.do ${said} within its timeout of 5000 ms.`,
  })
})

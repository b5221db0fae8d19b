/** The hints in a run of flows, as each door says them. */
import { expect, test } from 'vitest'
import { runAt } from '../../../src/contracts/failures/result-hints.ts'
import type { FlowError, TestRun } from '../../../src/contracts/flows/test-run.ts'

const error: FlowError = { code: 'APP_NOT_FOUND', message: 'No app.', hint: 'See `GET /devices/<id>/apps`.' }
const command = {
  ...{ index: 0, depth: 0, name: 'launchApp', text: 'Launch', file: 'a.yaml', line: 3 },
  ...{ verdict: 'failed' as const, startedAt: 1, executionIds: [], error },
}
const attempt = { flowRunId: 'f', attempt: 1, deviceId: 'd', verdict: 'failed' as const, startedAt: 1, error }
const run: TestRun = {
  ...{ testRunId: 'r', state: 'ended', verdict: 'failed', startedAt: 1, folder: '/runs/r', error },
  flows: [
    {
      ...{ flow: 'a.yaml', name: 'a', tags: [], properties: {}, verdict: 'failed' },
      attempts: [{ ...attempt, commands: [command] }],
    },
  ],
}

test.each([
  ['cli', '`svc apps list`'],
  ['mcp', 'the tool apps'],
  ['http', '`GET /devices/<id>/apps`'],
] as const)('every error of a run speaks as %s does', (door, words) => {
  const hints = [...JSON.stringify(runAt(door, run)).matchAll(/"hint":"([^"]*)"/g)].map(([, hint = '']) => hint)
  expect(hints).toHaveLength(3)
  for (const hint of hints) expect(hint).toContain(words)
})

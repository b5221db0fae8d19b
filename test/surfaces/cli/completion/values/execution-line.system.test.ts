/** An execution on one line, as `svc` alone and completion show it. */
import { expect, test } from 'vitest'
import type { ExecutionSummary } from '../../../../../src/contracts/doors/viewer.ts'
import { summaryLine } from '../../../../../src/surfaces/cli/completion/values/shown-text.ts'

const interrupted: ExecutionSummary = {
  executionId: 'e1',
  commandId: 'click',
  taskId: 't',
  deviceId: 'd1',
  state: 'interrupted',
  acceptedAt: 1_000,
  dispatchedAt: 1_100,
  code: 'EXECUTION_INTERRUPTED',
  inDoubt: true,
  steps: [],
}

test('one in doubt may have happened, and is named by the id that commands take; one that was never sent has its code', () => {
  expect(summaryLine(interrupted, 3_000)).toBe('2 s ago: e1 on d1, it may have happened')
  const { inDoubt: _, dispatchedAt: __, ...unsent } = interrupted
  expect(summaryLine(unsent, 3_000)).toContain('EXECUTION_INTERRUPTED')
})

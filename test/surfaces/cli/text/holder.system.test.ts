/** A failure that names who has a device says it as people read it: times, and ids that only say who. */
import { expect, test } from 'vitest'
import { failureText } from '../../../../src/surfaces/cli/text/failure.ts'
import { createPage } from '../../../../src/surfaces/cli/text/page.ts'

const NOW = Date.UTC(2026, 4, 4, 12)
const ID = '0199f2b4-6c1e-7a51-9d52-4f8a8c5b7e10'

const shown = (width: number | undefined, details: object) => {
  const page = createPage({
    width,
    hasColours: false,
    now: NOW,
    offset: () => 0,
    tookMs: 0,
    given: {} as never,
    path: [],
  })
  return failureText(page, { code: 'EXECUTION_CONFLICT_IN_FLIGHT', message: 'It is taken.', details } as never)
}
const holder = { pid: 7, since: NOW - 180_000, leaseId: ID, sessionId: ID, expiresAt: NOW + 60_000 }

test('since when and until when, and by which session', () => {
  const text = shown(200, { holder })
  expect(text).toContain(
    'pid 7, since 11:57:00 (3 min ago), leaseId 0199f2b4…7e10, sessionId 0199f2b4…7e10, expiresAt 12:01:00',
  )
  expect(text).not.toContain(String(holder.since))
})

test('each of several holders', () => {
  const text = shown(200, {
    holders: [
      { deviceId: 'd1', ...holder },
      { deviceId: 'd2', ...holder },
    ],
  })
  expect(text.match(/since 11:57:00 \(3 min ago\)/g)).toHaveLength(2)
})

test('a pipe has the ids whole, and the id of an execution can be copied everywhere', () => {
  expect(shown(undefined, { holder })).toContain(`sessionId ${ID}`)
  expect(shown(200, { holder: { executionId: ID } })).toContain(`executionId ${ID}`)
})

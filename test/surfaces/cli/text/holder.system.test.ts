/** A failure that names who has a device says it as people read it: times, and ids that only say who. */

import { expect, test } from 'vitest'
import { failureText } from '../../../../src/surfaces/cli/text/failure.ts'
import { createPage } from '../../../../src/surfaces/cli/text/page.ts'
import { DEVICE_CONFLICT } from '../../../support/failure-codes.ts'

const NOW = Date.UTC(2026, 4, 4, 12)
const ID = '0199f2b4-6c1e-7a51-9d52-4f8a8c5b7e10'

const shown = (width: number | undefined, details: object, message = 'It is taken.') => {
  const page = createPage({
    width,
    hasColours: false,
    now: NOW,
    offset: () => 0,
    tookMs: 0,
    given: {} as never,
    path: [],
  })
  return failureText(page, { code: DEVICE_CONFLICT, message, details } as never)
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

test('who has reserved a device is said once, and its times are those of the reader', () => {
  const message = `Device d1 is reserved by lease ${ID} of ann on ci-3 until 2026-05-04T12:01:00.000Z: "nightly".`
  const { sessionId: _, ...reservation } = {
    ...holder,
    note: 'nightly',
    keptBy: { user: 'ann', machine: 'ci-3', pid: 7 },
  }
  expect(shown(200, { deviceId: 'd1', holder: reservation }, message).split('\n')).toEqual([
    `✗ EXECUTION_CONFLICT_IN_FLIGHT: Device d1 is reserved by lease ${ID} of ann on ci-3 until 12:01:00: "nightly".`,
    '  Holder  pid 7, since 11:57:00 (3 min ago)',
  ])
})

test('a reservation that is over is said to be so once', () => {
  const message = `The reservation ${ID} of d1 is over: it was given back at 2026-05-04T11:59:00.000Z.`
  const details = { leaseId: ID, ended: { why: 'released', at: NOW - 60_000 }, dispatched: false }
  expect(shown(200, details, message).split('\n')).toEqual([
    `✗ EXECUTION_CONFLICT_IN_FLIGHT: The reservation ${ID} of d1 is over: it was given back at 11:59:00.`,
    '  Nothing was sent to the device.',
  ])
})

test('what the message does not have as a whole word stays, and no time stops the text', () => {
  const message = 'Device d12 is taken since 2026-99-99T99:99:99.999Z.'
  expect(shown(200, { deviceId: 'd1' }, message)).toContain('Device id  d1')
})

test('the way in which a script failed stands in the message alone', () => {
  expect(shown(200, { kind: 'threw' }, 'The script failed (a.js:1): no')).not.toContain('threw')
})

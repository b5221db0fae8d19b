import { expect, test } from 'vitest'
import type { JournalRecord } from '../../../../src/contracts/records/journal.ts'
import { recordJson, recordLine } from '../../../../src/surfaces/cli/journal/transition-line.ts'

const record = (machine: string, event: { type: string }) =>
  ({ seq: 7, actor: `${machine}:a`, machine, event, from: 'x', to: 'y', at: 0 }) as never as JournalRecord
const line = (machine: string, event: { type: string }) => recordLine(record(machine, event))

test.each([
  [
    { type: 'command.begun', method: 'POST', path: '/element/e1/click', executionId: 'i1' },
    'method=POST  path=/element/e1/click  executionId=i1',
  ],
  [{ type: 'command.ended', error: 'no such element', executionIds: [] }, 'error="no such element"'],
  [{ type: 'command.ended', error: null, executionIds: [] }, 'y'],
  [{ type: 'phone.reserved', deviceId: 'd1', leaseId: 'l1' }, 'deviceId=d1'],
])('the line of a session says what came: %j', (event, told) => {
  expect(line('session', event).endsWith(told)).toBe(true)
})

test.each([
  [{ type: 'avd.observed', finding: 'running', serial: 'emulator-5554' }, 'finding=running  serial=emulator-5554'],
  [{ type: 'avd.observed', finding: 'absent', serial: null }, 'finding=absent'],
  [
    { type: 'tool.failed', code: 'ANDROID_SDK_UNAVAILABLE', message: 'adb is missing', details: null },
    'code=ANDROID_SDK_UNAVAILABLE  message="adb is missing"',
  ],
  [{ type: 'process.died', message: 'The emulator ended.', details: null }, 'message="The emulator ended."'],
])('the line of an emulator says why a request of it was refused or failed: %j', (event, told) => {
  expect(line('emulator', event).endsWith(told)).toBe(true)
})

test('paths of clients stay on their line', () => {
  const shown = line('session', { type: 'command.begun', method: 'GET', path: '/element/\n\u001b[2J/text' } as never)
  expect(shown).toContain('path="/element/\\n\\u001b[2J/text"')
  expect(shown.split('\n')).toHaveLength(1)
})

test('other machines say it with their states', () => {
  expect(line('device', { type: 'execution.dispatched', executionId: 'i1' } as never)).toMatch(/x -> y$/)
})

test('the JSON of a session has what its line has', () => {
  const begun = { type: 'command.begun', method: 'POST', path: '/element/e1/click', executionId: 'i1' }
  expect(JSON.parse(recordJson(record('session', begun)))).toMatchObject({
    actor: 'session:a',
    event: 'command.begun',
    details: { method: 'POST', path: '/element/e1/click', executionId: 'i1' },
  })
  expect(JSON.parse(recordJson(record('device', { type: 'execution.dispatched' })))).not.toHaveProperty('details')
})

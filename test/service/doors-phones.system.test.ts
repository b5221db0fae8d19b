/** Every door of one machine tells of a phone that is not ready, or fails, in the same way. */
import { describe, expect, test } from 'vitest'
import type { LabOptions } from '../support/executions/lab.ts'
import { execute, executionOf, nap, type Outcome, same, UNSENT } from './doors.ts'
import { localOfTests } from './doors-local.ts'

const accepted = (code: string, more: Partial<Outcome> = {}): Outcome => ({
  code,
  details: expect.objectContaining({ executionId: 'ID' }),
  ...UNSENT,
  ...more,
})
const refused = (code: string): Outcome => ({ code, details: expect.anything(), ...UNSENT })
const PHONE = { count: 1 }

describe.each<[string, LabOptions, Outcome]>([
  ['that has not allowed this computer', { ...PHONE, state: 'unauthorized' }, refused('DEVICE_UNAUTHORIZED')],
  ['that is locked', { ...PHONE, state: 'locked' }, refused('DEVICE_NOT_INTERACTIVE')],
  [
    'that answers nothing',
    { ...PHONE, faults: [{ after: 0, do: 'no-result', times: 4 }] },
    accepted('RESULT_ENVELOPE_TIMEOUT', { dispatched: true, sent: 1 }),
  ],
  [
    'that drops its link',
    { ...PHONE, faults: [{ after: 0, do: 'link-lost-before', times: 4 }] },
    accepted('DEVICE_LINK_LOST', { dispatched: true }),
  ],
])('a phone %s', (_name, options, outcome) => {
  const here = localOfTests(options)
  test('is told alike', async () => {
    const order = execute(executionOf([nap(1)], { timeoutMs: 1_000 }), here().phone(0))
    await same(here().withDaemon, () => order, outcome)
  })
})

describe('no phone that is ready', () => {
  const here = localOfTests({ ...PHONE, state: 'unauthorized' })
  test('is told alike', async () => {
    await same(here().withDaemon, () => execute(executionOf([nap(1)])), refused('NO_DEVICES'))
  })
})

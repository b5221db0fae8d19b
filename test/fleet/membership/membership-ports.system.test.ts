/** A host keeps its lease whatever else it is at. */
import { expect, test } from 'vitest'
import type { MembershipInput } from '../../../machines/membership/membership-setup.ts'
import { membershipPorts } from '../../../src/fleet/membership/membership-ports.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import type { PortTools } from '../../../src/runtime/port.ts'
import { until } from '../../support/until.ts'

test('a member renews its lease while what it begins with takes its time', async () => {
  const sent: unknown[] = []
  const stopped = new AbortController()
  let begin = () => {}
  let hasBegunToKeep = false
  const { keep } = membershipPorts({
    clock: systemClock(),
    begin: () =>
      new Promise<void>(resolve => {
        begin = resolve
      }),
    lease: () => ({
      keep: async () => {
        hasBegunToKeep = true
        return 'it lapsed'
      },
    }),
    lapse: async () => {},
  } as unknown as Parameters<typeof membershipPorts>[0])
  const tools = { send: async (event: unknown) => void sent.push(event), signal: stopped.signal }
  const kept = keep({ epoch: 1 } as MembershipInput, tools as unknown as PortTools)
  await until(() => hasBegunToKeep, 'the lease to be kept')
  begin()
  await kept
  expect(sent).toEqual([{ type: 'lease.lapsed', message: 'it lapsed' }])
})

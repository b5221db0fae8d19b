/** A process that is in no fleet itself, and what the member of its home has recorded of a phone. */
import { expect, test } from 'vitest'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import { thisProcess } from '../../../src/runtime/processes/processes.ts'
import { recordedFence } from '../../../src/service/executions/fence.ts'
import { manualClock } from '../../support/manual-clock.ts'

const PHONE = 'device:HW1'
const ACTOR = 'ownership:HW1'

const refusalAfter = async (to: string, event: { type: string; [key: string]: unknown }, isOwned = true) => {
  const clock = manualClock()
  const journal = memoryJournal({ alive: () => true, clock })
  if (isOwned) {
    const holder = { ...thisProcess(), instance: 'i' }
    await journal.leases.acquire({ key: ACTOR, holder, since: 1, note: {} })
  }
  const place = { actor: ACTOR, n: 0, machine: 'ownership', version: 1, at: 1, from: '', to, tags: [] }
  await journal.append({ ...place, event })
  return recordedFence(() => journal).refusal(PHONE, {})
}
const held = { type: 'phone.held', at: 1, host: 'lab2', epoch: 3 }
const lapsed = (isShared: boolean) => ({ type: 'lease.lapsed', at: 1, message: 'no quorum', isShared })

test('a phone of another host is refused, with its owner', async () => {
  expect(await refusalAfter('known.elsewhere', held)).toMatchObject({
    code: 'FLEET_HOST_GONE',
    details: { owner: 'lab2', dispatched: false },
  })
})

test('one that two hosts see is refused while this one cannot prove that it owns it', async () => {
  expect(await refusalAfter('known.doubtful', lapsed(true))).toMatchObject({ code: 'FLEET_UNREACHABLE' })
  expect(await refusalAfter('known.doubtful', lapsed(false))).toBeUndefined()
})

test('what a process knew of a fleet that has ended since counts no more', async () => {
  expect(await refusalAfter('known.elsewhere', held, false)).toBeUndefined()
})

test('a phone of this host is not refused', async () => {
  expect(await refusalAfter('known.owned', { type: 'phone.claimed', at: 1, epoch: 4 })).toBeUndefined()
})

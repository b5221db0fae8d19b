/** Who settles an actor that was left in flight takes the very key under which that actor is owned. */
import { expect, test } from 'vitest'
import type { Ownership } from '../../../src/contracts/records/journal.ts'
import { HeldError, type OwnershipRequest, withKeyOfActor } from '../../../src/runtime/ownership/ownership.ts'

const holder = { pid: 7, started: 's', instance: 'i' }
const leaseOf = (key: string, actor: string): Ownership => ({ key, fence: 1, holder, since: 0, note: { actor } })
const request: OwnershipRequest = {
  key: 'device:new',
  holder,
  since: 5,
  note: { actor: 'device:a' },
  unless: () => undefined,
}
const held = [leaseOf('phone:b', 'device:b'), leaseOf('phone:a', 'device:a')]

test('the key of its own actor, whichever else are held', () => {
  expect(withKeyOfActor('device:a', held, request)).toMatchObject({ key: 'phone:a', since: 5 })
})

test('the key that was asked for, where nobody owns the actor', () => {
  expect(withKeyOfActor('device:c', held, request)).toMatchObject({ key: 'device:new' })
})

test('whatever else is owned does not keep it from settling', () => {
  expect(withKeyOfActor('device:a', held, request).unless).toBeUndefined()
})

test('a key that another process has is refused with its name and that process', () => {
  expect(new HeldError(leaseOf('phone:b', 'device:b')).message).toBe('phone:b is held by process 7')
})

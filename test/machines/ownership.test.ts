import { describe, expect, test } from 'vitest'
import { ownership } from '../../machines/ownership.ts'
import type { StoredEvent } from '../../src/contracts/records/journal.ts'
import { given } from '../support/runtime/given.ts'

const event = (type: string, more: object = {}): StoredEvent => ({ type, at: 2_000, ...more })
const seen = event('phone.seen', { serial: 'emulator-5554' })
const claimed = (epoch = 7) => event('phone.claimed', { epoch })
const held = (host = 'other', epoch = 9) => event('phone.held', { host, epoch })
const freed = event('holder.gone', { host: 'other' })
const gone = event('phone.gone')
const released = event('phone.released')
const lapsed = event('lease.lapsed', { message: 'm', isShared: false })
const proven = event('lease.proven', { epoch: 8 })
const interrupted = event('request.interrupted')
const broken = event('port.failed', { port: 'claimPhone', message: 'm' })

const claiming = [seen]
const owned = [...claiming, claimed()]
const doubtful = [...owned, lapsed]
const elsewhere = [...claiming, held()]
const releasing = [...owned, gone]

const afterwards = (events: readonly StoredEvent[], next: StoredEvent) =>
  given(ownership, events, { phone: 'S1' }).when(next)

describe('what an event leads to', () => {
  test.each([
    ['a phone that is connected', [], seen, 'known.claiming'],
    ['a claim that was written', claiming, claimed(), 'known.owned'],
    ['another host that was first', claiming, held(), 'known.elsewhere'],
    ['a link that is lost while it is claimed', claiming, lapsed, 'known.doubtful'],
    ['a lease that lapsed', owned, lapsed, 'known.doubtful'],
    ['a lease that is proven again: a write decides anew', doubtful, proven, 'known.claiming'],
    ['an owner that is gone', elsewhere, freed, 'known.claiming'],
    ['a third owner', elsewhere, held('third', 11), 'known.elsewhere'],
    ['a phone of ours that is unplugged', owned, gone, 'releasing'],
    ['a phone of another host that is unplugged here', elsewhere, gone, 'releasing'],
    ['a broken driver', owned, broken, 'releasing'],
    ['a process that died', owned, interrupted, 'unowned'],
    ['a phone that is given back', releasing, released, 'unowned'],
    ['a process that died while it gave back', releasing, interrupted, 'unowned'],
    ['a driver that broke while it gave back', releasing, broken, 'unowned'],
  ] as const)('%s', (_, events, next, state) => {
    expect(afterwards(events, next).state).toBe(state)
  })

  test('a claim that arrives after its phone was unplugged owns nothing', () => {
    expect(afterwards([...claiming, gone], claimed())).toMatchObject({ state: 'releasing', context: { epoch: 0 } })
    expect(afterwards([...releasing, released], claimed(12)).state).toBe('unowned')
  })
})

describe('whose phone it is', () => {
  test('ours, under the epoch of the write', () => {
    expect(afterwards(claiming, claimed(7)).context).toMatchObject({ serial: 'emulator-5554', epoch: 7, holder: null })
  })

  test('that of another host, by whose epoch ours is too old', () => {
    expect(afterwards(claiming, held('other', 9)).context).toMatchObject({ epoch: 9, holder: 'other' })
    expect(afterwards(elsewhere, held('third', 11)).context).toMatchObject({ epoch: 11, holder: 'third' })
  })

  test('nobody’s that we know of, once its owner is gone or it is unplugged', () => {
    expect(afterwards(elsewhere, freed).context).toMatchObject({ holder: null })
    expect(afterwards([...elsewhere, gone], released).context).toMatchObject({ holder: null })
    expect(afterwards(elsewhere, interrupted).context).toMatchObject({ holder: null })
  })

  test('ours again after a claim that follows another owner', () => {
    expect(afterwards([...elsewhere, freed], claimed(12)).context).toMatchObject({ epoch: 12, holder: null })
  })
})

test('each port learns the phone, by which serial, and who has it under which epoch', () => {
  const phone = { phone: 'S1', serial: 'emulator-5554' }
  expect(afterwards([], seen).inputs).toEqual({ claimPhone: { ...phone, epoch: 0, holder: null } })
  expect(afterwards(claiming, held()).inputs).toEqual({ awaitHolder: { ...phone, epoch: 9, holder: 'other' } })
  expect(afterwards(owned, gone).inputs).toEqual({ releasePhone: { ...phone, epoch: 7, holder: null } })
  expect(afterwards(claiming, claimed()).inputs).toEqual({})
})

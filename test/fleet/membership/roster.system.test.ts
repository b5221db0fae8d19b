/** The roster of a fleet that changes while it is used: it must be the one that is made of what is known now. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FleetHostRecord } from '../../../src/contracts/fleet.ts'
import { devicesOf } from '../../../src/fleet/device-rows.ts'
import type { KnownHost } from '../../../src/fleet/directory.ts'
import { createRoster, type Roster } from '../../../src/fleet/membership/roster.ts'
import { place } from '../../../src/fleet/ownership/placement.ts'
import { recordOf } from '../rosters.ts'

const HOSTS = ['self', 'h1', 'h2', 'h3']
const SERIALS = ['a', 'b', 'c']
const PHONES = ['device:p', 'device:q', undefined]

const arbitraryDevices = fc.uniqueArray(
  fc.record({
    serial: fc.constantFrom(...SERIALS),
    state: fc.constantFrom('device', 'device', 'offline'),
    phone: fc.constantFrom(...PHONES),
    epoch: fc.integer({ min: 0, max: 3 }),
  }),
  { selector: ({ serial }) => serial },
)

const arbitraryChange = fc.record({
  host: fc.constantFrom(...HOSTS),
  /** Null: it is forgotten. */
  devices: fc.option(arbitraryDevices, { freq: 5 }),
  isAlive: fc.boolean(),
  busy: fc.subarray(SERIALS),
})

const world = () => {
  const known = new Map<string, KnownHost>()
  const alive = new Set<string>()
  let own: FleetHostRecord = recordOf('self')
  let ownBusy: string[] = []
  const roster = () =>
    createRoster({
      host: 'self',
      record: () => own,
      busy: () => ownBusy,
      directory: () => ({ hosts: () => [...known.values()], isAlive: host => alive.has(host) }),
    })
  const change = ({
    host,
    devices,
    isAlive,
    busy,
  }: typeof arbitraryChange extends fc.Arbitrary<infer T> ? T : never) => {
    const record = recordOf(host, {
      devices: (devices ?? []).map(({ phone, ...rest }) => ({
        ...rest,
        labels: {},
        ...(phone === undefined ? {} : { phone }),
      })),
    })
    if (host === 'self') {
      own = record
      ownBusy = busy
      return
    }
    if (!devices) known.delete(host)
    else known.set(host, { record, revision: 1, beat: { instance: '', revision: 1, head: 0, mirrored: 0, busy } })
    if (isAlive) alive.add(host)
    else alive.delete(host)
  }
  return { roster, change }
}

const ASKED = [undefined, 'any', ...SERIALS, ...SERIALS.flatMap(serial => HOSTS.map(host => `${serial}@${host}`))]
const answersOf = (roster: Roster) => ({
  devices: devicesOf(roster),
  placed: ASKED.map(deviceId => place(roster, deviceId)),
  busy: roster.hosts().map(({ id, busy }) => [id, [...busy]]),
})

test('one that followed every change answers as one that is made at the end', () => {
  fc.assert(
    fc.property(fc.array(arbitraryChange, { maxLength: 12 }), changes => {
      const { roster, change } = world()
      const following = roster()
      for (const each of changes) {
        change(each)
        following()
      }
      expect(answersOf(following())).toEqual(answersOf(roster()()))
    }),
  )
})

test('the devices of this host are asked what runs on them only where that counts', () => {
  let looks = 0
  const roster = createRoster({
    host: 'self',
    record: () => recordOf('self', { devices: [{ serial: 'a', state: 'device', labels: {} }] }),
    busy: () => {
      looks += 1
      return []
    },
    directory: () => undefined,
  })
  place(roster(), 'a')
  expect(looks).toBe(0)
  place(roster(), 'any')
  expect(looks).toBe(1)
})

/** When a host tells the others of itself, and when it has nothing new to say. */
import { expect, test } from 'vitest'
import { FLEET_PROTOCOL, type FleetHostRecord } from '../../src/contracts/fleet.ts'
import { BEAT_MS, PRESENCE_MS } from '../../src/contracts/fleet-limits.ts'
import { type AnnouncerOptions, createAnnouncer } from '../../src/fleet/announcer.ts'
import { namesOf } from '../../src/fleet/names.ts'
import { manualClock } from '../support/manual-clock.ts'

const names = namesOf('lab')

const recordOf = (state: string): FleetHostRecord => ({
  protocol: FLEET_PROTOCOL,
  host: 'h1',
  instance: 'i1',
  version: '1',
  pid: 1,
  startedAt: 0,
  draining: false,
  labels: {},
  devices: [{ serial: 'S1', state, labels: {} }],
})

const setUp = () => {
  const clock = manualClock()
  const beats: { revision: number; busy: string[] }[] = []
  const records: string[] = []
  let fails = false
  const connection = {
    isUp: () => true,
    nc: { publish: (_subject: string, text: string) => void beats.push(JSON.parse(text)) },
  } as unknown as ReturnType<AnnouncerOptions['connection']>
  const stores = {
    hosts: {
      async put(_key: string, text: string) {
        if (fails) throw new Error('no leader')
        return records.push(text)
      },
    },
  } as unknown as ReturnType<AnnouncerOptions['stores']>
  const announcer = createAnnouncer({ host: 'h1', names, clock, connection: () => connection, stores: () => stores })
  const look = async (state: string, busy: string[] = []) => {
    await announcer.tell(recordOf(state), { head: 1, mirrored: 1, busy })
    clock.advance(PRESENCE_MS)
  }
  const fail = (now: boolean) => {
    fails = now
  }
  return { look, beats, records, fail }
}

test('an unchanged host writes its record once and beats in time', async () => {
  const { look, beats, records } = setUp()
  const looks = 9
  for (let count = 0; count < looks; count += 1) await look('device')
  expect(records).toHaveLength(1)
  expect(beats).toHaveLength(Math.ceil((looks * PRESENCE_MS) / BEAT_MS))
  expect(new Set(beats.map(({ revision }) => revision))).toEqual(new Set([1]))
})

test('what changed is told at once: a record with its revision, and what is busy', async () => {
  const { look, beats, records } = setUp()
  await look('device')
  await look('offline')
  expect([records.length, beats.at(-1)?.revision]).toEqual([2, 2])
  await look('offline', ['S1'])
  expect([records.length, beats.at(-1)?.busy]).toEqual([2, ['S1']])
})

test('a record that was not taken is written again', async () => {
  const { look, beats, records, fail } = setUp()
  fail(true)
  await expect(look('device')).rejects.toThrow('no leader')
  fail(false)
  await look('device')
  expect([records.length, beats.length]).toEqual([1, 1])
})

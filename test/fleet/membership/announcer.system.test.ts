/** When a host tells the others of itself, and when it has nothing new to say. */
import { expect, test } from 'vitest'
import { FLEET_PROTOCOL, type FleetHostRecord } from '../../../src/contracts/fleet.ts'
import { BEAT_MS, PRESENCE_MS } from '../../../src/contracts/limits/fleet-limits.ts'
import { type AnnouncerOptions, createAnnouncer } from '../../../src/fleet/membership/announcer.ts'
import { namesOf } from '../../../src/fleet/servers/names.ts'
import { manualClock } from '../../support/manual-clock.ts'

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
  /** What stands in the bucket, oldest first; the place of each is its revision. */
  const records: string[] = []
  let answers: 'stored' | 'no leader' | 'zero' = 'stored'
  const late: (() => void)[] = []
  const connection = {
    isUp: () => true,
    nc: { publish: (_subject: string, text: string) => void beats.push(JSON.parse(text)) },
  } as unknown as ReturnType<AnnouncerOptions['connection']>
  const store = (text: string, previousSeq: number) => {
    if (previousSeq !== records.length) throw new Error('wrong last sequence')
    return records.push(text)
  }
  const stores = {
    hosts: {
      async get() {
        const newest = records.at(-1)
        if (newest === undefined) return null
        return { operation: 'PUT', revision: records.length, json: () => JSON.parse(newest) }
      },
      async put(_key: string, text: string, { previousSeq }: { previousSeq: number }) {
        if (answers === 'stored') return store(text, previousSeq)
        late.push(() => store(text, previousSeq))
        if (answers === 'zero') return 0
        throw new Error('no leader')
      },
    },
  } as unknown as ReturnType<AnnouncerOptions['stores']>
  const announcer = createAnnouncer({ host: 'h1', names, clock, connection: () => connection, stores: () => stores })
  const look = async (state: string, busy: string[] = []) => {
    await announcer.tell(recordOf(state), { head: 1, mirrored: 1, busy }).finally(() => clock.advance(PRESENCE_MS))
  }
  const answer = (now: typeof answers) => {
    answers = now
  }
  /** The leader stores after all what came while there was none. */
  const storeLate = () => {
    for (const one of late.splice(0)) one()
  }
  const stateOf = (text: string | undefined) => (JSON.parse(text ?? '{}') as FleetHostRecord).devices[0]?.state
  return { look, beats, records, answer, storeLate, newest: () => stateOf(records.at(-1)) }
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

test('a record that was not taken is written again, and the host is alive meanwhile', async () => {
  const { look, beats, records, answer } = setUp()
  answer('no leader')
  await expect(look('device')).rejects.toThrow('no leader')
  answer('stored')
  await look('device')
  expect([records.length, beats.map(({ revision }) => revision)]).toEqual([1, [0, 1]])
})

test.each(['no leader', 'zero'] as const)('a record that is stored late (%s) does not stand for ever', async how => {
  const { look, beats, records, answer, storeLate, newest } = setUp()
  await look('device')
  answer(how)
  await expect(look('offline')).rejects.toThrow()
  answer('stored')
  storeLate()
  expect(newest()).toBe('offline')
  await look('device')
  expect([newest(), beats.at(-1)?.revision]).toEqual(['device', records.length])
})

test('a record that is stored late does not stand above the one told after it', async () => {
  const { look, answer, storeLate, newest } = setUp()
  await look('device')
  answer('no leader')
  await expect(look('offline')).rejects.toThrow()
  answer('stored')
  await look('device')
  expect(storeLate).toThrow('wrong last sequence')
  expect(newest()).toBe('device')
})

test('of two records told at once, the later one stands', async () => {
  const { look, newest } = setUp()
  await Promise.all([look('device'), look('offline')])
  expect(newest()).toBe('offline')
})

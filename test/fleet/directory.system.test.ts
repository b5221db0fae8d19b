/** What a host knows of the others, and how often it has to read for that. */
import type { KV } from '@nats-io/kv'
import { afterEach, expect, test } from 'vitest'
import { DIRECTORY_SYNC_MS, HOST_SILENT_MS } from '../../src/contracts/limits/fleet-limits.ts'
import { createDirectory, type Directory, type DirectoryOptions } from '../../src/fleet/directory.ts'
import { namesOf } from '../../src/fleet/servers/names.ts'
import { manualClock } from '../support/manual-clock.ts'
import { recordOf } from './rosters.ts'

const names = namesOf('lab')
const HOSTS = Array.from({ length: 40 }, (_, index) => `h${index}`)

const open: Directory[] = []
afterEach(() => {
  for (const directory of open.splice(0)) directory.close()
})

const turns = async () => {
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate)
}

/** Buckets and beats in memory. */
const setUp = async () => {
  const clock = manualClock()
  const stored = new Map(HOSTS.map(host => [host, 1]))
  const reads: string[] = []
  let atOnce = 0
  let mostAtOnce = 0
  const hosts = {
    async get(id: string) {
      reads.push(id)
      atOnce += 1
      mostAtOnce = Math.max(mostAtOnce, atOnce)
      await new Promise(setImmediate)
      atOnce -= 1
      const revision = stored.get(id)
      if (revision === undefined) return { operation: 'DEL', revision: 99 }
      return { operation: 'PUT', revision, json: () => recordOf(id, { pid: revision }) }
    },
  } as unknown as KV
  const waiting: ((message: object) => void)[] = []
  const beats: object[] = []
  async function* subscribed() {
    for (;;) yield beats.shift() ?? (await new Promise<object>(resolve => void waiting.push(resolve)))
  }
  const subjects = (filter: string) =>
    filter.startsWith(`$KV.${names.hosts}.`)
      ? Object.fromEntries([...stored.keys()].map(id => [`$KV.${names.hosts}.${id}`, 1]))
      : {}
  const connection = {
    isUp: () => true,
    nc: { subscribe: () => Object.assign(subscribed(), { unsubscribe: () => {} }) },
    jsm: {
      streams: {
        info: async (_stream: string, { subjects_filter }: { subjects_filter: string }) => ({
          state: { subjects: subjects(subjects_filter) },
        }),
      },
    },
  } as unknown as DirectoryOptions['connection']
  const beat = async (id: string, revision: number) => {
    const said = { instance: `instance-of-${id}`, revision, head: 0, mirrored: 0, busy: [] }
    const message = { subject: names.beat(id), headers: undefined, json: () => said }
    const next = waiting.shift()
    if (next) next(message)
    else beats.push(message)
    await turns()
  }
  const directory = await createDirectory({ connection, names, hosts, owners: hosts, clock })
  open.push(directory)
  return { clock, stored, reads, beat, directory, mostAtOnce: () => mostAtOnce }
}

test('the records of all are read at the beginning, several at a time', async () => {
  const { directory, reads, mostAtOnce } = await setUp()
  expect(directory.hosts().map(({ record }) => record.host)).toEqual(HOSTS)
  expect(reads).toHaveLength(HOSTS.length)
  expect(mostAtOnce()).toBeGreaterThan(1)
  expect(mostAtOnce()).toBeLessThan(HOSTS.length)
})

test('of hosts whose beats say that nothing is new, nothing is read again', async () => {
  const { clock, stored, reads, beat, directory } = await setUp()
  clock.advance(DIRECTORY_SYNC_MS - HOST_SILENT_MS / 2)
  for (const host of HOSTS) if (host !== 'h3') await beat(host, 1)
  stored.set('h3', 2).set('new', 1)
  stored.delete('h5')
  reads.length = 0
  clock.advance(HOST_SILENT_MS / 2)
  await turns()
  expect([...reads].sort()).toEqual(['h3', 'h5', 'new'])
  expect(directory.host('h3')?.revision).toBe(2)
  expect(directory.host('new')).toBeDefined()
  expect(directory.host('h5')).toBeUndefined()
})

test('what a beat says is new is read at once', async () => {
  const { stored, reads, beat, directory } = await setUp()
  reads.length = 0
  stored.set('h7', 8)
  await beat('h7', 8)
  expect(reads).toEqual(['h7'])
  expect(directory.host('h7')).toMatchObject({ revision: 8, record: { pid: 8 } })
})

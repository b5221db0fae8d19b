/** Streams and buckets, for each call that a fleet uses. */
import { DiscardPolicy, type StreamConfig } from '@nats-io/jetstream'
import { Kvm } from '@nats-io/kv'
import { expect } from 'vitest'
import { readDirect } from '../../../src/fleet/direct-read.ts'
import { isFromSender } from '../../../src/fleet/log/message-origin.ts'
import { KeyRecord } from '../../../src/fleet/ownership/key-holds.ts'
import { cellOf } from '../../../src/fleet/servers/compare-and-set.ts'
import { createStorage } from '../../../src/fleet/servers/put.ts'
import { openStores } from '../../../src/fleet/servers/stores.ts'
import { type BenchTests, codeOf } from './bench.ts'

export const streamsContract = ({ onBench, until }: BenchTests): void => {
  onBench('stores are made once, and opened again', async (_, link, names) => {
    expect(await codeOf(link.jsm.streams.info(names.logStream))).toBe(10059)
    await openStores(link, names)
    const { state, created, config } = await link.jsm.streams.info(names.logStream)
    expect({ first: state.first_seq, last: state.last_seq, messages: state.messages }).toEqual({
      first: 0,
      last: 0,
      messages: 0,
    })
    expect(config).toMatchObject({ name: names.logStream, subjects: [names.log('*')], allow_direct: true })
    await openStores(link, names)
    expect((await link.jsm.streams.info(names.logStream)).created).toBe(created)
    expect(await link.jsm.getAccountInfo()).toMatchObject({ limits: {} })
  })

  onBench('a log begins where it is told', async (_, link, names) => {
    await openStores(link, names, { logFrom: 1_000 })
    const { state } = await link.jsm.streams.info(names.logStream)
    expect({ first: state.first_seq, last: state.last_seq }).toEqual({ first: 1_000, last: 999 })
    expect((await link.js.publish(names.log('one'), 'x')).seq).toBe(1_000)
  })

  onBench('a name or a subject that is in use is refused', async (_, link, names) => {
    const add = (config: Partial<StreamConfig>) => codeOf(link.jsm.streams.add({ ...config } as StreamConfig))
    await openStores(link, names)
    expect(await add({ name: names.logStream, subjects: ['elsewhere'], discard: DiscardPolicy.Old })).toBe(10058)
    expect(await add({ name: `${names.logStream}_2`, subjects: [names.log('one')] })).toBe(10065)
  })

  onBench('a bucket is written under its revision', async (_, link, names) => {
    const { owners } = await openStores(link, names)
    const first = await owners.put('a', '1', { previousSeq: 0 })
    expect(await codeOf(owners.put('a', '2', { previousSeq: 0 }))).toBe(10071)
    const other = await owners.put('b', '1', { previousSeq: 0 })
    expect(other).toBeGreaterThan(first)
    expect(await codeOf(owners.put('a', '2', { previousSeq: other }))).toBe(10071)
    const second = await owners.put('a', '2', { previousSeq: first })
    expect(second).toBeGreaterThan(other)
    const entry = await owners.get('a')
    expect([entry?.operation, entry?.revision, entry?.string()]).toEqual(['PUT', second, '2'])
    expect(await owners.get('never')).toBeNull()
    expect(await codeOf(owners.delete('a', { previousSeq: first }))).toBe(10071)
    await owners.delete('a', { previousSeq: second })
    const deleted = await owners.get('a')
    expect([deleted?.operation, (deleted?.revision ?? 0) > second]).toEqual(['DEL', true])
    expect(await codeOf(owners.put('a', '3', { previousSeq: 0 }))).toBe(10071)
    expect(await owners.put('a', '3', { previousSeq: deleted?.revision ?? 0 })).toBeGreaterThan(second)
    const opened = await new Kvm(link.js).open(names.owners)
    expect((await opened.get('a'))?.string()).toBe('3')
  })

  onBench('a cell says what became of a write', async (_, link, names) => {
    const { keys } = await openStores(link, names)
    const cell = cellOf(keys, 'key', KeyRecord)
    expect(await cell.read()).toEqual({ value: undefined, revision: 0 })
    const written = await cell.write({ host: 'h', serial: 's' }, 0)
    expect(await cell.write({ host: 'h', serial: 't' }, 0)).toEqual({ kind: 'conflict' })
    expect(written).toMatchObject({ kind: 'written', revision: 1 })
    expect(await cell.read()).toEqual({ value: { host: 'h', serial: 's' }, revision: 1 })
  })

  onBench('the keys of a bucket expire', async (bench, link, names) => {
    const bucket = await new Kvm(link.js).create(names.keys, { history: 1, ttl: 1_000 })
    const revision = await bucket.put('key', 'value', { previousSeq: 0 })
    await until(bench, async () => (await bucket.get('key')) === null)
    expect(await bucket.put('key', 'again', { previousSeq: 0 })).toBe(revision + 1)
  })

  onBench('the keys of a bucket are listed by a filter', async (_, link, names) => {
    const { owners } = await openStores(link, names)
    for (const key of ['lease.a', 'lease.b', 'phone.a']) await owners.put(key, '')
    const stream = `KV_${names.owners}`
    const { state } = await link.jsm.streams.info(stream, { subjects_filter: `$KV.${names.owners}.lease.*` })
    const keys = ['a', 'b'].map(host => `$KV.${names.owners}.lease.${host}`)
    expect(Object.keys(state.subjects ?? {}).sort()).toEqual(keys)
    const none = await link.jsm.streams.info(stream, { subjects_filter: `$KV.${names.owners}.none.*` })
    expect(none.state.subjects ?? {}).toEqual({})
  })

  onBench('a message is stored behind the one that is expected, and once by its id', async (_, link, names) => {
    await openStores(link, names)
    const subject = names.log('one')
    const publish = (data: string, lastSubjectSequence: number, msgID?: string) =>
      link.js.publish(subject, data, {
        ...(msgID === undefined ? {} : { msgID }),
        expect: { streamName: names.logStream, lastSubjectSequence },
      })
    expect(await publish('a', 0, 'id-1')).toMatchObject({ seq: 1, duplicate: false })
    expect(await link.js.publish(subject, 'a', { msgID: 'id-1' })).toMatchObject({ seq: 1, duplicate: true })
    // What is expected is looked at first, also for a message that is stored already.
    expect(await codeOf(publish('a', 0, 'id-1'))).toBe(10071)
    expect(await codeOf(publish('b', 0, 'id-2'))).toBe(10071)
    expect(await publish('b', 1, 'id-2')).toMatchObject({ seq: 2, duplicate: false })
    expect((await link.js.publish(names.log('two'), 'c')).seq).toBe(3)
    expect(await codeOf(link.js.publish(subject, 'd', { expect: { streamName: 'other' } }))).toBe(10060)
    expect(await codeOf(link.js.publish(`${subject}.nobody`, 'd'))).toMatch(/jetstream is not enabled/)
  })

  onBench('stored messages are read by their subject and by their sequence', async (_, link, names) => {
    await openStores(link, names)
    const storage = createStorage({ connection: link, clock: _.clock, signal: new AbortController().signal, note() {} })
    const message = { stream: names.logStream, subject: names.log('one'), headers: [['Svc-Seq', '7']] as const }
    expect(await storage.last(message.stream, message.subject)).toBeUndefined()
    expect(await storage.put({ ...message, data: 'text', expected: 0 })).toEqual({ kind: 'stored', seq: 1 })
    expect(await storage.put({ ...message, data: 'other', expected: 0 })).toMatchObject({
      kind: 'moved',
      last: { seq: 1 },
    })
    const found = await link.jsm.streams.getMessage(names.logStream, { last_by_subj: names.log('*') })
    expect([found?.seq, found?.string(), found?.header.get('Svc-Seq')]).toEqual([1, 'text', '7'])
    expect(isFromSender(found?.header, 'live')).toBe(true)
    expect((await link.jsm.streams.getMessage(names.logStream, { seq: 1 }))?.subject).toBe(names.log('one'))
    expect(await link.jsm.streams.getMessage(names.logStream, { seq: 2 })).toBeNull()
    expect(await codeOf(link.jsm.streams.getMessage('nowhere', { seq: 2 }))).toBe(10059)
  })

  onBench('only the newest message of a subject stays where that is the limit', async (_, link, names) => {
    await openStores(link, names)
    const subject = names.receipt('one', 'x')
    for (const data of ['a', 'b']) await link.js.publish(subject, data)
    await link.js.publish(names.receipt('one', 'y'), 'c')
    expect(await link.jsm.streams.getMessage(names.receiptStream, { seq: 1 })).toBeNull()
    const { state } = await link.jsm.streams.info(names.receiptStream)
    expect([state.messages, state.first_seq, state.last_seq]).toEqual([2, 2, 3])
  })

  onBench('a direct read gives pages in order', async ({ clock }, link, names) => {
    await openStores(link, names)
    const subject = names.log('*')
    const read = (from: number, messages: number, bytes = 1_000_000) =>
      readDirect(link, clock, { stream: names.logStream, subject, from, messages, bytes })
    expect(await read(1, 10)).toEqual([])
    for (let index = 1; index <= 5; index++)
      await link.js.publish(names.log(index % 2 === 0 ? 'two' : 'one'), `message ${index}`)
    const page = await read(2, 3)
    expect(page.map(({ seq, data }) => [seq, Buffer.from(data).toString()])).toEqual([
      [2, 'message 2'],
      [3, 'message 3'],
      [4, 'message 4'],
    ])
    expect(page.map(one => one.subject)).toEqual([names.log('two'), names.log('one'), names.log('two')])
    expect(page.every(({ headers }) => isFromSender(headers, 'direct'))).toBe(true)
    expect(page.every(({ headers }) => isFromSender(headers, 'live'))).toBe(false)
    expect(await read(6, 3)).toEqual([])
    expect((await read(1, 10, 1)).map(({ seq }) => seq)).toEqual([1])
    await expect(
      readDirect(link, clock, { stream: 'nowhere', subject, from: 1, messages: 1, bytes: 1 }),
    ).rejects.toThrow('no server has the log')
  })
}

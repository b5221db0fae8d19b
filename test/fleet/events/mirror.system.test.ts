/** The mirror and the reader of the log: what the log tells of a host is what its journal holds, in order and once. */
import { headers as createHeaders } from '@nats-io/transport-node'
import { describe, expect, test } from 'vitest'
import { type OutcomeParts, positionHeaders } from '../../../src/fleet/log/log-message.ts'
import type { Mirror } from '../../../src/fleet/log/mirror.ts'
import { lookupReceipt } from '../../../src/fleet/log/mirror-receipts.ts'
import { recordsAfter } from '../../../src/runtime/journal/reading.ts'
import { needs } from '../../support/needs.ts'
import { receiptOf, recordOf, resultOf } from '../../support/runtime/records.ts'
import { until, wait } from '../../support/until.ts'
import { clock, fill, followed, mirrored, mirrorOf, newJournal, readerOf, told, transitionsOf } from './mirroring.ts'
import { fleetServers } from './servers.ts'

const startServers = fleetServers()

describe.skipIf(!needs('nats-server'))('the mirror', () => {
  test('tells each host’s records once and in order, to each reader', async () => {
    const servers = await startServers(1)
    const journals = { a: newJournal(), b: newJournal() }
    const reader = followed(servers, await servers.connect('r'))
    const mirrors: Mirror[] = []
    for (const [host, journal] of Object.entries(journals)) {
      await fill(journal, 0, 20)
      mirrors.push(mirrorOf({ servers, connection: await servers.connect(host), journal, host }))
    }
    await Promise.all(Object.values(journals).map(journal => fill(journal, 20, 300)))
    await Promise.all(mirrors.map(mirror => mirrored(mirror)))
    await until(() => reader.entries.length >= 600, 'all of it')
    expect(transitionsOf(reader.entries, 'a')).toEqual(told(journals.a, 'a'))
    expect(transitionsOf(reader.entries, 'b')).toEqual(told(journals.b, 'b'))
    const positions = reader.entries.map(({ position }) => position)
    expect(positions).toEqual([...new Set(positions)].sort((x, y) => x - y))

    const late = followed(servers, await servers.connect('late'))
    await until(() => late.entries.length >= 600, 'all of it, later')
    expect(late.entries).toEqual(reader.entries)
    await Promise.all([...mirrors.map(mirror => mirror.close()), reader.end(), late.end()])
  })

  test('goes on where an earlier one was ended, wherever that was', async () => {
    const servers = await startServers(1)
    const connection = await servers.connect('a')
    const journal = newJournal()
    const reader = followed(servers, await servers.connect('r'))
    let n = 0
    for (let round = 0; round < 12; round++) {
      const mirror = mirrorOf({ servers, connection, journal })
      await fill(journal, n, n + 40)
      n += 40
      // Ends it at the start, in the middle of a publish, or after one.
      await wait(round * 3)
      await mirror.close()
    }
    const mirror = mirrorOf({ servers, connection, journal })
    await mirrored(mirror)
    await until(() => reader.entries.length >= n, 'all of it')
    expect(reader.entries.flatMap(({ gap }) => gap ?? [])).toEqual([])
    expect(transitionsOf(reader.entries)).toEqual(told(journal))
    await Promise.all([mirror.close(), reader.end()])
  })

  test('catches up with a long journal in messages of bounded size', async () => {
    const servers = await startServers(1)
    const journal = newJournal()
    await fill(journal, 0, 12_000)
    const mirror = mirrorOf({ servers, connection: await servers.connect('a'), journal })
    await mirrored(mirror)
    const connection = await servers.connect('r')
    const reader = followed(servers, connection)
    await until(() => reader.entries.length >= 12_000, 'all of it')
    expect(transitionsOf(reader.entries)).toEqual(told(journal))
    const { state } = await connection.jsm.streams.info(servers.names.logStream)
    expect(state.messages).toBeGreaterThanOrEqual(12)
    expect(state.messages).toBeLessThan(60)
    for (const message of await readerOf(servers, connection).read(0)) expect(message.bytes).toBeLessThan(260 * 1_024)
    await Promise.all([mirror.close(), reader.end()])
  })

  test('says what retention took before it was mirrored, and that another journal took the place of the first', async () => {
    const servers = await startServers(1)
    const connection = await servers.connect('a')
    const first = newJournal()
    await fill(first, 0, 5)
    const before = mirrorOf({ servers, connection, journal: first })
    await mirrored(before)
    await before.close()

    await fill(first, 5, 20)
    await first.saveCheckpoint({ actor: 'device:d1', n: 15, seq: 15, version: 1, snapshot: {} })
    await first.prune({ maxAgeMs: -1_000, maxBytes: 1, now: clock.now() })
    const kept = [...recordsAfter(first, 0, {})].map(({ seq }) => seq)
    expect(kept[0]).toBeGreaterThan(6)
    const pruned = mirrorOf({ servers, connection, journal: first })
    await mirrored(pruned)
    await pruned.close()

    const second = newJournal()
    await fill(second, 0, 30, 'device:d2')
    const after = mirrorOf({ servers, connection, journal: second })
    await mirrored(after)
    const reader = followed(servers, connection)
    await until(() => transitionsOf(reader.entries).length >= 5 + kept.length + 30, 'all of it')
    const gaps = reader.entries.flatMap(({ gap }) => gap ?? [])
    expect(gaps).toEqual([
      { reason: 'records-missing', host: 'a', from: 6, to: (kept[0] ?? 0) - 1 },
      { reason: 'journal-replaced', host: 'a' },
    ])
    const at = reader.entries.findIndex(({ gap }) => gap?.reason === 'journal-replaced')
    expect(transitionsOf(reader.entries.slice(at))).toEqual(told(second))
    expect(transitionsOf(reader.entries.slice(0, at)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, ...kept])
    await Promise.all([after.close(), reader.end()])
  })

  test('outcomes travel whole, large ones apart', async () => {
    const servers = await startServers(1)
    const connection = await servers.connect('a')
    const journal = newJournal()
    const outcome = (size: number): OutcomeParts => ({
      deviceId: 'd1',
      input: JSON.stringify({ text: 'ü'.repeat(10) }),
      result: JSON.stringify({ ok: true, deviceId: 'd1', envelope: { text: '→'.repeat(size) } }),
    })
    const outcomes = new Map([
      [2, outcome(10)],
      [3, outcome(900_000)],
      [4, outcome(60_000)],
      [5, outcome(60_000)],
      [6, outcome(60_000)],
    ])
    await fill(journal, 0, 8)
    const mirror = mirrorOf({ servers, connection, journal, outcomes })
    await mirrored(mirror)
    const reader = followed(servers, connection)
    await until(() => reader.entries.length >= 8, 'all of it')
    expect(transitionsOf(reader.entries)).toEqual(told(journal))
    const read = readerOf(servers, connection)
    for (const { transition, outcome } of reader.entries) {
      const expected = outcomes.get(transition?.seq ?? 0)
      expect(outcome && (await read.outcome(outcome))).toEqual(expected)
    }
    await Promise.all([mirror.close(), reader.end()])
  })

  test('passes by what another host had the servers write, and goes on behind it', async () => {
    const servers = await startServers(1)
    const [a, c] = [await servers.connect('a'), await servers.connect('c')]
    const { names } = servers
    const journal = newJournal()
    await fill(journal, 0, 10)
    const first = mirrorOf({ servers, connection: a, journal })
    await mirrored(first)
    const headers = createHeaders()
    for (const [name, value] of positionHeaders({ journal: 'other', seq: 5, digest: '' })) headers.set(name, value)
    const transition = { seq: 99, actor: 'device:d9', machine: 'device', event: 'x', from: '', to: '', at: 1 }
    await c.js.publish(names.log('c'), JSON.stringify({ entries: [transition] }), { headers })
    const forge = async () => {
      const { state } = await a.jsm.streams.info(names.logStream)
      c.nc.publish(`$JS.API.DIRECT.GET.${names.logStream}.${names.log('c')}`, '', { reply: names.log('a') })
      await expect.poll(async () => (await a.jsm.streams.info(names.logStream)).state.last_seq).toBe(state.last_seq + 1)
    }
    await forge()
    await fill(journal, 10, 20)
    await mirrored(first)
    await first.close()
    await forge()
    const second = mirrorOf({ servers, connection: a, journal })
    await fill(journal, 20, 30)
    await mirrored(second)
    const reader = followed(servers, await servers.connect('r'))
    await until(() => reader.entries.length >= 31, 'all of it')
    expect(reader.entries.flatMap(({ gap }) => gap ?? [])).toEqual([])
    expect(transitionsOf(reader.entries, 'a')).toEqual(told(journal))
    await Promise.all([second.close(), reader.end()])
  })

  test('the newest receipt of an execution can be looked up as soon as the log names it', async () => {
    const servers = await startServers(1)
    const connection = await servers.connect('a')
    const journal = newJournal()
    const mirror = mirrorOf({ servers, connection, journal })
    const write = (n: number, id: string, receipt: Parameters<typeof receiptOf>[1]) =>
      journal.append(recordOf('device:d1', n, { at: clock.now(), event: { type: 'e', executionId: id } }), {
        receipt: receiptOf(id, receipt),
      })
    await write(0, 'e1', { state: 'accepted', idempotency: { key: 'k', payload: 'p' } })
    await mirrored(mirror)
    const accepted = await lookupReceipt(connection, servers.names, 'e1')
    expect(accepted).toEqual({ ...receiptOf('e1'), host: 'a', outcome: 'unknown' })
    await mirror.close()

    // The next process knows nothing of what the first one has stored.
    const next = mirrorOf({ servers, connection, journal })
    await write(1, 'e1', { state: 'settled', result: resultOf('x') })
    const refused = { code: 'DEVICE_OFFLINE', message: 'x'.repeat(70_000), details: { inDoubt: false } }
    await write(2, 'e2', { state: 'settled', dispatchedAt: 2, result: { ok: false, error: refused } })
    await mirrored(next)
    expect(await lookupReceipt(connection, servers.names, 'e1')).toMatchObject({
      state: 'settled',
      result: resultOf('x'),
    })
    const large = await lookupReceipt(connection, servers.names, 'e2')
    expect(large).toMatchObject({ host: 'a', state: 'settled', resultOmitted: true, outcome: 'failed' })
    expect(large).not.toHaveProperty('result')
    expect(await lookupReceipt(connection, servers.names, 'e3')).toBeUndefined()
    await next.close()
  })
})

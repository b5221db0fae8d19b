/** Many readers, and readers that do not read: what they cost is bounded, and others do not feel them. */
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { openJournal } from '../../../../src/runtime/journal/sqlite.ts'
import { successOf } from '../../../support/executions/fake-executions.ts'
import { call, readEvents } from '../../../support/http/http-client.ts'
import { type FakeServer, startFake } from '../../../support/http/http-server.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { heldMegabytes } from '../../../support/memory.ts'
import { temporary } from '../../../support/temporary.ts'
import { until, wait } from '../../../support/until.ts'

const folder = temporary('svc-subscribers-')
let count = 0
const LARGE = 'node '.repeat(10_600)
let fake: FakeServer
const warnings: string[] = []
const warn = (warning: Error) => void warnings.push(String(warning))
beforeEach(async () => {
  warnings.length = 0
  process.on('warning', warn)
  const path = join(folder(), `${count++}`, 'journal.db')
  const journal = openJournal({ path, alive: () => true, clock: systemClock() })
  fake = await startFake({ journal: () => journal })
})
afterEach(async () => {
  process.off('warning', warn)
  await fake.server.close({ graceMs: 0 })
  fake.deps.journal().close()
})

const large = (server: FakeServer) => {
  let ran = 0
  server.executions.answer = request => {
    ran += 1
    return { executionId: `e${ran}`, deviceId: 'd1', result: successOf(request, LARGE) }
  }
}

const snapshot = () => call(`${fake.url}/snapshot`, { body: {} })
test('200 readers, each hears everything, and nobody is warned of anything', async () => {
  const readers = await Promise.all(Array.from({ length: 200 }, () => readEvents(`${fake.url}/events`)))
  for (let round = 0; round < 10; round++) await snapshot()
  for (const reader of readers) await reader.have(21)
  const [first] = readers
  for (const reader of readers) {
    expect(reader.events.slice(1)).toEqual(first?.events.slice(1))
    reader.close()
  }
  await wait(20)
  expect(warnings).toEqual([])
  expect(fake.notes).toEqual([])
})

test('a reader that stalls is dropped when it is 1,000 events behind, costs little, and can come back', async () => {
  large(fake)
  const stalled = await readEvents(`${fake.url}/events`)
  await stalled.have(1)
  const start = stalled.events[0]?.id ?? ''
  stalled.stall()
  const awake = await readEvents(`${fake.url}/events`)
  await snapshot()
  await awake.have(3)
  const produce = async (from: number, to: number) => {
    for (let count = from; count <= to; count++) {
      await snapshot()
      await awake.have(1 + 2 * count)
      // What the reader itself keeps is not the server's.
      for (const event of awake.events.slice(-4)) event.data = undefined
    }
  }
  const before = await heldMegabytes()
  await produce(2, 480)
  // 100 KB for each of them have gone by, and 8 MB are kept for readers that are a little behind.
  expect((await heldMegabytes()) - before).toBeLessThan(20)
  // Its socket held some before it counted as behind.
  await produce(481, 620)
  stalled.incoming.resume()
  await until(() => stalled.isOver(), 'the stalled reader to be dropped')
  expect(stalled.events.length).toBeLessThan(240)
  expect(awake.isOver()).toBe(false)
  const last = stalled.events.at(-1)?.id ?? start
  const back = await readEvents(`${fake.url}/events`, { 'Last-Event-ID': last })
  await back.have(1_241 - stalled.events.length + 1)
  expect(back.events.at(-1)?.id).toBe(awake.events.at(-1)?.id)
  awake.close()
  back.close()
  expect(fake.notes).toEqual([])
})

test('a slow reader that stays within 1,000 events gets everything', async () => {
  large(fake)
  const slow = await readEvents(`${fake.url}/events`)
  slow.stall()
  for (let count = 0; count < 150; count++) await snapshot()
  slow.incoming.resume()
  await slow.have(301)
  expect(new Set(slow.events.map(({ id }) => id)).size).toBe(301)
  slow.close()
})

test('a socket that takes nothing for a minute is given up though little happens', async () => {
  const clock = manualClock()
  const server = await startFake({ clock })
  large(server)
  const stalled = await readEvents(`${server.url}/events`)
  await stalled.have(1)
  stalled.stall()
  const post = () => call(`${server.url}/snapshot`, { body: {} })
  for (let count = 0; count < 150; count++) await post()
  const awake = await readEvents(`${server.url}/events`)
  for (let minute = 0; minute < 6; minute++) clock.advance(15_000)
  stalled.incoming.resume()
  await until(() => stalled.isOver(), 'the stalled reader to be dropped')
  await until(() => awake.comments.length > 3, 'comments for the other')
  awake.close()
  await server.server.close({ graceMs: 0 })
})

test('readers that leave without closing leave nothing behind', async () => {
  const clock = manualClock()
  const server = await startFake({ clock })
  for (let round = 0; round < 20; round++) {
    const readers = await Promise.all(Array.from({ length: 10 }, () => readEvents(`${server.url}/events`)))
    for (const reader of readers) reader.close()
  }
  await until(() => {
    clock.advance(1_000)
    return clock.pending() === 0
  }, 'nothing to be waited for')
  expect(warnings).toEqual([])
  await server.server.close({ graceMs: 0 })
})

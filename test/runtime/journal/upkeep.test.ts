import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { connect } from '../../../src/runtime/journal/connection.ts'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { pruneIfDue, startJournalUpkeep, type UpkeepTask } from '../../../src/runtime/journal/upkeep.ts'
import { doUpkeep } from '../../../src/start/upkeep-thread.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { recordOf } from '../../support/runtime/records.ts'
import { settled } from '../../support/settled.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-keep-')
const HOUR = 60 * 60 * 1_000
let count = 0

const setup = () => {
  const clock = manualClock(Date.now())
  const journal = memoryJournal({ alive: () => true, clock })
  const path = join(folder(), `${count++}.db`)
  const place = { n: 0, machine: 'm', version: 1, event: { type: 'x' }, from: '', to: 'y', tags: [] }
  const append = (actor: string) => journal.append({ ...place, actor, at: clock.now() })
  return { clock, journal, path, append }
}

describe('a command keeps the journal bounded', () => {
  test('if it is the first one in an hour', async () => {
    const { clock, journal, path, append } = setup()
    await append('old')
    clock.advance(10 * HOUR)
    await append('new')
    expect(await pruneIfDue({ journal, path, clock, maxAgeMs: HOUR })).toMatchObject({ records: 1 })
    expect(journal.actors().map(({ actor }) => actor)).toEqual(['new'])
    expect(await pruneIfDue({ journal, path, clock, maxAgeMs: HOUR })).toBeUndefined()
    expect(statSync(join(path, '..', 'journal.pruned')).mode & 0o777).toBe(0o600)
  })

  test('and does not fail where that cannot be done', async () => {
    const { clock, journal, path } = setup()
    clock.advance(20 * HOUR)
    journal.close()
    expect(await pruneIfDue({ journal, path, clock })).toBeUndefined()
  })
})

describe('a process that runs on', () => {
  test('has it pruned every hour and its WAL brought in when it is large, one task at a time, until it ends', async () => {
    const { clock, path, journal } = setup()
    clock.advance(40 * HOUR)
    const tasks: UpkeepTask[] = []
    let finish = () => {}
    const run = (task: UpkeepTask) => {
      tasks.push(task)
      return new Promise<void>((resolve, reject) => {
        finish = tasks.length === 1 ? () => reject(new Error('the thread died')) : resolve
      })
    }
    const second = async (times = 1) => {
      for (let i = 0; i < times; i++) {
        clock.advance(1_000)
        await settled()
      }
    }
    const end = startJournalUpkeep({ journal, path, clock, run })
    await second(3)
    expect(tasks).toMatchObject([{ path, prune: { retention: { now: expect.any(Number) } } }])
    finish()
    await second(3)
    expect(tasks).toHaveLength(1)
    writeFileSync(`${path}-wal`, Buffer.alloc(17 * 1_024 * 1_024))
    await second()
    expect(tasks[1]).toEqual({ path })
    writeFileSync(`${path}-wal`, '')
    finish()
    await settled()
    clock.advance(2 * HOUR)
    await second()
    expect(tasks[2]?.prune).toBeDefined()
    end()
    expect(clock.pending()).toBe(0)
  })

  test('has the WAL begun anew while it writes, so that it stays small', async () => {
    const path = join(folder(), 'written.db')
    const clock = manualClock(Date.now())
    const journal = openJournal({ path, alive: () => true, clock, hasUpkeep: true })
    const reader = connect(path)
    let bringsIn = Promise.resolve()
    const run = (task: UpkeepTask) => {
      const behindReader = async () => {
        // What is written while the thread is at work is left by it.
        reader.exec('BEGIN')
        reader.number('SELECT count(*) FROM records')
        for (let more = 0; more < 5; more++) await append()
        await doUpkeep(task)
        reader.exec('COMMIT')
      }
      bringsIn = task.prune ? Promise.resolve() : behindReader()
      return bringsIn
    }
    let n = 0
    const append = () => journal.append(recordOf('a', n++))
    const end = startJournalUpkeep({ journal, path, clock, run })
    let largest = 0
    while (n < 4_000) {
      for (let burst = 0; burst < 100; burst++) await append()
      clock.advance(250)
      await settled()
      await bringsIn
      largest = Math.max(largest, statSync(`${path}-wal`).size)
    }
    end()
    reader.close()
    journal.close()
    expect(largest).toBeLessThan(8 * 1_024 * 1_024)
  })
})

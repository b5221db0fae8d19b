import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import { pruneIfDue, startJournalUpkeep, type UpkeepTask } from '../../../src/runtime/journal/upkeep.ts'
import { manualClock } from '../../support/manual-clock.ts'
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
    const { clock, path } = setup()
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
    const end = startJournalUpkeep({ path, clock, run })
    await second(3)
    expect(tasks).toMatchObject([{ path, prune: { now: expect.any(Number) } }])
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
})

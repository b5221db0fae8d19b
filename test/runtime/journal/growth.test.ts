/** A journal that grows faster than the hour passes stays within its size. */
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Clock } from '../../../src/runtime/clock.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { pruneIfDue, startJournalUpkeep, type UpkeepTask } from '../../../src/runtime/journal/upkeep.ts'
import { doUpkeep } from '../../../src/start/upkeep-thread.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { recordOf } from '../../support/runtime/records.ts'
import { settled } from '../../support/settled.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-growth-')
let count = 0
/** In a folder of its own, as the stamp beside it. */
const newPath = (): string => {
  const own = join(folder(), `${count++}`)
  mkdirSync(own)
  return join(own, 'journal.db')
}
const MB = 1_024 * 1_024
const LIMIT = 8 * MB
/** With a sixteenth of the limit, a WAL of the size at which SQLite cuts it, and what is written between two looks. */
const BOUND = LIMIT + LIMIT / 16 + 16 * MB + 2 * MB
const BODY_BYTES = 20_000
const MINUTE = 60_000

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
const bothOf = (path: string) => sizeOf(path) + sizeOf(`${path}-wal`)

const setup = (hasUpkeep = true) => {
  const clock = manualClock(Date.now())
  const path = newPath()
  const journal = openJournal({ path, alive: () => true, clock, hasUpkeep })
  let n = 0
  /** A megabyte in fifty records of one actor, which a checkpoint covers unless told. */
  const write = async ({ isCovered = true } = {}) => {
    for (let more = 0; more < 50; more++) {
      const body = { n, text: 'x'.repeat(BODY_BYTES) }
      await journal.append(recordOf('device:a', n++, { at: clock.now(), body }))
    }
    if (!isCovered) return
    await journal.saveCheckpoint({ actor: 'device:a', n: n - 1, seq: n - 1, version: 1, snapshot: {} })
  }
  return { clock, path, journal, write }
}

/** The upkeep of a server, with what it had done; `look` gives it the time for it. */
const keep = ({ clock, path, journal }: Pick<ReturnType<typeof setup>, 'clock' | 'path' | 'journal'>) => {
  const prunes: UpkeepTask[] = []
  let done = Promise.resolve()
  const run = (task: UpkeepTask) => {
    if (task.prune) prunes.push(task)
    done = doUpkeep(task)
    return done
  }
  const end = startJournalUpkeep({ journal, path, clock, run, maxBytes: LIMIT })
  const look = async (ms: number) => {
    clock.advance(ms)
    await settled()
    await done
    await settled()
  }
  return { prunes, look, end }
}

describe('a process that runs on', () => {
  test('prunes as the journal grows, and the file gives back what was removed', async () => {
    const { clock, path, journal, write } = setup()
    const { look, end } = keep({ clock, path, journal })
    let largest = 0
    for (let round = 0; round < 60; round++) {
      await write()
      largest = Math.max(largest, bothOf(path))
      await look(MINUTE)
    }
    end()
    expect(largest).toBeLessThan(BOUND)
    journal.finishWal()
    expect(sizeOf(path)).toBeLessThanOrEqual(LIMIT + LIMIT / 16)
    expect(journal.head()).toBe(3_000)
    journal.close()
  })

  test('gives back all that is above the limit after a large growth', async () => {
    const { clock, path, journal, write } = setup()
    for (let round = 0; round < 30; round++) await write()
    journal.finishWal()
    expect(sizeOf(path)).toBeGreaterThan(LIMIT + 20 * MB)
    const { look, end } = keep({ clock, path, journal })
    await look(MINUTE)
    end()
    journal.finishWal()
    expect(sizeOf(path)).toBeLessThanOrEqual(LIMIT)
    journal.close()
  })

  test('looks for nothing to remove again before more has come', async () => {
    const { clock, path, journal, write } = setup()
    const { prunes, look, end } = keep({ clock, path, journal })
    for (let round = 0; round < 16; round++) await write({ isCovered: false })
    for (let looks = 0; looks < 10; looks++) await look(MINUTE)
    const before = prunes.length
    await journal.append(recordOf('device:b', 0, { at: clock.now() }))
    for (let looks = 0; looks < 10; looks++) await look(MINUTE)
    expect(prunes.length).toBe(before)
    // More than has room in the WAL that is there already.
    for (let round = 0; round < 20; round++) await write({ isCovered: false })
    await look(MINUTE)
    expect(prunes.length).toBe(before + 1)
    expect(journal.records({ actor: 'device:a', limit: 1 })[0]?.n).toBe(0)
    end()
    journal.close()
  })

  test('leaves it to another process that is at it, and takes over where that has died', async () => {
    const clock = manualClock(Date.now())
    const path = newPath()
    const journal = { head: () => 0, finishWal: () => {} }
    const start = () => {
      const tasks: UpkeepTask[] = []
      const run = (task: UpkeepTask) => {
        tasks.push(task)
        return new Promise<void>(() => {})
      }
      return { tasks, end: startJournalUpkeep({ journal, path, clock, run, maxBytes: LIMIT }) }
    }
    writeFileSync(path, Buffer.alloc(2 * LIMIT))
    const first = start()
    clock.advance(250)
    await settled()
    expect(first.tasks).toHaveLength(1)
    first.end()
    const second = start()
    clock.advance(MINUTE / 2)
    await settled()
    expect(second.tasks).toEqual([])
    clock.advance(MINUTE)
    await settled()
    expect(second.tasks).toHaveLength(1)
    second.end()
  })
})

/** Each reading of `elapsed` takes so long: a prune looks at a few windows in its time. */
const hurried = (clock: Clock): Clock => {
  let elapsed = 0
  return {
    ...clock,
    elapsed: () => {
      elapsed += 40
      return elapsed
    },
  }
}

const pruneUntilSmall = async (journal: Journal, path: string, clock: Clock): Promise<number> => {
  for (let commands = 0; commands < 100; commands++) {
    if (bothOf(path) <= LIMIT + LIMIT / 16) return commands
    await pruneIfDue({ journal, path, clock: hurried(clock), maxBytes: LIMIT })
    journal.finishWal()
  }
  return Number.POSITIVE_INFINITY
}

test('commands bound it, each going on where the last one had no more time', async () => {
  const { clock, path, journal, write } = setup(false)
  // More than one command can look at, and nothing of it may go.
  for (let n = 0; n < 3_000; n++) await journal.append(recordOf('device:old', n, { at: clock.now() }))
  for (let round = 0; round < 16; round++) await write()
  const commands = await pruneUntilSmall(journal, path, clock)
  expect(commands).toBeGreaterThan(1)
  expect(commands).toBeLessThan(100)
  expect(journal.records({ actor: 'device:old', limit: 3_000 })).toHaveLength(3_000)
  journal.close()
})

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { keepBounded, keepWatching } from '../../../src/runtime/journal/keep.ts'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-keep-')
const HOUR = 60 * 60 * 1_000

const setup = () => {
  const clock = manualClock(Date.now())
  const journal = memoryJournal({ alive: () => true, clock })
  const path = join(folder(), 'journal.db')
  const append = (actor: string) =>
    journal.append({
      actor,
      n: 0,
      machine: 'm',
      version: 1,
      at: clock.now(),
      event: { type: 'x' },
      from: '',
      to: 'y',
      tags: [],
    })
  return { clock, journal, path, append }
}

describe('the journal is kept bounded', () => {
  test('by whoever comes first in an hour', () => {
    const { clock, journal, path, append } = setup()
    append('old')
    clock.advance(10 * HOUR)
    append('new')
    expect(keepBounded({ journal, path, clock, maxAgeMs: HOUR })).toMatchObject({ records: 1 })
    expect(journal.actors().map(({ actor }) => actor)).toEqual(['new'])
    expect(keepBounded({ journal, path, clock, maxAgeMs: HOUR })).toBeUndefined()
    expect(statSync(join(path, '..', 'journal.pruned')).mode & 0o777).toBe(0o600)
  })

  test('by a process that runs on, every hour, until it is told to end', () => {
    const { clock, journal, path, append } = setup()
    keepBounded({ journal, path, clock })
    append('old')
    clock.advance(HOUR / 2)
    const end = keepWatching({ journal, path, clock, maxAgeMs: 1 })
    append('newest')
    clock.advance(2 * HOUR)
    expect(journal.actors().map(({ actor }) => actor)).toEqual(['newest'])
    end()
    expect(clock.pending()).toBe(0)
  })

  test('a journal that cannot be pruned now is no failure', () => {
    const { clock, journal, path } = setup()
    journal.close()
    expect(keepBounded({ journal, path, clock })).toBeUndefined()
  })
})

/** The lease law: one holder at a time on the whole host, whatever happens to the holders. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { isAlive, thisProcess } from '../../../src/runtime/processes/processes.ts'
import { linesIn, median } from '../../support/lines.ts'
import { propertyRuns } from '../../support/property-runs.ts'
import { ready } from '../../support/ready.ts'
import { runProgram, startProgram } from '../../support/run-program.ts'
import { temporary } from '../../support/temporary.ts'
import { until } from '../../support/until.ts'

interface Fact {
  by: string
  at: number
  enter?: number
  leave?: number
}

const folder = temporary('svc-leases-')
const LASTING_MS = propertyRuns(4_000, 1_500)
const clock = systemClock()
const open = (path: string) => openJournal({ path, alive: isAlive, clock })
const range = (length: number) => Array.from({ length }, (_, index) => index)

describe('eight processes that want one device', () => {
  test('hold it one at a time, with a fence that grows', async () => {
    const path = join(folder(), 'eight', 'journal.db')
    const log = join(folder(), 'eight.log')
    // Nobody has made the journal: all of them try.
    const ended = await Promise.all(
      range(8).map(index => runProgram('lease-contender', [path, log, `c${index}`, String(LASTING_MS)])),
    )
    for (const { code, stderr } of ended) expect([code, stderr]).toEqual([0, ''])
    const facts = linesIn<Fact>(log)
    const entries = facts.filter((_, index) => index % 2 === 0)
    const exits = facts.filter((_, index) => index % 2 === 1)
    expect(entries.every(({ enter }) => enter !== undefined)).toBe(true)
    expect(exits.map(({ by, leave }) => [by, leave])).toEqual(entries.map(({ by, enter }) => [by, enter]))
    expect(entries.map(({ enter }) => enter)).toEqual(range(entries.length).map(index => index + 1))
    const holders = new Set(facts.map(({ by }) => by)).size
    console.log(`one device, 8 processes, ${LASTING_MS} ms: ${entries.length} grants, ${holders} of 8 processes had it`)
    expect(entries.length).toBeGreaterThan(20)
    expect(holders).toBeGreaterThan(1)
  })
})

describe('a holder', () => {
  test('that is killed is replaced at once', async () => {
    const path = join(folder(), 'killed', 'journal.db')
    const log = join(folder(), 'killed.log')
    open(path).close()
    const rivals = range(2).map(index => startProgram('lease-contender', [path, log, `r${index}`, '20000', 'hold']))
    const times: number[] = []
    const entered = () => linesIn<Fact>(log).filter(({ enter }) => enter !== undefined)
    for (let round = 1; round <= 4; round++) {
      await until(() => entered().length >= round, `grant ${round}`)
      const holder = Number(entered().at(-1)?.by.slice(1))
      const killedAt = clock.now()
      rivals[holder]?.child.kill('SIGKILL')
      await until(() => entered().length > round, `a heir of grant ${round}`)
      times.push((entered().at(-1)?.at ?? Number.NaN) - killedAt)
      rivals[holder] = startProgram('lease-contender', [path, log, `r${holder}`, '20000', 'hold'])
    }
    console.log(`a killed holder is replaced within: median ${median(times)} ms, worst ${Math.max(...times)} ms`)
    expect(Math.max(...times)).toBeLessThan(5_000)
    expect(linesIn<Fact>(log).map(({ enter }) => enter)).toEqual([1, 2, 3, 4, 5])
    for (const { child, ended } of rivals) {
      child.kill('SIGKILL')
      await ended
    }
  })

  test('is not mistaken for a later process with its pid', async () => {
    const path = join(folder(), 'recycled', 'journal.db')
    const journal = open(path)
    const live = startProgram('journal-watcher', [path, '1'])
    await ready(live.child)
    const gone = { pid: live.child.pid ?? 0, started: `${thisProcess().started}0`, instance: 'gone' }
    const request = { key: 'device', since: clock.now(), note: {} }
    expect((await journal.leases.acquire({ ...request, holder: gone })).granted).toBe(true)
    expect(await journal.leases.acquire({ ...request, holder: { ...thisProcess(), instance: 'new' } })).toMatchObject({
      granted: true,
      lease: { fence: 2 },
    })
    live.child.kill('SIGKILL')
    await live.ended
    journal.close()
  })
})

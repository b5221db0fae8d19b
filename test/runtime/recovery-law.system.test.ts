/**
 * The recovery law: whenever a host is killed, the next one marks the execution interrupted with the right `dispatched`,
 * repeats no effect, and finds every record that was acknowledged before the kill.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { openJournal } from '../../src/runtime/journal/sqlite.ts'
import { isAlive } from '../../src/runtime/processes/processes.ts'
import { runProgram } from '../support/run-program.ts'

/** What three undisturbed executions append: creation, then request, two dispatches and a settling for each. */
const APPENDS = 12

interface Fact {
  acknowledged?: number
  type?: string
  effect?: string
  segment?: number
  recovered?: string[]
  answer?: string
  done?: number
}

const factsIn = (log: string): Fact[] =>
  readFileSync(log, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Fact)

const inFolder = async (run: (folder: { path: string; log: string }) => Promise<void>) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-recovery-'))
  try {
    await run({ path: join(folder, 'journal', 'journal.db'), log: join(folder, 'facts') })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const read = (path: string) => {
  const journal = openJournal({ path, alive: isAlive, clock: systemClock() })
  const records = journal.records({ actor: 'device:d1' })
  const receipts = journal.receipts()
  const leases = journal.leases.list()
  journal.close()
  return { records, receipts, leases }
}

describe('a host killed after', () => {
  test.concurrent.each([...Array(APPENDS).keys()].map(index => index + 1))('append %i', async killAt => {
    await inFolder(async ({ path, log }) => {
      const killed = await runProgram('recovery-host', [path, log, String(killAt)])
      expect(killed.signal).toBe('SIGKILL')
      const before = factsIn(log)
      const acknowledged = before.flatMap(fact => fact.acknowledged ?? [])
      expect(acknowledged).toHaveLength(killAt)
      const last = before.findLast(fact => fact.acknowledged !== undefined)
      const open = last?.type !== 'execution.settled'

      const next = await runProgram('recovery-host', [path, log, 'never'])
      expect(next).toMatchObject({ code: 0, signal: null })
      const facts = factsIn(log)
      expect(facts.findLast(fact => fact.recovered)?.recovered).toEqual(open ? ['device:d1'] : [])

      const { records, receipts, leases } = read(path)
      // One that died between settling and giving back left a grant behind; it binds nobody.
      expect(leases.filter(lease => open || isAlive(lease.holder))).toEqual([])
      expect(records.map(record => record.seq)).toEqual(expect.arrayContaining(acknowledged))
      expect(records.map(record => record.n)).toEqual([...records.keys()])
      expect(receipts.filter(({ state }) => state === 'accepted' || state === 'dispatched')).toEqual([])

      const dispatched = last?.type === 'execution.dispatched'
      const interrupted = receipts.filter(({ state }) => state === 'interrupted')
      expect(interrupted).toHaveLength(open ? 1 : 0)
      if (open) {
        expect(interrupted[0]?.result).toMatchObject({
          ok: false,
          error: { code: 'EXECUTION_INTERRUPTED', details: { dispatched } },
        })
      }
      const effects = facts.flatMap(({ effect, segment }) => (effect ? [`${effect}.${segment}`] : []))
      expect(new Set(effects).size).toBe(effects.length)
      // An effect without its record would be the one lie this journal must never tell.
      const recorded = records.filter(({ event }) => event.type === 'execution.dispatched')
      const allowed = recorded.map(({ event }) => `${event.executionId}.${event.segment}`)
      expect(effects.filter(effect => !allowed.includes(effect))).toEqual([])
    })
  })

  test('nothing at all: three executions, each effect once', async () => {
    await inFolder(async ({ path, log }) => {
      expect(await runProgram('recovery-host', [path, log, '0'])).toMatchObject({ code: 0 })
      expect(factsIn(log).at(-1)).toEqual({ done: APPENDS })
      expect(read(path).receipts.map(({ state }) => state)).toEqual(['settled', 'settled', 'settled'])
    })
  })
})

/** Work that has no actor: one process at a time has its key, and a dead one keeps it from nobody. */
import { expect, test } from 'vitest'
import { LEASE_RENEW_MS } from '../../src/contracts/limits/limits.ts'
import { createHost } from '../../src/runtime/host.ts'
import { memoryJournal } from '../../src/runtime/journal/memory.ts'
import { manualClock } from '../support/manual-clock.ts'
import { settled } from '../support/settled.ts'

const KEY = 'workspace'

const bench = () => {
  const clock = manualClock()
  const dead = new Set<number>()
  const journal = memoryJournal({ alive: ({ pid }) => !dead.has(pid), clock })
  const hostOf = (pid: number, own = journal) =>
    createHost({
      ...{ journal: own, clock, definitions: {}, ports: {} },
      holder: { pid, started: `s${pid}`, instance: `i${pid}` },
    })
  return { clock, dead, journal, hostOf }
}

/** Work that goes on until it is let go. */
const unending = () => {
  let end = () => {}
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  return { work: () => ended, end }
}

test('two processes never work under one key at once, and the key is free afterwards', async () => {
  const { journal, hostOf } = bench()
  const { work, end } = unending()
  const first = hostOf(1).whileOwned(KEY, { what: 'first' }, work)
  await settled()
  let isDone = false
  const second = async () => {
    isDone = true
  }
  expect(await hostOf(2).whileOwned(KEY, {}, second)).toBe(false)
  expect([isDone, journal.leases.owner(KEY)?.note]).toEqual([false, { what: 'first' }])
  end()
  expect(await first).toBe(true)
  expect(await hostOf(2).whileOwned(KEY, {}, second)).toBe(true)
  expect([isDone, journal.leases.list()]).toEqual([true, []])
})

test('work that fails gives the key back, and its failure is told', async () => {
  const { journal, hostOf } = bench()
  const failing = hostOf(1).whileOwned(KEY, {}, () => Promise.reject(new Error('broken work')))
  await expect(failing).rejects.toThrow('broken work')
  await settled()
  expect(journal.leases.list()).toEqual([])
})

test('long work keeps its grant renewed, and nothing is renewed after its end', async () => {
  const { clock, journal, hostOf } = bench()
  const renewed: string[] = []
  const renew: typeof journal.leases.renew = grants => {
    renewed.push(...grants.map(({ key }) => key))
    return journal.leases.renew(grants)
  }
  const { work, end } = unending()
  const host = hostOf(1, { ...journal, leases: { ...journal.leases, renew } })
  const working = host.whileOwned(KEY, {}, work)
  await settled()
  clock.advance(LEASE_RENEW_MS)
  await settled()
  expect(renewed).toContain(KEY)
  end()
  await working
  renewed.length = 0
  clock.advance(10 * LEASE_RENEW_MS)
  await settled()
  expect([renewed, clock.pending()]).toEqual([[], 0])
})

test('the keys of dead processes are free after a recovery of all, and those of living ones are not', async () => {
  const { dead, journal, hostOf } = bench()
  for (const pid of [1, 2]) void hostOf(pid).whileOwned(`${KEY}-${pid}`, {}, unending().work)
  await settled()
  dead.add(1)
  const host = hostOf(3)
  await host.recover({ machine: 'device' })
  expect(journal.leases.list()).toHaveLength(2)
  expect(await host.recover()).toEqual([])
  expect(journal.leases.list().map(({ key }) => key)).toEqual([`${KEY}-2`])
})

test('a host that stops tells those who listen, and waits for them, though not for ever', async () => {
  const { clock, hostOf } = bench()
  const host = hostOf(1)
  const heard: string[] = []
  const { work, end } = unending()
  host.onStop(async () => {
    heard.push('first')
    await work()
    heard.push('ended')
  })
  host.onStop(async () => void heard.push('left'))()
  const stopped = host.stop({ graceMs: 0 }).then(() => heard.push('stopped'))
  await settled()
  expect(heard).toEqual(['first'])
  end()
  await stopped
  expect(heard).toEqual(['first', 'ended', 'stopped'])
  const stuck = hostOf(2)
  stuck.onStop(unending().work)
  const given = stuck.stop({ graceMs: 0 })
  await settled()
  clock.advance(1_000)
  expect(await given).toEqual({ interrupted: [] })
})

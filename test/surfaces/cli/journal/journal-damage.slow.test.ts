/** Every damaged state of the journal's files: doctor finds it, repair ends it, and nothing that was used is used again. */
import { cpSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { journalPath } from '../../../../src/runtime/home.ts'
import { markPath } from '../../../../src/runtime/journal/mark.ts'
import { openJournal } from '../../../../src/runtime/journal/sqlite.ts'
import type { CommandContext } from '../../../../src/surfaces/cli/command.ts'
import { checkJournal } from '../../../../src/surfaces/cli/doctor/host.ts'
import { repair } from '../../../../src/surfaces/cli/journal/journal.ts'
import { runProgram } from '../../../support/run-program.ts'
import { tamper } from '../../../support/runtime/damage.ts'
import { ALWAYS_DAMAGED, type Harm, MAYBE_DAMAGED, seedHarms } from '../../../support/runtime/journal-harms.ts'
import { recordOf } from '../../../support/runtime/records.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-journal-damage-')
const clock = systemClock()
const WRITTEN = 260
const RECEIPTS = 10
const FENCE = 3
const BASES = ['with a WAL', 'without a WAL'] as const

let home = ''
let path = ''
let count = 0

const wholeOf = (base: string) => join(folder(), base.replaceAll(' ', '-'), 'journal.db')

beforeAll(async () => {
  const [withWal, without] = BASES.map(wholeOf) as [string, string]
  const log = join(folder(), 'log')
  await runProgram('journal-writer', [without, log, 'v', '100', '0', 'receipts'])
  tamper(without, `PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO leases VALUES ('device', ${FENCE}, NULL, NULL)`)
  cpSync(dirname(without), dirname(withWal), { recursive: true })
  for (const each of [withWal, without]) await runProgram('journal-writer', [each, log, 'w', '100', '60'])
  tamper(without, 'PRAGMA wal_checkpoint(TRUNCATE)')
  expect(statSync(`${withWal}-wal`).size).toBeGreaterThan(0)
})
beforeEach(() => {
  home = join(folder(), `home-${count++}`)
  path = journalPath(home)
})

const call = () => ({ clock, log: { warn: () => {} }, services: async () => ({ home }) }) as unknown as CommandContext
const doctor = () => checkJournal({ home, clock, env: {} })

/** What an execution does: takes the lease with its first record and gives it back with its last. */
const execute = async () => {
  const journal = openJournal({ path, alive: () => false, clock })
  try {
    const n = (journal.last('shared')?.n ?? -1) + 1
    const holder = { pid: process.pid, started: 's', instance: 'i' }
    const begun = await journal.begin(
      { key: 'device', holder, since: 1, note: {} },
      recordOf('shared', n, { body: { text: 'x'.repeat(9_000) } }),
    )
    if (!begun.granted) throw new Error('the lease was not granted')
    await journal.append(recordOf('shared', n + 1), { lease: begun.lease, release: true })
    return { seq: begun.record.seq, fence: begun.lease.fence }
  } finally {
    journal.close()
  }
}

const readAll = () => {
  const journal = openJournal({ path, alive: () => false, clock })
  const records = journal.records({ limit: 10_000 })
  for (const record of records) if (record.digest) expect(journal.body(record)).toBeDefined()
  const receipts = journal.receipts({ limit: 1_000 }).length
  journal.close()
  return { records: records.length, receipts }
}

interface Repaired {
  repaired: boolean
  aside?: string[]
  receipts?: number
  receiptsLost?: number | null
  hint?: string
}

/** Either it is in order in every respect, or it is said to be damaged and repaired. Returns which. */
const recover = async () => {
  const { status, hint } = doctor()
  const { ok, output } = await repair(call())
  const { repaired, aside = [], receipts = RECEIPTS, receiptsLost = 0, hint: next } = output as Repaired
  expect(ok).toBe(true)
  expect(repaired).toBe(status === 'failed')
  if (repaired) {
    expect(hint).toContain('svc journal repair')
    expect(aside.length).toBeGreaterThan(0)
    const isAllThere = receiptsLost === 0
    if (isAllThere) expect(receipts).toBe(RECEIPTS)
    expect(doctor()).toMatchObject({ status: isAllThere ? 'ok' : 'warning' })
    expect(next === undefined).toBe(isAllThere)
  } else {
    expect(readAll()).toEqual({ records: WRITTEN, receipts: RECEIPTS })
  }
  const { seq, fence } = await execute()
  expect(seq).toBeGreaterThan(WRITTEN)
  expect(fence).toBeGreaterThan(FENCE)
  return repaired ? 'repaired' : 'in order'
}

const damage = (base: string, harm: Harm) => {
  rmSync(home, { recursive: true, force: true })
  cpSync(dirname(wholeOf(base)), dirname(path), { recursive: true })
  harm(path)
}

describe.each(BASES)('a journal %s', base => {
  test.each(ALWAYS_DAMAGED)('%s: is found and repaired', async (_, harm) => {
    damage(base, harm)
    expect(await recover()).toBe('repaired')
  })

  test.each(MAYBE_DAMAGED)('%s: is in order to the last row, or repaired', async (_, harm) => {
    seedHarms(base === 'with a WAL' ? 1 : 2)
    damage(base, harm)
    await recover()
  })
})

test('an open journal that loses its file says corrupt, and which command to run', async () => {
  damage('without a WAL', () => {})
  const journal = openJournal({ path, alive: () => false, clock })
  truncateSync(path, 1_000)
  const append = async () => journal.append(recordOf('shared', (journal.last('shared')?.n ?? -1) + 1))
  await expect(append()).rejects.toMatchObject({
    reason: 'corrupt',
    hint: expect.stringContaining('svc journal repair'),
  })
  journal.close()
})

test('a journal that was taken away, with a mark that cannot be read: positions and fences still grow', async () => {
  damage('without a WAL', () => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
  })
  writeFileSync(markPath(path), '')
  const { seq, fence } = await execute()
  expect(seq).toBeGreaterThan(WRITTEN)
  expect(fence).toBeGreaterThan(FENCE)
})

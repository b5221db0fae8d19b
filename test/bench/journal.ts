/** What the journal costs: an append against an empty insert, a subscription against what wakes it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'libsql'
import { systemClock } from '../../src/runtime/clock.ts'
import type { Journal } from '../../src/runtime/journal/journal.ts'
import { openJournal } from '../../src/runtime/journal/sqlite.ts'
import { isAlive } from '../../src/runtime/processes/processes.ts'
import { median } from '../support/lines.ts'
import { ready } from '../support/ready.ts'
import { plainEnv } from '../support/run-program.ts'
import { receiptOf, recordOf } from '../support/runtime/records.ts'
import type { BenchRow } from './row.ts'

const clock = systemClock()
const LARGE = { tree: 'node '.repeat(10_600) }

/** Rounds of each in turn, so that what else this machine does falls on all of them; the median of single calls. */
const interleaved = (works: Record<string, (index: number) => void>, rounds: number, each: number) => {
  const times = new Map<string, number[]>(Object.keys(works).map(name => [name, []]))
  let index = 0
  for (let round = 0; round < rounds; round++) {
    for (const [name, work] of Object.entries(works)) {
      for (let call = 0; call < each; call++) {
        const start = clock.elapsed()
        work(index++)
        times.get(name)?.push((clock.elapsed() - start) * 1_000)
      }
    }
  }
  return (name: string) => median(times.get(name) ?? [])
}

const emptyInsert = (folder: string, level: 'NORMAL' | 'FULL', isTransaction: boolean) => {
  const database = new Database(join(folder, `empty-${level}-${isTransaction}.db`))
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${level}; CREATE TABLE t (a INTEGER PRIMARY KEY)`)
  const insert = database.prepare('INSERT INTO t DEFAULT VALUES')
  if (!isTransaction) return () => void insert.run()
  return () => {
    database.exec('BEGIN IMMEDIATE')
    insert.run()
    database.exec('COMMIT')
  }
}

const SYNCED_RUNS = 300

/** Microseconds, the median of single works, taken in turn. */
const inTurn = async (works: readonly ((index: number) => Promise<void>)[]): Promise<number[]> => {
  const times = works.map((): number[] => [])
  for (let run = 0; run < SYNCED_RUNS; run++) {
    for (const [which, work] of works.entries()) {
      const begun = clock.elapsed()
      await work(run * works.length + which)
      times[which]?.push((clock.elapsed() - begun) * 1_000)
    }
  }
  return times.map(median)
}

const appendRows = async (folder: string, journal: Journal): Promise<BenchRow[]> => {
  const positions = new Map<string, number>()
  const record = (index: number, more: Parameters<typeof recordOf>[2] = {}) => {
    const actor = `device:emulator-${5554 + (index % 8)}`
    const n = positions.get(actor) ?? 0
    positions.set(actor, n + 1)
    const event = {
      type: 'execution.dispatched',
      executionId: `0190a5b2-${index}`,
      segment: 0,
      at: 1_700_000_000_000 + index,
    }
    return recordOf(actor, n, { event, at: event.at, from: 'idle', to: 'running.sent', tags: ['in-flight'], ...more })
  }
  const quick = interleaved(
    {
      bare: emptyInsert(folder, 'NORMAL', false),
      transaction: emptyInsert(folder, 'NORMAL', true),
      append: index => void journal.append(record(index)),
      receipt: index => void journal.append(record(index), { receipt: receiptOf(`e${index}`) }),
      body: index => void journal.append(record(index, { body: { ...LARGE, index } })),
      json: index => void JSON.stringify({ ...LARGE, index }),
    },
    20,
    100,
  )
  const bareFull = emptyInsert(folder, 'FULL', false)
  const [full = 0, synced = 0] = await inTurn([
    async () => bareFull(),
    async index => {
      await journal.append(record(index))
      await journal.synced()
    },
  ])
  const row = (name: string, value: number, floor: string, at: number): BenchRow => ({
    name,
    value,
    unit: 'us',
    floor: `${floor} (${at.toFixed(1)} us)`,
    ratio: value / at,
  })
  return [
    row('append, NORMAL', quick('append'), 'empty insert, no transaction', quick('bare')),
    row('append, NORMAL', quick('append'), 'empty insert in BEGIN IMMEDIATE', quick('transaction')),
    row('append with a new receipt', quick('receipt'), 'empty insert in BEGIN IMMEDIATE', quick('transaction')),
    row('append with a body of 53 KB', quick('body'), 'JSON.stringify of it', quick('json')),
    row('append, and the disk has it', synced, 'empty insert, FULL', full),
  ]
}

const DELIVERIES = 300

/** Appends one after the other, each when the answer to the one before has come; microseconds from append to answer. */
const roundTrips = async (journal: Journal, call: string, answer: string): Promise<number> => {
  const delays: number[] = []
  let answered = () => {}
  const subscription = journal.subscribe(records => {
    if (records.some(({ actor }) => actor === answer)) answered()
  })
  for (let n = 0; n < DELIVERIES; n++) {
    const delivery = new Promise<void>(resolve => {
      answered = resolve
    })
    const start = clock.elapsed()
    await journal.append(recordOf(call, n))
    await delivery
    delays.push((clock.elapsed() - start) * 1_000)
  }
  subscription.close()
  return median(delays)
}

/** The other process answers each record with one of its own: one clock measures both ways, and half of it is one. */
const acrossProcesses = async (path: string, journal: Journal): Promise<number> => {
  const echo = fileURLToPath(new URL('../test/journal-echo.js', import.meta.url))
  const child = spawn(process.execPath, [echo, path], { env: plainEnv(), stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  await ready(child)
  const both = await roundTrips(journal, 'bench:call', 'bench:echo')
  child.kill('SIGKILL')
  await ended
  return both / 2
}

export const journalRows = async (): Promise<BenchRow[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const path = join(folder, 'journal', 'journal.db')
  const journal = openJournal({ path, alive: isAlive, clock })
  try {
    const rows = await appendRows(folder, journal)
    const floor = rows[0]?.value ?? Number.NaN
    const delay = (name: string, value: number): BenchRow => ({
      name,
      value,
      unit: 'us',
      floor: `the append itself (${floor.toFixed(1)} us)`,
      ratio: value / floor,
    })
    rows.push(delay('append to delivery, same process', await roundTrips(journal, 'bench:here', 'bench:here')))
    rows.push(delay('append to delivery, other process', await acrossProcesses(path, journal)))
    return rows
  } finally {
    journal.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

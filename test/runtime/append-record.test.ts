/** Records of logs, which no machine drives: each is written once, in its order, or its writer is told. */
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { CHECKPOINT_RECORDS } from '../../src/contracts/limits/limits.ts'
import { createLogWriter, type LogRecord } from '../../src/runtime/append-record.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { JournalError } from '../../src/runtime/journal/fault.ts'
import { openJournal } from '../../src/runtime/journal/sqlite.ts'
import { isAlive } from '../../src/runtime/processes/processes.ts'
import { manualClock } from '../support/manual-clock.ts'
import { temporary } from '../support/temporary.ts'
import { until } from '../support/until.ts'

const folder = temporary('svc-log-')
const clock = systemClock()
const open = (path: string) => openJournal({ path, alive: isAlive, clock })
const said = (text: string, more: Partial<LogRecord> = {}): LogRecord => ({
  actor: 'log:1',
  machine: 'log',
  state: 'said',
  event: { type: 'text.said', text },
  ...more,
})

test('more at once than checkpoints are apart stand in their order, and retention may take those before the checkpoint', async () => {
  const journal = open(join(folder(), 'one.db'))
  const log = createLogWriter({ journal, clock })
  const texts = Array.from({ length: CHECKPOINT_RECORDS + 2 }, (_, index) => `t${index}`)
  await Promise.all(texts.map(text => log.append(said(text))))
  const records = journal.records({ actor: 'log:1' })
  expect(records.map(({ event }) => event.text)).toEqual(texts)
  expect(records.map(({ n }) => n)).toEqual(texts.map((_, n) => n))
  expect(records.slice(0, 2)).toMatchObject([
    { from: '', to: 'said' },
    { from: 'said', to: 'said' },
  ])
  expect(journal.checkpoint('log:1')).toMatchObject({ n: CHECKPOINT_RECORDS })
  journal.close()
})

test('two writers at once, as two processes are, lose nothing and say the same thing once', async () => {
  const path = join(folder(), 'two.db')
  const journals = [open(path), open(path)]
  const logs = journals.map(journal => createLogWriter({ journal, clock }))
  const once = { actor: 'log:once', isSaidBy: () => true }
  await Promise.all(
    logs.flatMap((log, index) => [
      ...Array.from({ length: 20 }, (_, text) => log.append(said(`${index}-${text}`))),
      log.append(said('once', once)),
    ]),
  )
  const [journal] = journals
  expect(new Set(journal?.records({ actor: 'log:1' }).map(({ event }) => event.text)).size).toBe(40)
  expect(journal?.records({ actor: 'log:once' })).toHaveLength(1)
  for (const each of journals) each.close()
})

test('a writer that others keep ahead of is told so after a time, and one before a full line at once', async () => {
  const manual = manualClock()
  let tries = 0
  const journal = {
    last: () => undefined,
    saveCheckpoint: async () => {},
    append: async () => {
      tries += 1
      throw new JournalError('behind', 'log:1 continues elsewhere')
    },
  }
  const log = createLogWriter({ journal, clock: manual })
  const waiting = [log.append(said('first')).catch((error: JournalError) => error.reason)]
  while (!log.isFull('log:1')) waiting.push(log.append(said('more')).catch((error: JournalError) => error.reason))
  await expect(log.append(said('too many'))).rejects.toMatchObject({ reason: 'busy' })
  expect(log.isFull('log:2')).toBe(false)
  let first: unknown
  void waiting[0]?.then(reason => {
    first = reason
  })
  await until(async () => {
    manual.advance(500)
    await turn()
    return first !== undefined
  }, 'the first writer to be told')
  expect(first).toBe('behind')
  expect(tries).toBeGreaterThan(5)
})

test('a journal that takes nothing is told at once', async () => {
  let tries = 0
  const append = async () => {
    tries += 1
    throw new JournalError('full', 'the disk is full')
  }
  const log = createLogWriter({ journal: { last: () => undefined, saveCheckpoint: async () => {}, append }, clock })
  await expect(log.append(said('text'))).rejects.toMatchObject({ reason: 'full' })
  expect(tries).toBe(1)
})

/** Several processes on one journal. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { markPath } from '../../../src/runtime/journal/mark.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { isAlive } from '../../../src/runtime/processes/processes.ts'
import { linesIn, median } from '../../support/lines.ts'
import { ready } from '../../support/ready.ts'
import { runProgram, startProgram } from '../../support/run-program.ts'
import { recordOf } from '../../support/runtime/records.ts'
import { temporary } from '../../support/temporary.ts'
import { until, wait } from '../../support/until.ts'

interface Acknowledged {
  seq: number
  actor: string
  n: number
  by: string
}

const folder = temporary('svc-processes-')
const clock = systemClock()
const open = (path: string) => openJournal({ path, alive: isAlive, clock })
const seen = (stdout: string) => JSON.parse(stdout.slice('ready\n'.length)) as { seqs: number[]; delays: number[] }
const range = (length: number, from = 0) => Array.from({ length }, (_, index) => from + index)

describe('four processes that append at once', () => {
  const EACH = 150

  test('lose nothing, repeat nothing and keep every actor in order', async () => {
    const path = join(folder(), 'four', 'journal.db')
    const log = join(folder(), 'four.log')
    const watching = startProgram('journal-watcher', [path, String(4 * 2 * EACH)])
    await ready(watching.child)
    const ended = await Promise.all(
      range(4).map(index => runProgram('journal-writer', [path, log, `w${index}`, String(EACH)])),
    )
    for (const { code, stderr } of ended) expect([code, stderr]).toEqual([0, ''])

    const journal = open(path)
    const records = journal.records({ limit: 10_000 })
    const acknowledged = linesIn<Acknowledged>(log)
    expect(records.map(({ seq }) => seq)).toEqual(range(4 * 2 * EACH, 1))
    expect(acknowledged).toHaveLength(records.length)
    for (const { seq, actor, n, by } of acknowledged) {
      const record = records[seq - 1]
      expect(record).toMatchObject({ actor, n, event: { by } })
      expect(record && journal.body(record)).toMatchObject({ actor, n, writer: by })
    }
    for (const actor of ['shared', 'own:w0', 'own:w1', 'own:w2', 'own:w3']) {
      const own = records.filter(record => record.actor === actor)
      expect(own.map(({ n }) => n)).toEqual(range(actor === 'shared' ? 4 * EACH : EACH))
    }
    // A process that sees its own records sees them in the order in which it wrote them.
    for (const by of range(4).map(index => `w${index}`)) {
      const seqs = acknowledged.filter(fact => fact.by === by).map(({ seq }) => seq)
      expect(seqs).toEqual([...seqs].sort((a, b) => a - b))
    }
    journal.close()
    const { stdout } = await watching.ended
    expect(seen(stdout).seqs).toEqual(range(4 * 2 * EACH, 1))
  })
})

describe('a writer killed after', () => {
  test.each(range(12, 1))('append %i has lost nothing that was acknowledged', async killAt => {
    const path = join(folder(), `killed-${killAt}`, 'journal.db')
    const log = join(folder(), `killed-${killAt}.log`)
    const { signal } = await runProgram('journal-writer', [path, log, 'w', '20', String(killAt)])
    expect(signal).toBe('SIGKILL')
    const journal = open(path)
    const records = journal.records()
    const acknowledged = linesIn<Acknowledged>(log)
    expect(acknowledged).toHaveLength(killAt)
    expect(records.map(({ seq, actor, n }) => ({ seq, actor, n, by: 'w' }))).toEqual(acknowledged)
    for (const record of records) expect(journal.body(record)).toMatchObject({ writer: 'w' })
    expect((await journal.append(recordOf('after', 0))).seq).toBe(killAt + 1)
    journal.close()
  })
})

describe('a subscription in another process', () => {
  test('sees every record, soon after it was written', async () => {
    const COUNT = 120
    const path = join(folder(), 'watched', 'journal.db')
    const journal = open(path)
    const { child, ended } = startProgram('journal-watcher', [path, String(COUNT)])
    await ready(child)
    for (let n = 0; n < COUNT; n++) {
      await journal.append(recordOf('a', n, { at: clock.now() }))
      // Singly and in bursts.
      if (n % 4 === 0) await wait(4)
    }
    const { stdout } = await ended
    const { seqs, delays } = seen(stdout)
    expect(seqs).toEqual(range(COUNT, 1))
    console.log(`subscription across processes: median ${median(delays)} ms, worst ${Math.max(...delays)} ms`)
    expect(median(delays)).toBeLessThan(2_000)
    journal.close()
  })

  test('does not keep its process', async () => {
    const path = join(folder(), 'idle', 'journal.db')
    expect(await runProgram('journal-watcher', [path, '0'])).toMatchObject({ code: 0, stdout: 'ready\n', stderr: '' })
  })

  test('catches up when the file system says nothing', async () => {
    const path = join(folder(), 'untold', 'journal.db')
    const [journal, other] = [open(path), open(path)]
    // Its writer goes on writing to it, but nobody is told of a file without a name.
    rmSync(markPath(path))
    const seqs: number[] = []
    journal.subscribe(records => seqs.push(...records.map(({ seq }) => seq)))
    await other.append(recordOf('a', 0))
    await other.append(recordOf('b', 0))
    await until(() => seqs.length === 2, 'the records of the other connection')
    expect(seqs).toEqual([1, 2])
    journal.close()
    other.close()
  })
})

/** Subscriptions of every journal. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { JournalRecord } from '../../../src/contracts/records/journal.ts'
import { eachRecord } from '../../../src/runtime/transitions.ts'
import { recordOf } from '../../support/runtime/records.ts'
import { until, wait } from '../../support/until.ts'
import type { Bench } from './bench.ts'

const seqsOf = (batches: JournalRecord[][]) => batches.flat().map(({ seq }) => seq)
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

export const subscriptionSuite = ({ journal, troubles }: Bench): void => {
  let positions = new Map<string, number>()
  const append = async (times: number, actor = 'a') => {
    for (let i = 0; i < times; i++) {
      const n = positions.get(actor) ?? 0
      positions.set(actor, n + 1)
      await journal().append(recordOf(actor, n))
    }
  }
  beforeEach(() => {
    positions = new Map()
  })

  describe('subscribe', () => {
    test('delivers each record after the head, once and in order, never from inside append', async () => {
      await append(2)
      const got: JournalRecord[][] = []
      journal().subscribe(records => got.push(records))
      const written = [append(3), append(1, 'b')]
      expect(got).toEqual([])
      await Promise.all(written)
      await until(() => got.flat().length >= 4, 'four records')
      await append(1)
      await until(() => got.flat().length >= 5, 'the fifth')
      await wait(20)
      expect(seqsOf(got)).toEqual(range(3, 7))
      expect(got.flat()).toEqual(journal().records({ after: 2 }))
    })

    test('replays from a position, in batches, and goes on live', async () => {
      await append(1_203)
      const got: JournalRecord[][] = []
      journal().subscribe(records => got.push(records), { after: 2 })
      await append(2)
      await until(() => got.flat().length >= 1_203, 'the replay')
      expect(seqsOf(got)).toEqual(range(3, 1_205))
      expect(Math.max(...got.map(({ length }) => length))).toBeLessThanOrEqual(500)
      await append(1)
      await until(() => got.flat().length >= 1_204, 'the live one')
      expect(seqsOf(got).at(-1)).toBe(1_206)
    })

    test('serves listeners at different positions; what one does to its batch is its own affair', async () => {
      await append(3)
      const early: JournalRecord[][] = []
      const late: JournalRecord[][] = []
      journal().subscribe(records => early.push(records.splice(0)), { after: 0 })
      journal().subscribe(records => late.push(records), { after: 0 })
      journal().subscribe(records => late.push(records), { after: 99 })
      await append(2)
      await until(() => early.flat().length >= 5 && late.flat().length >= 5, 'both')
      expect(seqsOf(early)).toEqual(range(1, 5))
      expect(seqsOf(late)).toEqual(range(1, 5))
    })

    test('reports a listener that throws, which hears the next records like all others', async () => {
      const heard: number[] = []
      const got: JournalRecord[][] = []
      journal().subscribe(
        eachRecord(({ seq }) => {
          heard.push(seq)
          if (seq < 3) throw new Error(`at ${seq}`)
        }),
      )
      journal().subscribe(records => got.push(records))
      await append(2)
      await until(() => got.flat().length >= 2, 'the first two')
      await append(1)
      await until(() => got.flat().length >= 3, 'the third')
      expect(heard).toEqual([1, 2, 3])
      expect(seqsOf(got)).toEqual([1, 2, 3])
      expect(troubles.join()).toContain('at 1')
    })

    test('stops at once on close, also from inside a delivery', async () => {
      const got: JournalRecord[][] = []
      const other: JournalRecord[][] = []
      const early = journal().subscribe(records => got.push(records))
      await append(1)
      early.close()
      early.close()
      const inside = journal().subscribe(() => {
        inside.close()
        second.close()
      })
      const second = journal().subscribe(records => other.push(records))
      await append(1)
      const last: JournalRecord[][] = []
      journal().subscribe(records => last.push(records), { after: 0 })
      await until(() => last.flat().length >= 2, 'the last listener')
      expect(got).toEqual([])
      expect(other).toEqual([])
    })

    test('lets a listener append; what it appends comes in a later delivery', async () => {
      const got: JournalRecord[][] = []
      let depth = 0
      let deepest = 0
      journal().subscribe(records => {
        depth += 1
        deepest = Math.max(deepest, depth)
        got.push(records)
        if (got.length < 4) void append(1)
        depth -= 1
      })
      await append(1)
      await until(() => got.flat().length >= 4, 'the chain')
      expect(seqsOf(got)).toEqual(range(1, 4))
      expect(deepest).toBe(1)
    })

    test('ends when the journal is closed', async () => {
      const got: JournalRecord[][] = []
      journal().subscribe(records => got.push(records), { after: 0 })
      await append(1)
      journal().close()
      await wait(30)
      expect(got).toEqual([])
    })
  })
}

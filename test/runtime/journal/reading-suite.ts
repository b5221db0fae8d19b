/** How every journal gives its records back. */
import { describe, expect, test } from 'vitest'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { recordOf } from '../../support/runtime/records.ts'
import type { Bench } from './bench.ts'

export const readingSuite = ({ journal }: Bench): unknown =>
  describe('records', () => {
    const fill = async () => {
      for (let n = 0; n < 4; n++) {
        await journal().append(recordOf('a', n))
        await journal().append(recordOf('b', n, { machine: 'skill-run', tags: n === 3 ? ['in-flight'] : [] }))
      }
    }
    const seqs = (query: Parameters<Journal['records']>[0]) =>
      journal()
        .records(query)
        .map(({ seq }) => seq)

    test('come oldest first, by actor, machine, position and number', async () => {
      await fill()
      expect(seqs({})).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
      expect(seqs({ actor: 'a' })).toEqual([1, 3, 5, 7])
      expect(seqs({ machine: 'skill-run' })).toEqual([2, 4, 6, 8])
      expect(seqs({ actor: 'a', machine: 'skill-run' })).toEqual([])
      expect(seqs({ after: 5 })).toEqual([6, 7, 8])
      expect(seqs({ after: 2, actor: 'a' })).toEqual([3, 5, 7])
      expect(seqs({ actor: 'a', fromN: 2 })).toEqual([5, 7])
      expect(seqs({ actor: 'a', fromN: 1, after: 3, limit: 1 })).toEqual([5])
      expect(seqs({ limit: 3 })).toEqual([1, 2, 3])
      expect(seqs({ limit: 0 })).toEqual([])
      expect(seqs({ actor: 'nobody' })).toEqual([])
    })

    test('come by the listener whose outcome they tell', async () => {
      const outcome = (listener: string) => ({ outcome: { listener, executionId: 'e1' } })
      await journal().append(recordOf('a', 0, outcome('l1')))
      await journal().append(recordOf('a', 1))
      await journal().append(recordOf('b', 0, outcome('l2')))
      await journal().append(recordOf('b', 1, outcome('l1')))
      expect(seqs({ listener: 'l1' })).toEqual([1, 4])
      expect(seqs({ listener: 'l1', after: 1 })).toEqual([4])
      expect(seqs({ listener: 'l1', actor: 'a' })).toEqual([1])
      expect(seqs({ listener: 'nobody' })).toEqual([])
    })

    test('come at most a thousand at a time unless told otherwise', async () => {
      for (let n = 0; n < 1_002; n++) await journal().append(recordOf('a', n))
      expect(journal().records()).toHaveLength(1_000)
      expect(journal().records({ limit: 1_001 })).toHaveLength(1_001)
      expect(seqs({ after: 1_000 })).toEqual([1_001, 1_002])
    })

    test('are the caller’s own: changing them changes nothing', async () => {
      await fill()
      const mine = journal().records({ limit: 1 })[0]
      if (mine) mine.event.type = 'changed'
      expect(journal().records({ limit: 1 })[0]?.event.type).toBe('thing.happened')
    })

    test('of an empty journal are none', async () => {
      expect(journal().head()).toBe(0)
      expect(journal().records()).toEqual([])
      expect(journal().last('a')).toBeUndefined()
      expect(journal().actors()).toEqual([])
    })

    test('show each actor by its newest one, newest first', async () => {
      await fill()
      await journal().append(recordOf('c', 0, { tags: ['in-flight', 'other'] }))
      const names = (query?: Parameters<Journal['actors']>[0]) =>
        journal()
          .actors(query)
          .map(({ actor, n }) => [actor, n])
      expect(names()).toEqual([
        ['c', 0],
        ['b', 3],
        ['a', 3],
      ])
      expect(names({ machine: 'device' })).toEqual([
        ['c', 0],
        ['a', 3],
      ])
      expect(names({ tag: 'in-flight' })).toEqual([
        ['c', 0],
        ['b', 3],
      ])
      expect(names({ tag: 'flight' })).toEqual([])
      expect(names({ tag: 'in-flight', machine: 'skill-run' })).toEqual([['b', 3]])
      expect(names({ limit: 2 })).toEqual([
        ['c', 0],
        ['b', 3],
      ])
      await journal().append(recordOf('c', 1))
      expect(names({ tag: 'in-flight' })).toEqual([['b', 3]])
      await journal().append(recordOf('a', 4, { tags: ['in-flight'] }))
      expect(names({ tag: 'in-flight' })).toEqual([
        ['a', 4],
        ['b', 3],
      ])
    })
  })
